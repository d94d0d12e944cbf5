"""Declares packed arrays and sends nested ones."""

from __future__ import annotations

from typing import Any

from robodyn_check.sdk.arrays import decode_array, encode_array
from tests.conform.miniature import Altered

CAUGHT_BY = ("spells-arrays-as-agreed",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "evaluate" and "result" in answer:
            answer["result"]["values"] = encode_array(decode_array(answer["result"]["values"], ""), "nested")
        return answer
