"""Where everything is, how it moves, and which way each node moves it.

World axes throughout, spatial vectors about one reference point o per state: the floating base's origin where the robot
has one root and it floats (so that a far base costs no digits), else the world's origin. Motion vectors are
[angular; linear], a body b below its parent λ:

    R_b = R_λ X_b(q),   r_b = R_λ x_b(q),   p_b = p_λ + r_b
    S_k = [e; p_b × e] of a rotation about e,  [0; e] of a translation
    V_b = V_λ + Σ_k S_k v_k                       A_b = A_λ + Σ_k (S_k a_k + Ṡ_k v_k)
    Ṡ_k = V × S_k, V of the body in which S_k is constant

A quaternion enters as R(quaternion) / |quaternion|²: one that is not of unit length is normalised by this.

Source: Featherstone (2008), sections 2.5 to 2.8 and table 4.1, in world coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.model.rotations import from_quaternion
from robodyn_check.reference.arrays import apply, cross, empty, motion_cross, zeros
from robodyn_check.reference.tree import as_run

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kinematics:
    """Positions at B states."""

    R: Array  #: (3, 3, nb, B) world from body
    p: Array  #: (3, nb, B) body origins, from o
    r: Array  #: (3, nb, B) from the parent's origin (a root: from o) to the body's
    o: Array  #: (3, B) the reference point in the world
    e: Array  #: (3, n, B) unit axis of each node
    S: Array  #: (6, n, B) motion of each node about o, [angular; linear]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Velocities:
    """Velocities at B states, about o."""

    V: Array  #: (6, nb, B)
    S_dot: Array  #: (6, n, B)


def kinematics(tree: Tree, q: Array) -> Kinematics:
    """Return positions and node motions.

    Args:
        tree: The robot.
        q: Joint positions, (nq, B).
    """
    X, flat = _joint_transforms(tree, q)
    o = zeros(X, (3, q.shape[1]))
    if tree.floating >= 0:
        o = X[:, 3, tree.floating].copy()
        X[:, 3, tree.floating] = 0
    world = empty(X, X.shape)  # R and r side by side: (3, 4, nb, B)
    p = empty(X, (3, *X.shape[2:]))
    for body, parent in enumerate(tree.parent):
        if parent < 0:
            world[:, :, body] = X[:, :, body]
            p[:, body] = X[:, 3, body]
        else:
            np.einsum("ikb,kjb->ijb", world[:, :3, parent], X[:, :, body], out=world[:, :, body])
            np.add(p[:, parent], world[:, 3, body], out=p[:, body])
    R, r = world[:, :3], world[:, 3]
    e = _axes(tree, R, flat)
    return Kinematics(R=R, p=p, r=r, o=o, e=e, S=_motions(tree, p, e))


def velocities(tree: Tree, positions: Kinematics, v: Array) -> Velocities:
    """Return body velocities and the rates of the node motions; v: (n, B) in node order."""
    V = tree.prefix_sum(tree.sum_at_bodies(positions.S * v))
    carrier = tree.at_nodes(V)
    planar = [tree.nodes[body] for body, kind in enumerate(tree.kinds) if kind == "planar"]
    if planar:
        carrier = carrier.copy()
        for run in planar:  # the two translations are constant in the parent, whose ω lacks the plane's own turn
            turn = run.stop - 1
            carrier[:3, run.start : turn] -= (positions.e[:, turn] * v[turn])[:, None]
    return Velocities(V=V, S_dot=motion_cross(carrier, positions.S))


def accelerations(tree: Tree, positions: Kinematics, motion: Velocities, v: Array, a: Array, gravity: Array) -> Array:
    """Return spatial accelerations (6, nb, B) about o, with A = [0; -gravity] at the root.

    Args:
        tree: The robot.
        positions: From `kinematics`.
        motion: From `velocities`.
        v: Velocities, (n, B).
        a: Accelerations, (n, B).
        gravity: m/s², (3,).
    """
    A = positions.S * a
    A += motion.S_dot * v
    A = tree.sum_at_bodies(A)
    for body, parent in enumerate(tree.parent):
        if parent < 0:
            A[3:, body] -= gravity[:, None]
    return tree.prefix_sum(A)


def link_frames(tree: Tree, positions: Kinematics, links: slice = slice(None)) -> tuple[Array, Array]:
    """Return rotations (3, 3, nl, B) and origins (3, nl, B) from o, of all links (or some), welded ones included."""
    body, link_R, link_p = tree.link_body[links], tree.link_R[:, :, links], tree.link_p[:, links]
    if not tree.parent:
        R = np.broadcast_to(link_R[..., None], (3, 3, body.size, positions.o.shape[1]))
        return R, link_p[..., None] - positions.o[:, None]
    carrier = np.take(positions.R, body, axis=2)
    R = np.einsum("ijlb,jkl->iklb", carrier, link_R)
    p = np.einsum("ijlb,jl->ilb", carrier, link_p)
    p += np.take(positions.p, body, axis=1)
    welded = body < 0
    R[:, :, welded] = link_R[:, :, welded, None]
    p[:, welded] = link_p[:, welded, None] - positions.o[:, None]
    return R, p


def link_poses(tree: Tree, positions: Kinematics) -> Array:
    """Return world from link, [R | p]: (nl, 3, 4, B)."""
    R, p = link_frames(tree, positions)
    T = empty(R, (R.shape[2], 3, 4, R.shape[3]))
    T[:, :, :3] = R.transpose(2, 0, 1, 3)
    T[:, :, 3] = (p + positions.o[:, None]).transpose(1, 0, 2)
    return T


def _joint_transforms(tree: Tree, q: Array) -> tuple[Array, dict[int, Array]]:
    """Return parent from body [R | p] (3, 4, nb, B), and per planar body the angle's (cos, sin)."""
    shifted = q - tree.reference[:, None]
    nb, B = len(tree.parent), q.shape[1]
    X = empty(shifted, (3, 4, nb, B))
    X[:, 3] = tree.p_tree[..., None]
    flat: dict[int, Array] = {}
    turning = _indices(tree, ("revolute", "continuous"))
    if turning.size:
        bodies = as_run(turning)
        angle = shifted[as_run(np.array([tree.q[body].start for body in turning], dtype=np.intp))]
        c, s = np.cos(angle), np.sin(angle)
        _turn(X, tree.R_tree[:, :, bodies, None], bodies, c, s)
    sliding = _indices(tree, ("prismatic",))
    if sliding.size:
        bodies = as_run(sliding)
        length = shifted[as_run(np.array([tree.q[body].start for body in sliding], dtype=np.intp))]
        X[:, :3, bodies] = tree.R_tree[:, :, bodies, None]
        X[:, 3, bodies] += tree.R_tree[:, 2, bodies, None] * length
    for body, kind in enumerate(tree.kinds):
        own = shifted[tree.q[body]]
        Rt = tree.R_tree[:, :, body, None]
        if kind == "planar":
            flat[body] = np.stack([np.cos(own[2]), np.sin(own[2])])
            _turn(X, Rt[:, :, None], slice(body, body + 1), flat[body][0], flat[body][1])
            X[:, 3, body] += Rt[:, 0] * own[0] + Rt[:, 1] * own[1]
        elif kind in {"ball", "floating"}:
            x, y, z, w = own[-4:]
            X[:, :3, body] = np.einsum("ijb,jkb->ikb", Rt + zeros(own, (1, B)), from_quaternion(w, x, y, z))
            if kind == "floating":
                X[:, 3, body] += apply(Rt + zeros(own, (1, B)), own[:3])
    return X, flat


