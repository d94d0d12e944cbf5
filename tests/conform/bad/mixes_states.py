"""Takes the velocity of the first state for all states."""

from __future__ import annotations

from typing import Any

from robodyn_check.sdk.arrays import decode_array, encode_array
from tests.conform.miniature import Altered

CAUGHT_BY = ("keeps-states-apart",)


class Bad(Altered):
    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        if (
            message["method"] == "evaluate"
            and message["params"].get("quantity") == "bias_force"
            and "v" in message["params"]
        ):
            v = decode_array(message["params"]["v"], "v")
            if len(v):
                message["params"]["v"] = encode_array(v[:1].repeat(len(v), axis=0), "packed")
        return message
