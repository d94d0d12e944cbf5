"""Takes an unknown quantity for the mass matrix."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("refuses-unknown-quantities",)


class Bad(Altered):
    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["params"].get("quantity") == "charm":
            message["params"]["quantity"] = "mass_matrix"
        return message
