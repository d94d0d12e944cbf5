"""Does not say its version."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("greets",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "initialize":
            answer["result"]["version"] = ""
        return answer
