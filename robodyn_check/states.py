"""States: what every subject is asked about. Drawn once from one seed; the same numbers for every subject.

Here: the frozen batch, shared by everything. The samplers (design page, section 4) stand below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateBatch:
    """N states in canonical coordinates, boundary layout: the state is the first axis.

    q: (N, nq), v, a, tau: (N, nv). ``kinds`` says per state why it was drawn ("inside", "outside", "zero",
    "limit", "still", "single", "fast" ...), for messages.
    """

    q: FloatArray
    v: FloatArray
    a: FloatArray
    tau: FloatArray
    kinds: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return the number of states."""
        return int(self.q.shape[0])
