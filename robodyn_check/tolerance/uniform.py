"""Rigorous bounds that hold in every pose: on the eigenvalues of the mass matrix and on the size of gravity torques.

With Jv, Jw the Jacobians of link l's centre of mass and of its rotation, over the coordinates j on its path,

    M = diag(armature) + Σ_l m_l Jvᵀ Jv + Jwᵀ I_c,l Jw
    λmax(M) ≤ max armature + Σ_l m_l ‖Jv‖_F² + λmax(I_c,l) ‖Jw‖_F²
            ≤ max armature + Σ_l [ m_l Σ_j r_jl² + n_l λmax(I_c,l) ]  =  m̄
    ‖g‖     ≤ |γ| Σ_l m_l ‖Jv‖_F  ≤  |γ| Σ_l m_l (Σ_j r_jl²)^½        =  ḡ

because a column of Jv is an axis times the distance to the centre of mass, at most r_jl = Σ_{k = j+1..l} |d_k| + |c_l|,
the length of the path from joint j to it (1 for a translation), and a column of Jw is a unit vector for an angle (n_l
of them) and 0 for a translation. A translation k between j and l lengthens the path by |q_k|. Branches need no care: a
link has one path. m̄ adds units of several kinds where a robot slides and turns; it bounds the numbers in SI units.

Source: Ghorbel, Srinivasan and Spong (1998), On the uniform boundedness of the inertia matrix of serial robot
manipulators; the triangle inequality along the path replaces their case distinctions. Armature on ball and floating
joints counts by block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.tolerance.paths import TRANSLATIONS, paths
from robodyn_check.tolerance.reach import reach

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.tolerance.paths import FloatArray, Paths
    from robodyn_check.tolerance.reach import Reach


@dataclass(frozen=True, slots=True, kw_only=True)
class UniformBounds:
    """Bounds over all poses within the limits; infinite where a joint slides without limits."""

    inertia: float
    gravity: float


def square_reach(tree: Paths, lengths: Reach) -> FloatArray:
    """Return Σ_j r_jl² over the coordinates on the path of each link, (N, nl)."""
    square: FloatArray = np.einsum("nlj,lj->nl", _from_axis(tree, lengths) ** 2, tree.on)
    return square


def inertia_bound(tree: Paths, lengths: Reach) -> FloatArray:
    """Return m̄ at each state's translations, (N,)."""
    turning = (tree.on * tree.angular).sum(axis=1)
    armature = np.linalg.norm(tree.armature, ord=2) if tree.armature.size else 0.0
    bound: FloatArray = armature + square_reach(tree, lengths) @ tree.mass + turning @ tree.inertia
    return bound


def gravity_bound(tree: Paths, lengths: Reach, gravity: float) -> FloatArray:
    """Return ḡ at each state's translations, (N,); ``gravity`` is |γ|, m/s²."""
    bound: FloatArray = gravity * (np.sqrt(square_reach(tree, lengths)) @ tree.mass)
    return bound


def uniform_bounds(mechanism: Mechanism) -> UniformBounds:
    """Return m̄ and ḡ over all poses that the joint limits allow."""
    tree = paths(mechanism)
    travel = _largest_travel(mechanism)
    endless = np.isinf(travel)
    lengths = reach(tree, np.where(endless, 0.0, travel)[None])
    # an endless slide between an axis and a mass: what it lengthens on the path to the mass and not on that to the axis
    beyond = np.einsum("lk,jk,k->lj", tree.link_travel, 1.0 - tree.origin_travel, endless.astype(float))
    far = (beyond > 0.0) & (tree.on * tree.angular > 0.0) & (tree.mass[:, None] > 0.0)
    gravity = float(np.linalg.norm(np.asarray(mechanism.gravity, dtype=float)))
    if far.any():
        return UniformBounds(inertia=np.inf, gravity=np.inf if gravity > 0.0 else 0.0)
    return UniformBounds(
        inertia=float(inertia_bound(tree, lengths)[0]), gravity=float(gravity_bound(tree, lengths, gravity)[0])
    )


def _from_axis(tree: Paths, lengths: Reach) -> FloatArray:
    """Return r_jl, (N, nl, nv): the path from axis j to the centre of mass of link l, 1 for a translation."""
    arm = lengths.end[:, :, None] - lengths.origin[:, None, :]
    return np.where((tree.on * tree.angular) > 0, arm, np.where(tree.on > 0, 1.0, 0.0))


def _largest_travel(mechanism: Mechanism) -> FloatArray:
    """Return the largest |translation| of each joint within its limits, (nj,) m; infinite without limits."""
    reference = np.abs(np.asarray(mechanism.reference, dtype=float))
    travel = np.zeros(len(mechanism.joints))
    for number, joint in enumerate(mechanism.joints):
        count = TRANSLATIONS[joint.kind]
        ends = [
            max(abs(low), abs(high)) + reference[joint.q.start + k]
            for k, (low, high) in enumerate(zip(joint.lower[:count], joint.upper[:count], strict=True))
        ]
        travel[number] = float(np.linalg.norm(ends)) if ends else 0.0
    return travel
