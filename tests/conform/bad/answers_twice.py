"""Answers every unknown method twice."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Honest

CAUGHT_BY = ("hands-back-ids", "answers-in-order")


class Bad(Honest):
    def reply(self, line: bytes) -> list[dict[str, Any]]:
        answers = super().reply(line)
        return answers * 2 if b"dance" in line else answers
