"""The frozen batch of states that every part shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateBatch:
    """N states in canonical coordinates, boundary layout: the state is the first axis.

    q: (N, nq), v, a, tau: (N, nv). ``kinds`` says per state why it was drawn ("inside", "outside", "zero",
    "limit", "still", "single", "fast", or "given"), for messages.
    """

    q: FloatArray
    v: FloatArray
    a: FloatArray
    tau: FloatArray
    kinds: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return the number of states."""
        return int(self.q.shape[0])

    def rows(self, numbers: Sequence[int]) -> StateBatch:
        """Return the states with these numbers, in this order."""
        chosen = list(numbers)
        return StateBatch(
            q=self.q[chosen],
            v=self.v[chosen],
            a=self.a[chosen],
            tau=self.tau[chosen],
            kinds=tuple(self.kinds[number] for number in chosen) if self.kinds else (),
        )
