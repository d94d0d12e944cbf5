"""A robot as the bodies of an MJCF: which link is a body, what it hangs on, which joints stand on it.

MuJoCo refuses a massless body that moves. A massless link with exactly one child, both moved by joints of one
coordinate or planar, therefore is no body: its joint stands on the child's body in front of the child's own, which is
the same motion. Its name is in ``folded``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from robodyn_check.errors import TranslationError
from robodyn_check.model.mjcf_rotations import UNIT, composed
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Joint, Link
from robodyn_check.quantities import FLOATING_BASE

if TYPE_CHECKING:
    from robodyn_check.model.robot import Pose, RobotModel

#: Degrees of freedom of the joints that may share a body, in any order.
_STACKABLE = {"revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3}
#: MuJoCo lets one body have so many.
_MOST_ON_A_BODY = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body: its link, the link whose body it hangs on (None: the world), its joints in order, fixed ones too."""

    link: Link
    parent: str | None
    joints: tuple[Joint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyTree:
    """The bodies by the link they hang on, in file order, and the links that are no body."""

    children: dict[str | None, list[Body]]
    folded: tuple[str, ...]


def build_tree(robot: RobotModel, *, floating: bool) -> BodyTree:
    """Arrange links and joints as bodies.

    Args:
        robot: From URDF or MJCF.
        floating: Give the one root link a free joint.

    Raises:
        TranslationError: A floating base is asked of several roots, or a free joint is not at the top level.
    """
    joints = robot.joints
    roots = robot.root_links()
    if floating:
        if len(roots) != 1:
            raise TranslationError(f"{robot.path}: a floating base needs one root link, there are {len(roots)}")
        base = Joint(name=FLOATING_BASE, kind="floating", line=None, parent=None, child=roots[0])
        joints = (replace(base, origin_is_absolute=True), *joints)
    moved: dict[str, list[Joint]] = {}
    for joint in joints:
        moved.setdefault(joint.child, []).append(joint)
    below: dict[str | None, list[str]] = {}
    for link in robot.links:
        own = moved.get(link.name)
        below.setdefault(own[0].parent if own else None, []).append(link.name)
    folded = _folded(robot, moved, below)
    children: dict[str | None, list[Body]] = {}
    for link in robot.links:
        if link.name in folded:
            continue
        stack = tuple(moved.get(link.name, ()))
        while stack and stack[0].parent in folded:
            stack = (*moved[stack[0].parent or ""], *stack)
        parent = stack[0].parent if stack else None
        if parent is not None and any(joint.kind == "floating" for joint in stack):
            _check_top_level(robot, stack, moved)
            parent = None
        children.setdefault(parent, []).append(Body(link=link, parent=parent, joints=stack))
    return BodyTree(children=children, folded=tuple(link.name for link in robot.links if link.name in folded))


def _folded(robot: RobotModel, moved: dict[str, list[Joint]], below: dict[str | None, list[str]]) -> set[str]:
    """Return the links that need no body: massless, moved, and with exactly one child that moves against them."""
    links = {link.name: link for link in robot.links}
    folded: set[str] = set()
    waiting = [(name, 0) for name in below.get(None, ())]
    while waiting:
        name, carried = waiting.pop()
        own, children = moved.get(name, []), below.get(name, [])
        here = carried + sum(_STACKABLE.get(joint.kind, _MOST_ON_A_BODY) for joint in own)
        folds = False
        if own and massless(links[name]) and len(children) == 1:
            together = [*own, *moved[children[0]]]
            total = here + sum(_STACKABLE.get(joint.kind, _MOST_ON_A_BODY) for joint in moved[children[0]])
            folds = total <= _MOST_ON_A_BODY and all(joint.kind in _STACKABLE for joint in together)
        if folds:
            folded.add(name)
        waiting.extend((child, here if folds else 0) for child in children)
    return folded


def massless(link: Link) -> bool:
    """Return whether a link has neither mass nor inertia."""
    inertial = link.inertial
    return inertial is None or all(entry.value == 0 for entry in (inertial.mass, *inertial.inertia))


def _check_top_level(robot: RobotModel, stack: tuple[Joint, ...], moved: dict[str, list[Joint]]) -> None:
    """Refuse a free joint below a link, unless that link stands still in the world's own frame."""
    free = next(joint for joint in stack if joint.kind == "floating")
    chain: list[Joint] = []
    link: str | None = stack[0].parent
    while link is not None and moved.get(link):
        chain[:0] = moved[link]
        link = moved[link][0].parent
    poses = [pose for joint in (*chain, *stack) for pose in (*joint.placements, *_after(joint))]
    if len(stack) > 1 or any(joint.kind != "fixed" for joint in chain) or composed(poses) != (UNIT, (0.0, 0.0, 0.0)):
        place = robot.path if free.line is None else f"{robot.path}:{free.line}"
        raise TranslationError(
            f"{place}: joint {quoted(free.name)} is floating below link {quoted(free.parent or '')}; MJCF knows free "
            "joints in the world's frame only"
        )


def _after(joint: Joint) -> tuple[Pose, ...]:
    return () if joint.child_placement is None else (joint.child_placement,)
