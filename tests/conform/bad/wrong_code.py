"""Says with a general error that a quantity is not on offer."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("says-not-offered",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        del message
        if answer.get("error", {}).get("code") == 4:
            answer["error"]["code"] = 5
        return answer
