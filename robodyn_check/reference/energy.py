"""Kinetic and potential energy, as sums over links.

    K = Σ ½ (m |v_com|² + ωᵀ R I_com Rᵀ ω) + ½ Σ armature v²          V = -Σ m γ · c

K includes armature; V counts every link, those welded to the world too. Masses and inertias are those of the links,
about their own centres of mass: nothing of the merged bodies is used.

Source: Siciliano et al. (2009), equations 7.11 and 7.36.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.arrays import cross, dot, zeros
from robodyn_check.reference.kinematics import link_frames

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics, Velocities
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def kinetic_energy(tree: Tree, positions: Kinematics, motion: Velocities, v: Array) -> Array:
    """Return K, (B,) J; v: (n, B)."""
    K: Array = (tree.armature[:, None] * v * v).sum(axis=0)
    moving = np.flatnonzero(tree.link_body >= 0)
    if moving.size:
        R, p = link_frames(tree, positions)
        R, p = R[:, :, moving], p[:, moving]
        c = p + np.einsum("ijlb,jl->ilb", R, tree.link_com[:, moving])
        V = motion.V[:, tree.link_body[moving]]
        w = np.einsum("jilb,jlb->ilb", R, V[:3])  # in link axes
        speed = V[3:] + cross(V[:3], c)
        K = K + np.einsum("l,lb->b", tree.link_mass[moving], dot(speed, speed))
        K = K + np.einsum("ilb,ijl,jlb->b", w, tree.link_inertia[:, :, moving], w)
    return K / 2


def potential_energy(tree: Tree, positions: Kinematics, gravity: Array) -> Array:
    """Return V, (B,) J; gravity: (3,) m/s²."""
    R, p = link_frames(tree, positions)
    c = p + positions.o[:, None] + np.einsum("ijlb,jl->ilb", R, tree.link_com)
    if not len(tree.link_body):
        return zeros(p, (p.shape[-1],))
    V: Array = -np.einsum("i,l,ilb->b", gravity, tree.link_mass, c)
    return V
