"""Says nothing to a line without a method."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Honest

CAUGHT_BY = ("survives-no-request",)


class Bad(Honest):
    def reply(self, line: bytes) -> list[dict[str, Any]]:
        return super().reply(line) if b'"params"' in line or line[-1:] in b"{,eo\xfe" else []
