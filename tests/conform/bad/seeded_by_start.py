"""Has other numbers in every process."""

from __future__ import annotations

from typing import Any

from robodyn_check.sdk.server import Server
from tests.conform.miniature import Honest, TwoLinks

CAUGHT_BY = ("repeats-after-restart",)


class Bad(Honest):
    starts = 0

    def __init__(self) -> None:
        """Count the starts."""
        super().__init__()
        Bad.starts += 1
        shift = 1e-13 * Bad.starts

        class Shifted(TwoLinks):
            def bias_force(self, q: Any, v: Any) -> Any:
                return [value + shift for value in super().bias_force(q, v)]

        self.server = Server(Shifted)
