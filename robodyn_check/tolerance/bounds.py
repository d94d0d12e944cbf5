"""The bound on the difference of two answers: K · (eps_a + eps_b) · S, entry by entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.errors import EvaluationError
from robodyn_check.tolerance.factors import factor

if TYPE_CHECKING:
    from robodyn_check.tolerance.paths import FloatArray
    from robodyn_check.tolerance.sizes import Scales


def bound(
    quantity: str,
    scales: Scales,
    eps_a: float,
    eps_b: float | None = None,
    *,
    answer: FloatArray | None = None,
    tau: FloatArray | None = None,
) -> FloatArray:
    """Return how far an answer to ``quantity`` may be from another one, shaped like the answer, state first.

    Potential energies are compared as differences from the first state, so the first state's scale is added.

    Args:
        quantity: A name of `robodyn_check.quantities.QUANTITIES`.
        scales: Of the states that were asked.
        eps_a: Machine epsilon of the subject.
        eps_b: Machine epsilon of the other one; None: the other one is a certified truth.
        answer: The acceleration that is judged, (N, nv); forward dynamics only.
        tau: Its generalised forces, (N, nv); forward dynamics only.

    Raises:
        EvaluationError: Forward dynamics without its answer and forces, or without the truth's M.
    """
    if quantity == "forward_dynamics":
        if answer is None or tau is None:
            raise EvaluationError("The bound of forward dynamics depends on the answer and on tau; give both.")
        size = scales.forward_dynamics(answer, tau)
    elif quantity == "potential_energy":
        size = scales.potential_energy + scales.potential_energy[:1]
    else:
        size = np.asarray(getattr(scales, quantity))
    eps = eps_a if eps_b is None else eps_a + eps_b
    return factor(quantity, dofs=scales.mechanism.nv) * eps * size