def _turn(X: Array, Rt: Array, bodies: Any, c: Array, s: Array) -> None:
    """Write R_tree Rz(θ) into X for some bodies; Rt: (3, 3, bodies, 1)."""
    X[:, 0, bodies] = Rt[:, 0] * c + Rt[:, 1] * s
    X[:, 1, bodies] = Rt[:, 1] * c - Rt[:, 0] * s
    X[:, 2, bodies] = Rt[:, 2]


def _axes(tree: Tree, R: Array, flat: dict[int, Array]) -> Array:
    """Return the unit axis of each node in world axes, (3, n, B)."""
    if tree.n == len(tree.parent):
        return R[:, 2]
    e = tree.at_nodes(R[:, 2]).copy()
    for body, kind in enumerate(tree.kinds):
        run = tree.nodes[body]
        if kind == "planar":
            c, s = flat[body]
            e[:, run.start] = R[:, 0, body] * c - R[:, 1, body] * s
            e[:, run.start + 1] = R[:, 0, body] * s + R[:, 1, body] * c
        elif kind in {"ball", "floating"}:
            for k in range(run.stop - run.start):
                e[:, run.start + k] = R[:, k % 3, body]
    return e


def _motions(tree: Tree, p: Array, e: Array) -> Array:
    """Return S, (6, n, B): [e; p × e] of rotations, [0; e] of translations."""
    S = empty(e, (6, *e.shape[1:]))
    S[:3] = e
    S[3:] = cross(tree.at_nodes(p), e)
    straight = [node for node, angular in enumerate(tree.angular) if not angular]
    if straight:
        S[:3, straight] = 0
        S[3:, straight] = e[:, straight]
    return S


def _indices(tree: Tree, kinds: tuple[str, ...]) -> npt.NDArray[np.intp]:
    """Return the bodies whose joint is one of ``kinds``."""
    return np.array([body for body, kind in enumerate(tree.kinds) if kind in kinds], dtype=np.intp)
