"""Reads 65536 bytes of a line."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Honest

CAUGHT_BY = ("reads-long-lines",)


class Bad(Honest):
    def reply(self, line: bytes) -> list[dict[str, Any]]:
        return super().reply(line[:65536])
