"""Takes every method for a greeting."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("refuses-unknown-methods",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "dance":
            return {"jsonrpc": "2.0", "id": message["id"], "result": None}
        return answer
