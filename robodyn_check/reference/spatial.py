"""The 6×6 spatial inertia and back, cross products of 6-vectors, and the parallel-axis rule.

6-vectors are [linear; angular] here, as at every boundary (design page, section 4): twists [v; ω], wrenches [force;
moment].

    I = [[m 1, -m [c]], [m [c], I_com + m (|c|² 1 - c cᵀ)]]

Source: Featherstone (2008), equations 2.31, 2.32 and 2.63, blocks exchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


def skew(x: Array) -> Array:
    """Return [x], (3, 3), with [x] y = x × y; x: (3,)."""
    zero = x[0] - x[0]
    return np.array([[zero, -x[2], x[1]], [x[2], zero, -x[0]], [-x[1], x[0], zero]])


def parallel_axis(mass: Any, com: Array, inertia: Array) -> Array:
    """Return the inertia (3, 3) about the origin from that about the centre of mass: I + m (|c|² 1 - c cᵀ)."""
    shifted: Array = inertia + mass * (np.diag(np.array([com @ com] * 3)) - np.outer(com, com))
    return shifted


def spatial_inertia(mass: Any, com: Array, inertia: Array) -> Array:
    """Return the 6×6 inertia about the origin.

    Args:
        mass: kg.
        com: Centre of mass, (3,) m.
        inertia: About the centre of mass, (3, 3) kg m².
    """
    first = mass * skew(com)
    one = np.eye(3) * mass
    return np.block([[one, -first], [first, parallel_axis(mass, com, inertia)]])


def from_spatial_inertia(matrix: Array) -> tuple[Any, Array, Array]:
    """Return (mass, centre of mass, inertia about it) from a 6×6 inertia; a massless one has its centre at zero."""
    mass = matrix[0, 0]
    first = np.array([matrix[5, 1], matrix[3, 2], matrix[4, 0]])
    com = first * 0 if mass == 0 else first / mass
    return mass, com, parallel_axis(-mass, com, matrix[3:, 3:])


def motion_matrix(V: Array) -> Array:
    """Return V×, 6×6: the rate of a motion vector carried along by V = [v; ω]."""
    v, w = skew(V[:3]), skew(V[3:])
    return np.block([[w, v], [w * 0, w]])


def force_matrix(V: Array) -> Array:
    """Return V×*, 6×6: the rate of a force vector carried along by V; it is -(V×)ᵀ."""
    return -motion_matrix(V).T
