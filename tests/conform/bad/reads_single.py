"""Reads its inputs in single precision, and declares double."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_check.sdk.arrays import decode_array, encode_array
from tests.conform.miniature import Altered

CAUGHT_BY = ("keeps-all-digits",)


class Bad(Altered):
    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        for name in {"q", "v", "a"} & set(message["params"]):
            array = decode_array(message["params"][name], name)
            message["params"][name] = encode_array(array.astype(np.float32).astype(float), "packed")
        return message
