"""Forward dynamics by articulated bodies: a from q, v, tau without a mass matrix.

World axes, every body about its **own** origin, so that a small link far from the base keeps its digits; r leads from
the parent's origin to the body's. One depth of nodes at a time, leaves first, I^A and p^A being of everything below:

    U = I^A S,  D = Sᵀ U + armature,  u = tau - Sᵀ p^A
    I^A ← I^A - U Uᵀ / D,  p^A ← p^A + U u / D,  p^A ← p^A + I^A c,  both moved by r and added to the parent's

and root first: A = A_parent + c, a = (u - Uᵀ A) / D, A ← A + S a, from A = [0; -γ] at the world.

A joint of several degrees of freedom is taken one node at a time: the body hangs on its last node, c and r belong to
its first. D is the articulated inertia that the node feels; where it is zero, the acceleration is not defined.

Source: Featherstone (2008), table 7.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.armature import armature_force
from robodyn_check.reference.arrays import cross, empty, trace, zeros
from robodyn_check.reference.inertia import Inertias, momentum

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics, Velocities
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]
    Indices = npt.NDArray[np.intp]


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
    V, c = _local_motion(tree, positions, motion, v)
    bodies = _Bodies(tree)
    p = bodies.at_last_node(_velocity_force(own, V))
    I = bodies.at_last_node(_rigid_inertia(own))
    S, c, rx = _unit_motions(tree, positions.e), bodies.at_first_node(c), bodies.at_first_node(_skew(positions.r))
    D, a = empty(c, tau.shape), tau - armature_force(tree, v)
    by_depth = np.concatenate([level.nodes for level in tree.levels]) if tree.levels else np.arange(0)
    I, p, S, c, rx, a, armature = (_sorted(x, by_depth) for x in (I, p, S, c, rx, a, tree.armature))
    with np.errstate(all="ignore"):  # a node without inertia divides by zero; the caller sees it in D
        W = _eliminate(tree, S, rx, armature, I, p, c, a, D)
        _accelerate(tree, S, rx, W, c, a, gravity)
    back = np.argsort(by_depth)
    return _sorted(a, back), _sorted(D, back)


def _eliminate(
    tree: Tree, S: Array, rx: Array, armature: Array, I: Array, p: Array, c: Array, a: Array, D: Array
) -> Array:
    """Return U / D (n, 6, B), fill D and turn tau into u / D in ``a``: the inward pass. I and p are used up."""
    W = empty(S, S.shape)
    for depth in range(len(tree.levels) - 1, -1, -1):
        level = tree.levels[depth]
        rows, some = level.rows, level.coordinates
        I_l, p_l, S_l, D_l, a_l = I[rows], p[rows], S[rows, some], D[rows], a[rows]
        U = np.einsum("lijb,ljb->lib", I_l[:, :, some], S_l)
        np.einsum("lib,lib->lb", S_l, U[:, some], out=D_l)
        D_l += armature[rows, None]
        a_l -= np.einsum("lib,lib->lb", S_l, p_l[:, some])
        a_l /= D_l
        np.divide(U, D_l[:, None], out=W[rows])
        I_l -= W[rows, :, None] * U[:, None]
        p_l += U * a_l[:, None]
        if depth:
            p_l += np.einsum("lijb,ljb->lib", I_l, c[rows])
            _move(rx[rows], I_l, p_l)
            start = tree.levels[depth - 1].rows.start
            for row, above in enumerate(level.above):
                I[start + above] += I_l[row]
                p[start + above] += p_l[row]
    return W


def _accelerate(tree: Tree, S: Array, rx: Array, W: Array, c: Array, a: Array, gravity: Array) -> None:
    """Turn u / D into accelerations in ``a``: the outward pass. c becomes the bodies' accelerations."""
    for depth, level in enumerate(tree.levels):
        rows, some = level.rows, level.coordinates
        A, a_l = c[rows], a[rows]
        if depth:
            above = _sorted(c[tree.levels[depth - 1].rows], level.above)
            A += above
            A[:, 3:] -= np.einsum("lijb,ljb->lib", rx[rows], above[:, :3])
        else:
            A[:, 3:] -= gravity[:, None]
        a_l -= np.einsum("lib,lib->lb", W[rows], A)
        A[:, some] += S[rows, some] * a_l[:, None]


