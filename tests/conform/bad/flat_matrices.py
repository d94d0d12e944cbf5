"""Writes a matrix as one row of numbers."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("answers-in-shape",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "evaluate" and "result" in answer and len(answer["result"]["values"]["shape"]) == 3:
            values = answer["result"]["values"]
            values["shape"] = [values["shape"][0], 4]
        return answer
