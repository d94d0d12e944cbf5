"""Adds a little to every answer that it gives."""

from __future__ import annotations

from typing import Any

from tests.conform.miniature import Honest, TwoLinks

CAUGHT_BY = ("repeats-itself",)


class Drifting(TwoLinks):
    calls = 0

    def mass_matrix(self, q: Any) -> Any:
        self.calls += 1
        M = super().mass_matrix(q)
        return [[M[0][0] + 1e-12 * self.calls, M[0][1]], M[1]]


class Bad(Honest):
    adapter = Drifting