class _Bodies:
    """Spreads what belongs to bodies over nodes: (nb, ..., B) to (n, ..., B), zeros at a joint's other nodes."""

    def __init__(self, tree: Tree) -> None:
        """Find the first and the last node of each body."""
        self.n = tree.n
        self.first = [run.start for run in tree.nodes]
        self.last = [run.stop - 1 for run in tree.nodes]

    def at_first_node(self, x: Array) -> Array:
        """Return x at the first node of each body."""
        return self._at(self.first, x)

    def at_last_node(self, x: Array) -> Array:
        """Return x at the last node of each body."""
        return self._at(self.last, x)

    def _at(self, nodes: list[int], x: Array) -> Array:
        if self.n == len(nodes):
            return x
        spread = zeros(x, (self.n, *x.shape[1:]))
        spread[nodes] = x
        return spread


def _sorted(x: Array, order: Indices) -> Array:
    """Return x (n, ...) in another order; itself where that is the same order."""
    same = order.size == len(x) and bool(np.all(order == np.arange(order.size)))
    return x if same else np.take(x, order, axis=0)


def _unit_motions(tree: Tree, e: Array) -> Array:
    """Return the motion of each node about its body's origin, [e; 0] or [0; e], (n, 6, B)."""
    S = zeros(e, (tree.n, 6, e.shape[2]))
    turning = np.array(tree.angular, dtype=bool)
    S[turning, :3] = e[:, turning].swapaxes(0, 1)
    S[~turning, 3:] = e[:, ~turning].swapaxes(0, 1)
    return S


def _local_motion(tree: Tree, positions: Kinematics, motion: Velocities, v: Array) -> tuple[Array, Array]:
    """Return V (6, nb, B) and c = Σ Ṡ v (nb, 6, B) about each body's own origin."""
    V = motion.V.copy()
    V[3:] += cross(V[:3], positions.p)
    c = tree.sum_at_bodies(motion.S_dot * v)
    c[3:] += cross(c[:3], positions.p)
    return V, np.ascontiguousarray(c.swapaxes(0, 1))


def _rigid_inertia(own: Inertias) -> Array:
    """Return the 6×6 inertia of each body, [angular; linear], (nb, 6, 6, B)."""
    h, Sigma = own.h, own.Sigma
    I = zeros(Sigma, (h.shape[1], 6, 6, h.shape[2]))
    np.negative(Sigma.transpose(2, 0, 1, 3), out=I[:, :3, :3])
    size = trace(Sigma)
    for i in range(3):
        I[:, i, i] += size
        I[:, 3 + i, 3 + i] = own.m
        j, k = (i + 1) % 3, (i + 2) % 3
        I[:, j, 3 + i] = I[:, 3 + i, j] = h[k]  # [h] y = h × y
        I[:, k, 3 + i] = I[:, 3 + i, k] = -h[j]
    return I


def _velocity_force(own: Inertias, V: Array) -> Array:
    """Return V ×* I V, (nb, 6, B)."""
    L = momentum(own, V)
    w, v = V[:3], V[3:]
    p = empty(L, (V.shape[1], 6, V.shape[2]))
    p[:, :3] = (cross(w, L[:3]) + cross(v, L[3:])).swapaxes(0, 1)
    p[:, 3:] = cross(w, L[3:]).swapaxes(0, 1)
    return p


def _skew(r: Array) -> Array:
    """Return [r], (nb, 3, 3, B)."""
    rx = zeros(r, (r.shape[1], 3, 3, r.shape[2]))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        rx[:, k, j] = r[i]
        np.negative(r[i], out=rx[:, j, k])
    return rx


def _move(rx: Array, I: Array, p: Array) -> None:
    """Refer I (l, 6, 6, B) and p (l, 6, B) to points -r away, in place: Xᵀ I X with X = [[1, 0], [-[r], 1]]."""
    I[:, :3] += np.einsum("lijb,ljkb->likb", rx, I[:, 3:])
    I[:, :3, :3] -= np.einsum("lijb,ljkb->likb", I[:, :3, 3:], rx)
    I[:, 3:, :3] = I[:, :3, 3:].swapaxes(1, 2)
    p[:, :3] += np.einsum("lijb,ljb->lib", rx, p[:, 3:])
