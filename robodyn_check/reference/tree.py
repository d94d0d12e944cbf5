"""The mechanism prepared for the algorithms: a tree of *nodes*, one per velocity coordinate.

A joint of several degrees of freedom is a row of nodes on the same body. Each node is a unit rotation or a unit
translation about an axis of its body, so that after kinematics.py no algorithm asks for the kind of a joint again.

Body frames are turned here so that the axis of each one-dof or planar joint is local z: with A the smallest rotation
that takes z to the axis, Rot(axis, θ) = A Rz(θ) Aᵀ, hence R_tree' = A_parentᵀ R_tree A and constants in the body frame
are multiplied by Aᵀ.

Order: nodes are in the order of v, and bodies in the order of their nodes, where that has parents before children (it
nearly always has); elsewhere bodies follow the mechanism's depth-first order and `order` says which v each node is.
The nodes (and links) below a node are given as runs of consecutive numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.model.rotations import smallest_to
from robodyn_check.reference.arrays import identity

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism

    Array = npt.NDArray[Any]
    Indices = npt.NDArray[np.intp]

Runs = tuple[slice, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Level:
    """The rotations or the translations of one depth, which an outward or inward pass does at once.

    ``nodes``: their numbers, as a slice where they are consecutive, ``above`` the node above each (empty at the roots),
    ``coordinates`` which of [angular; linear] their axes take up.
    """

    nodes: Any
    above: Indices
    coordinates: slice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """Topology and constants. Sizes: nb bodies, n nodes, nl links."""

    kinds: tuple[str, ...]  #: (nb,) joint kind of each body
    parent: tuple[int, ...]  #: (nb,) parent body, -1 the world
    nodes: tuple[slice, ...]  #: (nb,) nodes of each body
    q: tuple[slice, ...]  #: (nb,) coordinates of each body's joint
    names: tuple[str, ...]  #: (n,) joint name of each node
    angular: tuple[bool, ...]  #: (n,) rotation (True) or translation
    node_body: Indices  #: (n,)
    order: Indices | None  #: (n,) index into v of each node; None: the identity
    below: tuple[Runs, ...]  #: (n,) nodes below or equal to each node
    links_below: tuple[Runs, ...]  #: (n,) links carried by those nodes
    levels: tuple[Level, ...]  #: nodes by depth and kind
    floating: int  #: the only root body, where that is a floating joint's, else -1

    R_tree: Array  #: (3, 3, nb)
    p_tree: Array  #: (3, nb)
    reference: Array  #: (nq,)
    mass: Array  #: (nb,)
    h: Array  #: (3, nb) first moment in the body frame, m c
    Sigma: Array  #: (3, 3, nb) second moment about the body's origin, ∫ x xᵀ dm = ½ tr(I) 1 - I
    armature: Array  #: (n,)

    link_body: Indices  #: (nl,) -1 the world
    link_R: Array  #: (3, 3, nl)
    link_p: Array  #: (3, nl)
    link_mass: Array  #: (nl,)
    link_com: Array  #: (3, nl) in the link frame
    link_inertia: Array  #: (3, 3, nl) about the centre of mass, link axes

    @property
    def n(self) -> int:
        """Number of nodes."""
        return len(self.names)

    def at_nodes(self, bodies: Array) -> Array:
        """Return (..., n, B) from (..., nb, B): each node gets the value of its body."""
        return bodies if self.n == len(self.parent) else np.take(bodies, self.node_body, axis=-2)

    def sum_at_bodies(self, nodes: Array) -> Array:
        """Return (..., nb, B) from (..., n, B): the sum over the nodes of each body."""
        if self.n == len(self.parent):
            return nodes
        return np.add.reduceat(nodes, [run.start for run in self.nodes], axis=-2)

    def to_nodes(self, v: Array) -> Array:
        """Return v (nv, ...) in the order of the nodes."""
        return v if self.order is None else v[self.order]

    def from_nodes(self, x: Array, *axes: int) -> Array:
        """Return x with the node ``axes`` back in the order of v."""
        if self.order is not None:
            inverse = np.argsort(self.order)
            for axis in axes:
                x = np.take(x, inverse, axis=axis)
        return x

    def prefix_sum(self, x: Array) -> Array:
        """Add, in place, each body's parent to it, root first: x (..., nb, B) becomes the sum along the path."""
        for body, parent in enumerate(self.parent):
            if parent >= 0:
                x[..., body, :] += x[..., parent, :]
        return x

    def subtree_sum(self, x: Array) -> Array:
        """Add, in place, each body to its parent, leaves first: x (..., nb, B) becomes the sum over the subtree."""
        for body in range(len(self.parent) - 1, -1, -1):
            if (parent := self.parent[body]) >= 0:
                x[..., parent, :] += x[..., body, :]
        return x


