"""Takes twenty states, and says forty."""

from __future__ import annotations

from typing import Any

from robodyn_check.sdk.arrays import decode_array, encode_array
from tests.conform.miniature import Altered

CAUGHT_BY = ("takes-a-whole-chunk",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "evaluate" and "result" in answer:
            values = decode_array(answer["result"]["values"], "values")
            answer["result"]["values"] = encode_array(values[:20], "packed")
        return answer
