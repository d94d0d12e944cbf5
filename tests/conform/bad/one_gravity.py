"""Keeps the gravity of the first model."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("holds-two-models",)


class Bad(Altered):
    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "load":
            message["params"]["gravity"] = [0, 0, -9.81]
        return message
