"""Takes zero for inputs that are missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_check.sdk.arrays import decode_array
from tests.conform.miniature import Altered

CAUGHT_BY = ("refuses-wrong-parameters",)


class Bad(Altered):
    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "evaluate":
            rows = decode_array(message["params"].get("q", []), "q")
            zeros = np.zeros((len(rows), 2)).tolist()
            message["params"] = {"v": zeros, "a": zeros, **message["params"]}
        return message
