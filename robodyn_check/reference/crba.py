"""The mass matrix by composite rigid bodies, and a second time as a sum over links.

    M_ij = S_iᵀ I_j^c S_j,   i an ancestor of j or j itself;  M_ii += armature_i

Armature is added in each joint's own velocity coordinates, one entry per coordinate, for ball and floating joints too
(MuJoCo's ``dof_armature``).

Source: Featherstone (2008), table 6.2; the sum over links: Siciliano et al. (2009), equation 7.32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.arrays import zeros
from robodyn_check.reference.jacobian import com_jacobians

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def mass_matrix(tree: Tree, positions: Kinematics, momenta: Array, *, out: Array | None = None) -> Array:
    """Return M, (n, n, B), armature included.

    Args:
        tree: The robot.
        positions: From `kinematics`.
        momenta: I^c S, `momentum` of the `composites`, (6, n, B).
        out: Zeros to be filled, where the caller has them.
    """
    S, F = positions.S, momenta
    M = zeros(F, (tree.n, *F.shape[1:])) if out is None else out
    for i, runs in enumerate(tree.below):
        for run in runs:
            np.einsum("cb,cjb->jb", S[:, i], F[:, run], out=M[i, run])
            M[run, i] = M[i, run]
        M[i, i] += tree.armature[i]
    return M


def jacobian_mass_matrix(tree: Tree, positions: Kinematics) -> Array:
    """Return M = Σ_links m JvᵀJv + JwᵀR I RᵀJw + diag(armature), (n, n, B), without any composite.

    Jv is of the link's centre of mass, I about it: nothing is shared with `mass_matrix` but kinematics.
    """
    R, Jw, Jv = com_jacobians(tree, positions)
    J_link = np.einsum("jilb,jlnb->ilnb", R, Jw)
    M: Array = np.einsum("l,ilnb,ilmb->nmb", tree.link_mass, Jv, Jv)
    M = M + np.einsum("ilnb,ijl,jlmb->nmb", J_link, tree.link_inertia, J_link)
    for i in range(tree.n):
        M[i, i] += tree.armature[i]
    return M
