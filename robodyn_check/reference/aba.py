"""Forward dynamics by articulated bodies: a from q, v, tau without a mass matrix.

World axes, every body about its **own** origin, so that a small link far from the base keeps its digits; r leads from
the parent's origin to the body's. With p the force that each body needs at a = 0, gravity included, what is left is
the response of a robot at rest. One depth of nodes at a time, leaves first, I and p being of everything below:

    [Uᵀ  -u] = Sᵀ [I  p] - [0  tau],  D = Uᵀ S + armature
    [I  p] ← [I  p] - U [Uᵀ  -u] / D,  moved by r and added to the parent's

and root first: A = A_parent moved by r, a = (u - Uᵀ A) / D, A ← A + S a, from A = 0 at the world.

A joint of several degrees of freedom is taken one node at a time: the body hangs on its last node, r belongs to its
first. D is the articulated inertia that the node feels; where it is zero, the acceleration is not defined.

Source: Featherstone (2008), table 7.1; there p is the force at v alone, and c and gravity enter with A.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.armature import armature_force
from robodyn_check.reference.arrays import cross, empty, trace, zeros
from robodyn_check.reference.kinematics import accelerations
from robodyn_check.reference.rnea import net_forces

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.inertia import Inertias
    from robodyn_check.reference.kinematics import Kinematics, Velocities
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def forward_dynamics(
    tree: Tree,
    positions: Kinematics,
    motion: Velocities,
    own: Inertias,
    v: Array,
    tau: Array,
    gravity: Array,
) -> tuple[Array, Array]:
    """Return a (n, B) and the articulated inertias D (n, B).

    Args:
        tree: The robot.
        positions: From `kinematics`.
        motion: From `velocities`.
        own: From `inertias_at_bodies`, about each body's own origin.
        v: Velocities, (n, B).
        tau: Joint forces, (n, B).
        gravity: m/s², (3,).
    """
    A = accelerations(tree, positions, motion, v, zeros(v, v.shape), gravity)
    p = net_forces(own, *(_about_own_origin(positions, M) for M in (motion.V, A)))
    Ip = _at_nodes(tree.n, [run.stop - 1 for run in tree.nodes], _inertias_and_forces(own, p))
    rx = _at_nodes(tree.n, [run.start for run in tree.nodes], _skew(positions.r))
    e = np.ascontiguousarray(positions.e.swapaxes(0, 1))
    with np.errstate(all="ignore"):  # a node without inertia divides by zero; the caller sees it in D
        W, D = _eliminate(tree, e, rx, Ip, tau - armature_force(tree, v))
        return _accelerate(tree, e, rx, W), D


def _eliminate(tree: Tree, e: Array, rx: Array, Ip: Array, tau: Array) -> tuple[Array, Array]:
    """Return [Uᵀ  -u] / D (n, 7, B) and D (n, B): the inward pass. Ip is used up."""
    W, D = empty(tau, (tree.n, 7, tau.shape[1])), empty(tau, tau.shape)
    for level in reversed(tree.levels):
        nodes, some = level.nodes, level.coordinates
        I_l, e_l = Ip[nodes], e[nodes]
        U = np.einsum("lib,lijb->ljb", e_l, I_l[:, some])  # with Sᵀ p - tau as its last entry
        U[:, 6] -= tau[nodes]
        D_l = np.einsum("lib,lib->lb", e_l, U[:, some])
        D_l += tree.armature[nodes, None]
        W_l = U / D_l[:, None]
        W[nodes], D[nodes] = W_l, D_l
        if level.above.size:
            I_l -= W_l[:, :6, None] * U[:, None]
            _move(rx[nodes], I_l)
            for row, parent in enumerate(level.above):
                Ip[parent] += I_l[row]
    return W, D


def _accelerate(tree: Tree, e: Array, rx: Array, W: Array) -> Array:
    """Return the accelerations (n, B): the outward pass."""
    A, a = zeros(W, (tree.n, 6, W.shape[2])), empty(W, (tree.n, W.shape[2]))
    for level in tree.levels:
        nodes = level.nodes
        A_l, W_l = A[level.above] if level.above.size else A[nodes], W[nodes]
        A_l[:, 3:] -= np.einsum("lijb,ljb->lib", rx[nodes], A_l[:, :3])
        a_l = -W_l[:, 6]
        a_l -= np.einsum("lib,lib->lb", W_l[:, :6], A_l)
        A_l[:, level.coordinates] += e[nodes] * a_l[:, None]
        A[nodes], a[nodes] = A_l, a_l
    return a


def _about_own_origin(positions: Kinematics, M: Array) -> Array:
    """Return motion vectors (6, nb, B) about o about each body's own origin."""
    moved = M.copy()
    moved[3:] += cross(M[:3], positions.p)
    return moved


def _inertias_and_forces(own: Inertias, p: Array) -> Array:
    """Return [I  p] of each body, rows [angular; linear], (nb, 6, 7, B); p: (6, nb, B)."""
    h, Sigma = own.h, own.Sigma
    Ip = zeros(Sigma, (h.shape[1], 6, 7, h.shape[2]))
    np.negative(Sigma.transpose(2, 0, 1, 3), out=Ip[:, :3, :3])
    size = trace(Sigma)
    for i in range(3):
        Ip[:, i, i] += size
        Ip[:, 3 + i, 3 + i] = own.m
        j, k = (i + 1) % 3, (i + 2) % 3
        Ip[:, j, 3 + i] = Ip[:, 3 + i, j] = h[k]  # [h] y = h × y
        Ip[:, k, 3 + i] = Ip[:, 3 + i, k] = -h[j]
    Ip[:, :, 6] = p.swapaxes(0, 1)
    return Ip


def _at_nodes(n: int, nodes: list[int], x: Array) -> Array:
    """Return what belongs to bodies at one node of each, zeros at a joint's others: (nb, ..., B) to (n, ..., B)."""
    if n == len(nodes):
        return x
    spread = zeros(x, (n, *x.shape[1:]))
    spread[nodes] = x
    return spread


def _skew(r: Array) -> Array:
    """Return [r], (nb, 3, 3, B)."""
    rx = zeros(r, (r.shape[1], 3, 3, r.shape[2]))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        rx[:, k, j] = r[i]
        np.negative(r[i], out=rx[:, j, k])
    return rx


def _move(rx: Array, Ip: Array) -> None:
    """Refer [I  p] (l, 6, 7, B) to points -r away, in place: Xᵀ I X and Xᵀ p with X = [[1, 0], [-[r], 1]]."""
    Ip[:, :3] += np.einsum("lijb,ljkb->likb", rx, Ip[:, 3:])
    Ip[:, :3, :3] -= np.einsum("lijb,ljkb->likb", Ip[:, :3, 3:6], rx)
    Ip[:, 3:, :3] = Ip[:, :3, 3:6].swapaxes(1, 2)