@lru_cache(maxsize=16)
def build_tree(mechanism: Mechanism) -> Tree:
    """Prepare a mechanism for the algorithms; the last few are remembered (a mechanism never changes)."""
    joints = [mechanism.joints[index] for index in mechanism.body_joint]
    old, new = _body_order(mechanism)
    kinds = tuple(joints[body].kind for body in old)
    parent = tuple(-1 if mechanism.parent[body] < 0 else new[mechanism.parent[body]] for body in old)
    widths = [joints[body].v.stop - joints[body].v.start for body in old]
    stops = np.cumsum(widths, dtype=np.intp)
    nodes = tuple(slice(int(stop) - width, int(stop)) for stop, width in zip(stops, widths, strict=True))
    order = np.array([k for body in old for k in range(joints[body].v.start, joints[body].v.stop)], dtype=np.intp)
    below = _below(parent, nodes, [[] for _ in parent])
    carried: list[list[int]] = [[] for _ in parent]
    link_body = np.array([body if body < 0 else new[body] for body in mechanism.link_body], dtype=np.intp)
    for link, body in enumerate(link_body):
        if body >= 0:
            carried[body].append(link)
    links_below = _below(parent, None, carried)
    roots = [body for body, above in enumerate(parent) if above < 0]

    A = _axis_rotations(mechanism.axis[:, old])  # (3, 3, nb)
    up = A[:, :, list(parent)] if parent else A
    one = identity(A)[:, :, None]
    up = np.where(np.array(parent) < 0, one, up)
    inertia = _turned(A, mechanism.inertia[:, :, old])
    held = link_body >= 0
    A_link = np.where(held, A[:, :, link_body] if parent else one, one)
    return Tree(
        kinds=kinds,
        parent=parent,
        nodes=nodes,
        q=tuple(joints[body].q for body in old),
        names=tuple(joints[body].name for body, width in zip(old, widths, strict=True) for _ in range(width)),
        angular=tuple(flag for kind in kinds for flag in _ANGULAR[kind]),
        node_body=np.repeat(np.arange(len(parent), dtype=np.intp), widths),
        order=None if bool(np.all(order == np.arange(order.size))) else order,
        below=tuple(run for body, width in enumerate(widths) for run in _from_node(below[body], nodes[body], width)),
        links_below=tuple(links_below[body] for body, width in enumerate(widths) for _ in range(width)),
        levels=_levels(parent, nodes, tuple(flag for kind in kinds for flag in _ANGULAR[kind])),
        floating=roots[0] if len(roots) == 1 and kinds[roots[0]] == "floating" else -1,
        R_tree=np.einsum("jin,jkn,kln->iln", up, mechanism.R_tree[:, :, old], A),
        p_tree=np.einsum("jin,jn->in", up, mechanism.p_tree[:, old]),
        reference=mechanism.reference,
        mass=mechanism.mass[old],
        h=np.einsum("jin,jn->in", A, mechanism.first_moment[:, old]),
        Sigma=np.einsum("iin->n", inertia) / 2 * one - inertia,
        armature=mechanism.armature[order],
        link_body=link_body,
        link_R=np.einsum("jin,jkn->ikn", A_link, mechanism.link_R),
        link_p=np.einsum("jin,jn->in", A_link, mechanism.link_p),
        link_mass=mechanism.link_mass,
        link_com=mechanism.link_com,
        link_inertia=mechanism.link_inertia,
    )


