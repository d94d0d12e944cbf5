"""Christoffel's Coriolis matrix, without differences and without dM/dq.

With G = ∫ ẋ xᵀ dm = [w] Σ + v hᵀ and f = ∫ ẋ dm = w × h + m v of each body, both about o and additive over bodies, the
body-level matrix B(I, V) = ½ [(V×*) I + (I V)×̄* - I (V×)] acts on a motion S = [s; u] as

    B S = [tr(G) s - G s; s × f]          Bᵀ S = [tr(G) s - Gᵀ s + f × u; 0]

    C_ij = S_iᵀ (I_j^c Ṡ_j + B_j^c S_j)          i an ancestor of j or j itself
    C_ij = Ṡ_jᵀ I_i^c S_i + S_jᵀ (B_i^c)ᵀ S_i    j an ancestor of i

In quasi-velocities of ball and floating joints it is the torsion-free factorisation: C(v) w - C(w) v = M [v, w], with
[v, w] = 0 between one-dof joints, ω_v × ω_w in a ball joint, the motion cross product in a floating one.

Source: Echeandia and Wensing (2021), Numerical methods to compute the Coriolis matrix and Christoffel symbols for
rigid-body systems, arXiv 2010.01033, algorithm 1; the form in G and f follows by inserting I = tr(Σ) 1 - Σ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.armature import add_armature
from robodyn_check.reference.arrays import apply, apply_transposed, cross, empty, trace, zeros
from robodyn_check.reference.inertia import momentum

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.inertia import Inertias
    from robodyn_check.reference.kinematics import Kinematics, Velocities
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def coriolis_matrix(
    tree: Tree,
    positions: Kinematics,
    motion: Velocities,
    v: Array,
    about_o: Inertias,
    subtree: Inertias,
    momenta: Array,
    *,
    out: Array | None = None,
) -> Array:
    """Return C, (n, n, B).

    Args:
        tree: The robot.
        positions: From `kinematics`.
        motion: From `velocities`.
        v: Velocities, (n, B).
        about_o: From `inertias_at_origin`.
        subtree: From `composites`.
        momenta: I^c S, `momentum` of the composites, (6, n, B).
        out: Zeros to be filled, where the caller has them.
    """
    rates = tree.at_nodes(tree.subtree_sum(moment_rates(about_o, motion.V)))
    C = zeros(momenta, (tree.n, *momenta.shape[1:])) if out is None else out
    assemble(tree, positions.S, motion.S_dot, subtree, momenta, rates, C)
    add_armature(tree, v, C)
    return C


def moment_rates(inertia: Inertias, V: Array) -> Array:
    """Return f, then G row by row, (12, x, B), of bodies that move with V (6, x, B)."""
    w, v = V[:3], V[3:]
    rates = empty(V, (12, *V.shape[1:]))
    f, G = rates[:3], rates[3:].reshape(3, 3, *V.shape[1:])
    np.multiply(inertia.m, v, out=f)
    f += cross(w, inertia.h)
    np.multiply(v[:, None], inertia.h, out=G)
    G += cross(w[:, None], inertia.Sigma)
    return rates


def assemble(tree: Tree, S: Array, S_dot: Array, subtree: Inertias, F: Array, rates: Array, C: Array) -> None:
    """Fill C (zeros) from node motions, their rates, and at the nodes the subtrees' inertias, F = I^c S, f and G."""
    s, u = S[:3], S[3:]
    f, G = rates[:3], rates[3:].reshape(3, 3, *rates.shape[1:])
    t = trace(G) * s
    D = momentum(subtree, S_dot)  # I^c Ṡ + B^c S
    D[:3] += t
    D[:3] -= apply(G, s)
    D[3:] += cross(s, f)
    E = t  # the angular part of (B^c)ᵀ S; the linear part is zero
    E -= apply_transposed(G, s)
    E += cross(f, u)
    FE, S_both = np.concatenate([F, E]), np.concatenate([S_dot, s])  # Ṡ_iᵀ F + s_iᵀ E in one product
    for i, runs in enumerate(tree.below):
        for number, run in enumerate(runs):
            np.einsum("cb,cjb->jb", S[:, i], D[:, run], out=C[i, run])
            lower = slice(i + 1, run.stop) if number == 0 else run
            if lower.start < lower.stop:
                np.einsum("cb,cjb->jb", S_both[:, i], FE[:, lower], out=C[lower, i])
