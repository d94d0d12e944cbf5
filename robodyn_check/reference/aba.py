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
from robodyn_check.reference.arrays import apply, cross, empty, trace, zeros
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
    with np.errstate(all="ignore"):  # a node without inertia divides by zero; the caller sees it in D
        U, D, u = _eliminate(tree, positions, own, V, c, tau - armature_force(tree, v))
        return _accelerations(tree, positions, c, U, D, u, gravity), D


def _eliminate(
    tree: Tree, positions: Kinematics, own: Inertias, V: Array, c: Array, tau: Array
) -> tuple[Array, Array, Array]:
    """Return U (6, n, B), D (n, B), u (n, B): the inward pass."""
    I_A, p_A = _rigid_inertia(own), _velocity_force(own, V)
    U, D, u = empty(V, (6, *tau.shape)), empty(tau * V[0, :1], tau.shape), empty(tau * V[0, :1], tau.shape)
    for body in range(len(tree.parent) - 1, -1, -1):
        I, p = I_A[:, :, body], p_A[:, body]
        for k in range(tree.nodes[body].stop - 1, tree.nodes[body].start - 1, -1):
            e = positions.e[:, k]
            part = slice(0, 3) if tree.angular[k] else slice(3, 6)
            np.einsum("ijb,jb->ib", I[:, part], e, out=U[:, k])
            D[k] = np.einsum("ib,ib->b", e, U[part, k]) + tree.armature[k]
            u[k] = tau[k] - np.einsum("ib,ib->b", e, p[part])
            scaled = U[:, k] / D[k]
            I -= scaled[:, None] * U[None, :, k]
            p += scaled * u[k]
        parent = tree.parent[body]
        if parent >= 0:
            p += apply(I, c[:, body])
            _move(positions.r[:, body], I, p)
            I_A[:, :, parent] += I
            p_A[:, parent] += p
    return U, D, u


def _accelerations(tree: Tree, positions: Kinematics, c: Array, U: Array, D: Array, u: Array, gravity: Array) -> Array:
    """Return a, (n, B): the outward pass."""
    A = empty(c, c.shape)
    a = empty(u, u.shape)
    for body, parent in enumerate(tree.parent):
        here = c[:, body].copy()
        if parent < 0:
            here[3:] -= gravity[:, None]
        else:
            here += A[:, parent]
            here[3:] += cross(A[:3, parent], positions.r[:, body])
        for k in range(tree.nodes[body].start, tree.nodes[body].stop):
            a[k] = (u[k] - np.einsum("ib,ib->b", U[:, k], here)) / D[k]
            part = slice(0, 3) if tree.angular[k] else slice(3, 6)
            here[part] += positions.e[:, k] * a[k]
        A[:, body] = here
    return a


def _local_motion(tree: Tree, positions: Kinematics, motion: Velocities, v: Array) -> tuple[Array, Array]:
    """Return V and c = Σ Ṡ v about each body's own origin, (6, nb, B)."""
    V = motion.V.copy()
    V[3:] += cross(V[:3], positions.p)
    c = tree.sum_at_bodies(motion.S_dot * v)
    c[3:] += cross(c[:3], positions.p)
    return V, c


def _rigid_inertia(own: Inertias) -> Array:
    """Return the 6×6 inertia of each body, [angular; linear], (6, 6, nb, B)."""
    h, Sigma = own.h, own.Sigma
    I = zeros(Sigma, (6, 6, *h.shape[1:]))
    np.negative(Sigma, out=I[:3, :3])
    size = trace(Sigma)
    for i in range(3):
        I[i, i] += size
        I[3 + i, 3 + i] = own.m
        j, k = (i + 1) % 3, (i + 2) % 3
        I[j, 3 + i] = I[3 + i, j] = h[k]  # [h] y = h × y
        I[k, 3 + i] = I[3 + i, k] = -h[j]
    return I


def _velocity_force(own: Inertias, V: Array) -> Array:
    """Return V ×* I V, (6, nb, B)."""
    L = momentum(own, V)
    w, v = V[:3], V[3:]
    p = empty(L, L.shape)
    p[:3] = cross(w, L[:3])
    p[:3] += cross(v, L[3:])
    p[3:] = cross(w, L[3:])
    return p


def _move(r: Array, I: Array, p: Array) -> None:
    """Refer I (6, 6, B) and p (6, B) to a point -r away, in place: X^T I X with X = [[1, 0], [-[r], 1]]."""
    H, J = I[:3, 3:], I[:3, :3]
    H += cross(r[:, None], I[3:, 3:])
    J += cross(r[:, None], I[3:, :3])
    J -= cross(H.swapaxes(0, 1), r[:, None]).swapaxes(0, 1)
    I[3:, :3] = H.swapaxes(0, 1)
    p[:3] += cross(r, p[3:])
