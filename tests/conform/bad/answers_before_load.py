"""Makes up a model when none was loaded."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("refuses-before-load",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        error = answer.get("error", {})
        if message["method"] == "evaluate" and "0 are" in error.get("message", ""):
            return {"jsonrpc": "2.0", "id": message["id"], "result": {"values": [[0.0, 0.0]]}}
        return answer
