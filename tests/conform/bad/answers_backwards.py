"""Answers what arrived last first."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Honest

CAUGHT_BY = ("answers-in-order",)


class Bad(Honest):
    def reply(self, line: bytes) -> list[dict[str, Any]]:
        self.waiting[:0] = super().reply(line)
        return []
