"""Task space: what a link's tip feels like, the apparent inertia along its Jacobian.

    W   = J M⁻¹ Jᵀ                       mobility: acceleration of the tip per force on it
    Λ   = W⁻¹                            task inertia; J⁻ᵀ M J⁻¹ where J is square
    m_u = 1 / (uᵀ W u)                   effective mass along a unit direction u
    m_u ≤ uᵀ Λ u                         equal only where u is an eigenvector (Cauchy and Schwarz)
    Λ_v = Λ_ll - Λ_la Λ_aa⁻¹ Λ_al        the linear task inertia is the Schur complement of the 6 × 6 one

The batch axis is last; only +, -, ·, / and sqrt are used, so balls pass through.

Source: Khatib (1987), A unified approach for motion and force control of robot manipulators, section 2; Khatib (1995),
Inertial properties in robotic manipulation, section 3, for m_u.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.arrays import cross, zeros
from robodyn_check.reference.cholesky import cholesky, cholesky_solve
from robodyn_check.reference.kinematics import accelerations, link_frames

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics, Velocities
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def mobility(M: Array, J: Array) -> Array:
    """Return W = J M⁻¹ Jᵀ, (k, k, B).

    Args:
        M: Mass matrix, (n, n, B), positive definite.
        J: Rows of a Jacobian, (k, n, B).
    """
    L = cholesky(M)
    columns = [cholesky_solve(L, J[row]) for row in range(J.shape[0])]  # M⁻¹ Jᵀ, one row of J at a time
    product: Array = np.einsum("inb,knb->ikb", J, np.stack(columns))
    return product


def task_inertia(W: Array) -> Array:
    """Return Λ = W⁻¹, (k, k, B); NaN at a state where the tip cannot move in every direction (doubles)."""
    L = cholesky(W)
    unit = zeros(W, W.shape)
    for row in range(W.shape[0]):
        unit[row, row] = 1
    columns = [cholesky_solve(L, unit[:, column]) for column in range(W.shape[0])]
    return np.stack(columns, axis=1)


def effective_mass(W: Array, u: Array) -> Array:
    """Return m_u = 1 / (uᵀ W u), (B,); u: (k, B) or (k, 1), of unit length."""
    along: Array = np.einsum("kb,kjb,jb->b", np.broadcast_to(u, W.shape[1:]), W, np.broadcast_to(u, W.shape[1:]))
    return 1 / along


def schur_complement(Lambda: Array, size: int) -> Array:
    """Return the complement of the first ``size`` rows: A - B D⁻¹ Bᵀ, (size, size, B)."""
    head, mixed, tail = Lambda[:size, :size], Lambda[:size, size:], Lambda[size:, size:]
    L = cholesky(tail)
    solved = np.stack([cholesky_solve(L, mixed[row]) for row in range(size)])  # (size, rest, B)
    complement: Array = head - np.einsum("irb,jrb->ijb", mixed, solved)
    return complement


def velocity_product_accelerations(tree: Tree, positions: Kinematics, motion: Velocities, v: Array) -> Array:
    """Return J̇ v of every link's origin, world axes, rows [linear; angular], (nl, 6, B).

    Args:
        tree: The robot.
        positions: From `kinematics`.
        motion: From `velocities`.
        v: Velocities, (n, B).
    """
    _, p = link_frames(tree, positions)
    A = accelerations(tree, positions, motion, v, zeros(v, v.shape), zeros(v, (3,)))
    rates = zeros(p, (p.shape[1], 6, p.shape[2]))
    for link, body in enumerate(tree.link_body):
        if body >= 0:
            w, alpha, here = motion.V[:3, body], A[:3, body], p[:, link]
            moving = motion.V[3:, body] + cross(w, here)
            rates[link, :3] = A[3:, body] + cross(alpha, here) + cross(w, moving)
            rates[link, 3:] = alpha
    return rates
