"""Refuses fields that it does not know."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("ignores-unknown-fields", "ignores-unknown-fields-of-load")


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if "of_a_later_version" in message["params"] and message["method"] != "dance":
            return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32602, "message": "unknown field"}}
        return answer
