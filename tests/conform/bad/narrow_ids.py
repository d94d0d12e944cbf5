"""Keeps ids in sixteen bits."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("hands-back-ids",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        del message
        answer["id"] %= 1 << 16
        return answer
