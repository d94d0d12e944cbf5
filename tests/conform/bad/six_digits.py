"""Writes numbers with six digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_check.sdk.arrays import decode_array, encode_array
from tests.conform.miniature import Altered

CAUGHT_BY = ("keeps-all-digits",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "evaluate" and "result" in answer:
            values = decode_array(answer["result"]["values"], "values")
            answer["result"]["values"] = encode_array(np.vectorize(lambda x: float(f"{x:.6g}"))(values), "packed")
        return answer
