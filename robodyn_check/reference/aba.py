"""Forward dynamics by articulated bodies: a from q, v, tau without a mass matrix.

World axes, every body about its **own** origin, so that a small link far from the base keeps its digits; r leads from
the parent's origin to the body's. One node at a time, leaves first, with I^A and p^A of everything below:

    U = I^A S,  D = Sᵀ U + armature,  u = tau - Sᵀ p^A
    I^A ← I^A - U Uᵀ / D,  p^A ← p^A + U u / D          then, at the joint, p^A ← p^A + I^A c, both moved by r

and root first: a_k = (u - Uᵀ A) / D, A ← A + S a_k, from A = [0; -γ] at the world.

D is the articulated inertia that the node feels; where it is not positive, the acceleration is not defined.
Source: Featherstone (2008), table 7.1, a joint of several degrees of freedom taken one degree at a time.
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
    I, p = _rigid_inertia(own), _velocity_force(own, V)
    rx = _skew(positions.r)
    with np.errstate(all="ignore"):  # a node without inertia divides by zero; the caller sees it in D
        U, D, a = _eliminate(tree, positions.e, rx, I, p, c, tau - armature_force(tree, v))
        _accelerate(tree, positions.e, rx, c, U, a, gravity)
    return a, D


def _eliminate(tree: Tree, e: Array, rx: Array, I: Array, p: Array, c: Array, tau: Array) -> tuple[Array, Array, Array]:
    """Return U / D (n, 6, B), D (n, B), u / D (n, B): the inward pass. I and p are used up."""
    n, B = tau.shape
    W, D, a = empty(c, (n, 6, B)), empty(c, (n, B)), empty(c, (n, B))
    for body in range(len(tree.parent) - 1, -1, -1):
        I_b, p_b = I[body], p[body]
        for k in range(tree.nodes[body].stop - 1, tree.nodes[body].start - 1, -1):
            part = slice(0, 3) if tree.angular[k] else slice(3, 6)
            e_k = e[:, k]
            U = np.einsum("ijb,jb->ib", I_b[:, part], e_k)
            np.einsum("ib,ib->b", e_k, U[part], out=D[k])
            D[k] += tree.armature[k]
            np.subtract(tau[k], np.einsum("ib,ib->b", e_k, p_b[part]), out=a[k])
            a[k] /= D[k]
            np.divide(U, D[k], out=W[k])
            I_b -= W[k, :, None] * U
            p_b += U * a[k]
        parent = tree.parent[body]
        if parent >= 0:
            p_b += np.einsum("ijb,jb->ib", I_b, c[body])
            _move(rx[body], I_b, p_b)
            I[parent] += I_b
            p[parent] += p_b
    return W, D, a


def _accelerate(tree: Tree, e: Array, rx: Array, c: Array, W: Array, a: Array, gravity: Array) -> None:
    """Turn u / D into a (n, B), in place: the outward pass. c (nb, 6, B) becomes the accelerations."""
    for body, parent in enumerate(tree.parent):
        A = c[body]
        if parent < 0:
            A[3:] -= gravity[:, None]
        else:
            A += c[parent]
            A[3:] -= np.einsum("ijb,jb->ib", rx[body], c[parent, :3])
        for k in range(tree.nodes[body].start, tree.nodes[body].stop):
            a[k] -= np.einsum("ib,ib->b", W[k], A)
            A[0 if tree.angular[k] else 3 :][:3] += e[:, k] * a[k]


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
    """Refer I (6, 6, B) and p (6, B) to a point -r away, in place: Xᵀ I X with X = [[1, 0], [-[r], 1]]."""
    I[:3] += np.einsum("ijb,jkb->ikb", rx, I[3:])
    I[:3, :3] -= np.einsum("ijb,jkb->ikb", I[:3, 3:], rx)
    I[3:, :3] = I[:3, 3:].swapaxes(0, 1)
    p[:3] += np.einsum("ijb,jb->ib", rx, p[3:])
