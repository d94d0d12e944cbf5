"""Christoffel symbols, the derivative of the mass matrix, and the split of the velocity-product force.

C is linear in v, so C(e_k) holds the symbols of node k: C_ij = Σ_k Γ_ijk v_k, and dM/dq_k = C(e_k) + C(e_k)ᵀ. For
one-dof joints that is ∂M/∂q_k; for ball and floating joints it is the derivative along the body's own axis k.

    (C v)_i = Σ_j Γ_ijj v_j² + Σ_{j<k} (Γ_ijk + Γ_ikj) v_j v_k      centrifugal and Coriolis parts

At v = e_k only what node k moves has a velocity, the motion S_k, so the sums over subtrees are known without a walk: at
the ancestors of k those of k itself, below k those of each node's own composite.

Source: Echeandia and Wensing (2021), arXiv 2010.01033, algorithm 2; Craig (2005), section 6.9, for the split.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.armature import add_armature
from robodyn_check.reference.arrays import motion_cross, zeros
from robodyn_check.reference.coriolis import assemble, moment_rates
from robodyn_check.reference.inertia import Inertias, momentum

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics
    from robodyn_check.reference.tree import Runs, Tree

    Array = npt.NDArray[Any]


def christoffel_symbols(tree: Tree, positions: Kinematics, subtree: Inertias) -> Array:
    """Return Γ_ijk, (n, n, n, B), with C_ij = Σ_k Γ_ijk v_k.

    Args:
        tree: The robot.
        positions: From `kinematics`.
        subtree: From `composites`.
    """
    S = positions.S
    F = momentum(subtree, S)
    symbols = zeros(S, (tree.n, tree.n, tree.n, S.shape[2]))
    for k, runs in enumerate(tree.below):
        S_dot = zeros(S, S.shape)
        rates = zeros(S, (12, *S.shape[1:]))
        rates[:, _ancestors(tree, k)] = moment_rates(_part(subtree, slice(k, k + 1)), S[:, k, None])
        for run in _carried(tree, k, runs):
            V = np.broadcast_to(S[:, k, None], S[:, run].shape)
            rates[:, run] = moment_rates(_part(subtree, run), V)
            S_dot[:, run] = motion_cross(V, S[:, run])
        assemble(tree, S, S_dot, subtree, F, rates, symbols[:, :, k])
        unit = zeros(S, (tree.n, S.shape[2]))
        unit[k] = 1
        add_armature(tree, unit, symbols[:, :, k])
    return symbols


def mass_matrix_derivative(symbols: Array) -> Array:
    """Return dM_ij/dq_k, (n, n, n, B), last node axis k, from Christoffel symbols."""
    derivative: Array = symbols + symbols.swapaxes(0, 1)
    return derivative


def centrifugal_matrix(symbols: Array) -> Array:
    """Return the (n, n, B) matrix that multiplies v_j²."""
    matrix: Array = np.einsum("ijjb->ijb", symbols)
    return matrix


def coriolis_products(symbols: Array) -> tuple[Array, tuple[tuple[int, int], ...]]:
    """Return the (n, n(n-1)/2, B) matrix that multiplies v_j v_k, and the pairs j < k of its columns."""
    pairs = tuple(combinations(range(symbols.shape[0]), 2))
    if not pairs:
        return zeros(symbols, (symbols.shape[0], 0, symbols.shape[3])), pairs
    first, second = (list(side) for side in zip(*pairs, strict=True))
    return symbols[:, first, second] + symbols[:, second, first], pairs


def _ancestors(tree: Tree, node: int) -> list[int]:
    """Return the nodes above a node, those of its own joint included."""
    body = int(tree.node_body[node])
    above = list(range(tree.nodes[body].start, node))
    while (body := tree.parent[body]) >= 0:
        above.extend(range(tree.nodes[body].start, tree.nodes[body].stop))
    return above


def _carried(tree: Tree, node: int, runs: Runs) -> Runs:
    """Return the nodes whose motion turns with the node: those below, and all of a ball's or floating joint's own."""
    body = int(tree.node_body[node])
    if tree.kinds[body] == "planar":
        return runs
    return (slice(tree.nodes[body].start, runs[0].stop), *runs[1:])


def _part(inertia: Inertias, run: slice) -> Inertias:
    """Return some of the nodes."""
    return Inertias(m=inertia.m[run], moments=inertia.moments[:, run])
