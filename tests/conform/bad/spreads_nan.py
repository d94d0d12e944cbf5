"""Refuses a whole chunk for one NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_check.sdk.arrays import decode_array
from tests.conform.miniature import Altered

CAUGHT_BY = ("keeps-nan-where-it-is",)


class Bad(Altered):
    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        if any(np.isnan(decode_array(value, "")).any() for name, value in message["params"].items() if name in "qva"):
            return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": 5, "message": "not a number"}}
        return answer
