"""Answers shutdown and goes on."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Honest

CAUGHT_BY = ("shuts-down",)


class Bad(Honest):
    def reply(self, line: bytes) -> list[dict[str, Any]]:
        answers = super().reply(line)
        self.ended = None
        return answers
