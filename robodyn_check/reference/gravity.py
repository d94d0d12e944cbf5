"""The gravity vector g = ∂V/∂q, left-hand side.

    g_k = -S_k · [h × γ; m γ] of everything that the node moves

Source: Featherstone (2008), section 5.3, the static part; h and m are the subtree's (inertia.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robodyn_check.reference.arrays import cross

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.inertia import Inertias
    from robodyn_check.reference.kinematics import Kinematics

    Array = npt.NDArray[Any]


def gravity_vector(positions: Kinematics, subtree: Inertias, gravity: Array) -> Array:
    """Return g, (n, B); gravity: (3,) m/s²."""
    w, v = positions.S[:3], positions.S[3:]
    # w · (h × γ) = (w × h) · γ: the velocity that a unit rate gives the mass, against gravity
    rate = cross(w, subtree.h)
    rate += subtree.m * v
    g: Array = -(rate[0] * gravity[0] + rate[1] * gravity[1] + rate[2] * gravity[2])
    return g
