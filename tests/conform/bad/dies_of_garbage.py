"""Ends when a line is no JSON."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Honest

CAUGHT_BY = ("survives-no-json",)


class Bad(Honest):
    def reply(self, line: bytes) -> list[dict[str, Any]]:
        answers = super().reply(line)
        if answers[0].get("error", {}).get("code") == -32700 and line not in {b"[]", b"17"}:
            self.ended = "exit code 1"
            return []
        return answers
