"""Gives both joints the same coordinate."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("loads",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "load":
            answer["result"]["layout"]["joints"][1]["q"] = [0]
        return answer
