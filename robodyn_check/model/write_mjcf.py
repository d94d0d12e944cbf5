"""RobotModel -> MJCF: bodies, joints, explicit inertials and gravity; nothing else, so nothing else can act.

No shapes, limits, damping or friction are written: MuJoCo would turn them into forces. A planar joint becomes two
slides and a hinge with the names that MuJoCo's own URDF reader gives (``_TX``, ``_TY``, ``_RZ``).

MuJoCo demands mass and inertia on every body that moves (its own, or that of bodies welded to it). A massless link with
one moving child needs no body, see `model.mjcf_tree`. Any other massless moving link is written as it is, and MuJoCo
refuses it: no mass is made up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from robodyn_check.model.mjcf_tree import Body, BodyTree, build_tree
from robodyn_check.model.mjcf_words import body_pose, inertial_lines, joint_lines
from robodyn_check.model.quote import listed, quoted
from robodyn_check.model.translation import Translation, tag, text_of
from robodyn_check.quantities import STANDARD_GRAVITY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.robot import Number, RobotModel

_WORLD = "world"


def write_mjcf(robot: RobotModel, *, base: Literal["fixed", "floating"] = "fixed") -> Translation:
    """Write a robot as MJCF.

    Args:
        robot: From URDF or MJCF.
        base: For a URDF: weld its root link to the world, or give it the free joint `FLOATING_BASE`.

    Returns:
        The text. Its base is written in it, so nothing has to be added when it is loaded.

    Raises:
        TranslationError: MJCF cannot say something that the robot has; the message names the element.
    """
    tree = build_tree(robot, floating=base == "floating" and robot.format == "urdf")
    names = _names(robot, tree)
    gravity: tuple[Number | float, ...] = robot.gravity or STANDARD_GRAVITY
    inside = [
        *tag("compiler", {"angle": "radian"}),
        *tag("option", {"gravity": text_of(gravity)}),
        *tag("worldbody", {}, inside=_bodies(tree, names)),
    ]
    lines = tag("mujoco", {"model": robot.name}, inside=inside, indent=0)
    roots = tree.children.get(None, [])
    free = any(joint.kind == "floating" for body in roots for joint in body.joints)
    return Translation(
        text="\n".join(lines) + "\n",
        base="floating" if free else "fixed",
        notes=tuple(_notes(robot, tree, names)),
    )


def _bodies(tree: BodyTree, names: dict[str, str]) -> list[str]:
    """Return the elements of all bodies, depth first, without recursion."""
    lines: list[str] = []
    waiting: list[tuple[Body | str, int]] = [(body, 2) for body in reversed(tree.children.get(None, []))]
    while waiting:
        body, indent = waiting.pop()
        if isinstance(body, str):
            lines.append(body)
            continue
        below = reversed(tree.children.get(body.link.name, []))
        if _is_world(body):
            waiting.extend((child, indent) for child in below)
            continue
        attributes = {"name": names[body.link.name], **body_pose(body.joints)}
        opening, *content, closing = tag(
            "body",
            attributes,
            inside=[
                *joint_lines(body.joints, indent=indent + 1),
                *inertial_lines(body.link.inertial, indent=indent + 1),
                "",  # a body is written with an end tag even where nothing is in it
            ],
            indent=indent,
        )
        lines.extend((opening, *content[:-1]))
        waiting.append((closing, indent))
        waiting.extend((child, indent + 1) for child in below)
    return lines


def _is_world(body: Body) -> bool:
    """Return whether a link is the world's body itself: a root without mass or joint, called as MuJoCo calls that."""
    return body.link.name == _WORLD and body.parent is None and not body.joints and body.link.inertial is None


def _names(robot: RobotModel, tree: BodyTree) -> dict[str, str]:
    """Return each link's name as a body: its own, but for a body that would be called as the world is."""
    names = {link.name: link.name for link in robot.links}
    world = next((body for bodies in tree.children.values() for body in bodies if body.link.name == _WORLD), None)
    if world is not None and not _is_world(world):
        new = f"{_WORLD}_link"
        while new in names:
            new += "_"
        names[_WORLD] = new
    return names


def _notes(robot: RobotModel, tree: BodyTree, names: dict[str, str]) -> Iterator[str]:
    if tree.folded:
        which = listed(list(tree.folded))
        yield f"massless links are no bodies here, since MuJoCo refuses those; their joints move the next body: {which}"
    if names.get(_WORLD, _WORLD) != _WORLD:
        yield f"link 'world' is called {quoted(names[_WORLD])}: MuJoCo keeps that name for itself"
    mimics = [joint.name for joint in robot.joints if joint.mimic is not None]
    if mimics:
        yield f"joints that mimic another keep their own coordinate: {listed(mimics)}"
    if any(part is not None for joint in robot.joints for part in (joint.damping, joint.friction, joint.limits)):
        yield "limits, damping and friction are not written"
