"""Answers for the newest model, whatever number is asked."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Altered

CAUGHT_BY = ("refuses-wrong-parameters", "holds-two-models")


class Bad(Altered):
    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["method"] == "evaluate" and self.server._models:
            message["params"]["model"] = len(self.server._models) - 1
        return message
