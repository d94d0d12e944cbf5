"""Jacobians of link frames and of centres of mass: world axes.

    rotation about e through p_k:  J = [e × (p_link - p_k); e]     translation along e:  J = [e; 0]

Source: Siciliano et al. (2009), equation 3.30.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.arrays import cross, zeros
from robodyn_check.reference.kinematics import link_frames

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def link_jacobians(tree: Tree, positions: Kinematics, *, out: Array | None = None) -> Array:
    """Return J of each link's origin, rows [linear; angular], (nl, 6, n, B)."""
    _, p = link_frames(tree, positions)
    J = zeros(p, (p.shape[1], 6, tree.n, p.shape[2])) if out is None else out
    _fill(tree, positions, p, J[:, :3], J[:, 3:])
    return J


def com_jacobians(tree: Tree, positions: Kinematics) -> tuple[Array, Array, Array]:
    """Return link rotations (3, 3, nl, B), Jw (3, nl, n, B) and Jv of centres of mass (3, nl, n, B)."""
    R, p = link_frames(tree, positions)
    p = p + np.einsum("ijlb,jl->ilb", R, tree.link_com)
    Jv = zeros(p, (p.shape[1], 3, tree.n, p.shape[2]))
    Jw = zeros(p, Jv.shape)
    _fill(tree, positions, p, Jv, Jw)
    return R, Jw.transpose(1, 0, 2, 3), Jv.transpose(1, 0, 2, 3)


def _fill(tree: Tree, positions: Kinematics, p: Array, Jv: Array, Jw: Array) -> None:
    """Write the columns of every node into the links that it moves; Jv, Jw: (nl, 3, n, B), p: (3, nl, B)."""
    for node, runs in enumerate(tree.links_below):
        e = positions.e[:, node]
        origin = positions.p[:, tree.node_body[node], None]
        for run in runs:
            if tree.angular[node]:
                arm = p[:, run] - origin
                Jv[run, :, node] = cross(np.broadcast_to(e[:, None], arm.shape), arm).transpose(1, 0, 2)
                Jw[run, :, node] = e
            else:
                Jv[run, :, node] = e