#: Rotation or translation, per velocity coordinate of each kind (design page, section 4).
_ANGULAR: dict[str, tuple[bool, ...]] = {
    "revolute": (True,),
    "continuous": (True,),
    "prismatic": (False,),
    "planar": (False, False, True),
    "ball": (True, True, True),
    "floating": (False, False, False, True, True, True),
}


def _body_order(mechanism: Mechanism) -> tuple[list[int], dict[int, int]]:
    """Return the bodies in the order used here, and where each went."""
    by_joint = sorted(range(mechanism.nb), key=lambda body: mechanism.body_joint[body])
    place = {body: index for index, body in enumerate(by_joint)}
    if any(above >= 0 and place[above] > place[body] for body, above in enumerate(mechanism.parent)):
        by_joint = list(range(mechanism.nb))
        place = {body: body for body in by_joint}
    return by_joint, place


def _below(parent: tuple[int, ...], nodes: tuple[slice, ...] | None, carried: list[list[int]]) -> list[Runs]:
    """Return per body the runs of numbers in its subtree: of its nodes, or of what it carries."""
    runs: list[list[tuple[int, int]]] = [[] for _ in parent]
    for body in range(len(parent) - 1, -1, -1):
        own = [(number, number + 1) for number in carried[body]]
        if nodes is not None:
            own.append((nodes[body].start, nodes[body].stop))
        runs[body] = _joined(own + runs[body])
        if parent[body] >= 0:
            runs[parent[body]].extend(runs[body])
    return [tuple(slice(start, stop) for start, stop in joined) for joined in runs]


def _levels(parent: tuple[int, ...], nodes: tuple[slice, ...], angular: tuple[bool, ...]) -> tuple[Level, ...]:
    """Return the nodes by depth and kind; the second and later nodes of a joint are one deeper than the one before."""
    above = [k - 1 for k in range(len(angular))]
    for body, run in enumerate(nodes):
        above[run.start] = -1 if parent[body] < 0 else nodes[parent[body]].stop - 1
    depth: list[int] = []
    members: dict[tuple[int, bool], list[int]] = {}
    for node, up in enumerate(above):
        depth.append(0 if up < 0 else depth[up] + 1)
        members.setdefault((depth[node], angular[node]), []).append(node)
    return tuple(
        Level(
            nodes=as_run(np.array(own, dtype=np.intp)),
            above=np.array([above[node] for node in own] if level else [], dtype=np.intp),
            coordinates=slice(0, 3) if turns else slice(3, 6),
        )
        for (level, turns), own in sorted(members.items())
    )


def as_run(indices: Indices) -> Any:
    """Return consecutive indices as a slice, which NumPy reads without a copy; others as they are."""
    if int(indices[-1] - indices[0]) == indices.size - 1 and bool(np.all(np.diff(indices) == 1)):
        return slice(int(indices[0]), int(indices[-1]) + 1)
    return indices


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return disjoint runs sorted, neighbours joined."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(runs):
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    return joined


def _from_node(runs: Runs, own: slice, width: int) -> list[Runs]:
    """Return the runs below each node of a body: the first run starts at the node itself."""
    assert runs[0].start == own.start
    return [(slice(own.start + k, runs[0].stop), *runs[1:]) for k in range(width)]


def _axis_rotations(axis: Array) -> Array:
    """Return the smallest rotations (3, 3, nb) that take z to each unit axis (3, nb); the identity for no axis."""
    A = np.zeros_like(axis, shape=(3, 3, axis.shape[1]))
    for body in range(axis.shape[1]):
        has_axis = any(bool(entry != 0) for entry in axis[:, body])
        A[:, :, body] = smallest_to(list(axis[:, body])) if has_axis else np.eye(3)
    return A


def _turned(A: Array, inertia: Array) -> Array:
    """Return Aᵀ I A per body."""
    turned: Array = np.einsum("jin,jkn,kln->iln", A, inertia, A)
    return turned
