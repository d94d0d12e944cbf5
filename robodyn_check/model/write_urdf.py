"""RobotModel -> URDF. A robot that came from URDF keeps the text of every number; one from MJCF is translated exactly.

Reading the output of a URDF robot gives the same RobotModel up to lines, path and hash, except for attributes that URDF
does not know, which are named in the notes. What URDF cannot say of an MJCF robot is refused (`model.as_urdf`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from robodyn_check.model.as_urdf import as_urdf
from robodyn_check.model.quote import quoted
from robodyn_check.model.translation import Translation, tag, text_of
from robodyn_check.model.xml import parse_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.robot import Element, Inertial, Joint, Link, Number, Pose, RobotModel, Shape

_PARTS = ("inertial", "mass", "inertia")
_PREFIX = re.compile(r"</?([A-Za-z_][\w.-]*):")
#: Elements of which there is one in a link or joint, so that an attribute that URDF does not know has its place.
_ATTRIBUTES_KEPT = frozenset(
    ("robot", "link", "inertial", "mass", "inertia", "joint", "parent", "child", "axis", "limit", "dynamics", "mimic")
)
_INERTIA = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def write_urdf(robot: RobotModel) -> Translation:
    """Write a robot as URDF.

    Args:
        robot: From URDF or MJCF.

    Returns:
        The text; base "floating" where the only root of an MJCF has a free joint, which the loader must add.

    Raises:
        TranslationError: URDF cannot say something that the robot has; the message names the element.
    """
    described = as_urdf(robot)
    urdf = described.robot
    inner, outer, lost = _sorted_extensions(urdf)
    root: dict[str, str | None] = {"name": urdf.name or "robot"}
    root |= dict(inner.attributes("robot", None))
    root |= {f"xmlns:{prefix}": prefix for prefix in _prefixes(urdf)}
    body: list[str] = []
    for link in urdf.links:
        body.extend(_link(link, inner))
    for joint in urdf.joints:
        body.extend(_joint(joint, inner))
    body.extend(f" {element.text}" for element in outer)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', *tag("robot", root, inside=body, indent=0)]
    notes = (*described.notes, *(f"attribute {quoted(element.tag)} is not written" for element in lost))
    return Translation(text="\n".join(lines) + "\n", base=described.base, notes=notes)


class _Inner:
    """Extension elements and attributes by the link or joint they stand in."""

    def __init__(self) -> None:
        self.elements: dict[tuple[str, str | None], list[Element]] = {}

    def add(self, kind: str, element: Element) -> None:
        self.elements.setdefault((kind, element.owner), []).append(element)

    def attributes(self, kind: str, owner: str | None) -> Iterator[tuple[str, str]]:
        for element in self.elements.get((kind, owner), ()):
            if "@" in element.tag and not element.text.startswith("<"):
                yield element.tag.partition("@")[2], element.text

    def lines(self, kind: str, owner: str) -> list[str]:
        return [f"  {element.text}" for element in self.elements.get((kind, owner), ()) if element.text.startswith("<")]


def _sorted_extensions(robot: RobotModel) -> tuple[_Inner, list[Element], list[Element]]:
    """Return extensions inside links and joints, those beside them, and attributes whose place is not kept."""
    links, joints = {link.name for link in robot.links}, {joint.name for joint in robot.joints}
    inner, outer, lost = _Inner(), [], []
    for element in robot.extensions:
        if "@" in element.tag and not element.text.startswith("<"):
            place = element.tag.partition("@")[0]
            if place in _ATTRIBUTES_KEPT:
                inner.add(place, element)
            else:
                lost.append(element)
        elif element.owner is None or _stands_beside(element):
            outer.append(element)
        elif element.owner in joints:
            inner.add("joint", element)
        elif element.owner in links:
            inner.add("link", element)
        else:
            outer.append(element)
    return inner, outer, lost


def _prefixes(robot: RobotModel) -> list[str]:
    """Return the prefixes of extension elements; strict XML readers want each declared."""
    found = {prefix for element in robot.extensions for prefix in _PREFIX.findall(element.text)}
    return sorted(found - {"xml", "xmlns"})


def _stands_beside(element: Element) -> bool:
    """Return whether the element itself names its owner, as a transmission or a gazebo element does."""
    node = parse_xml(element.text.encode(), element.tag)
    joint = node.first("joint")
    return element.owner in {node.get("reference"), None if joint is None else joint.get("name")}


def _link(link: Link, inner: _Inner) -> list[str]:
    inside: list[str] = []
    if link.inertial is not None:
        inside.extend(_inertial(link.inertial, {part: dict(inner.attributes(part, link.name)) for part in _PARTS}))
    for shape in link.shapes:
        inside.extend(_shape(shape))
    inside.extend(inner.lines("link", link.name))
    return tag("link", {"name": link.name, **dict(inner.attributes("link", link.name))}, inside=inside)


def _origin(pose: Pose, *, indent: int) -> list[str]:
    """Return an <origin>; none for the identity that the file did not write either."""
    unwritten = pose.line is None and pose.rotation is None
    if unwritten and all(entry.line is None and entry.value == 0 for entry in pose.xyz):
        return []
    rotation = None if pose.rotation is None else text_of(pose.rotation.numbers)
    return tag("origin", {"xyz": text_of(pose.xyz), "rpy": rotation}, indent=indent)


def _inertial(inertial: Inertial, extra: dict[str, dict[str, str]]) -> list[str]:
    inertia = {name: entry.text for name, entry in zip(_INERTIA, inertial.inertia, strict=True)}
    inside = [
        *_origin(inertial.origin, indent=3),
        *tag("mass", {"value": inertial.mass.text, **extra["mass"]}, indent=3),
        *tag("inertia", {**inertia, **extra["inertia"]}, indent=3),
    ]
    return tag("inertial", {**extra["inertial"]}, inside=inside, indent=2)


def _shape(shape: Shape) -> list[str]:
    sizes: dict[str, str | None] = {}
    match shape.kind:
        case "box":
            sizes = {"size": text_of(shape.sizes)}
        case "sphere":
            sizes = {"radius": text_of(shape.sizes)}
        case "cylinder" | "capsule":
            sizes = {"radius": shape.sizes[0].text, "length": shape.sizes[1].text}
    primitive = tag(shape.kind, {**sizes, "filename": shape.filename}, indent=4)
    inside = [*_origin(shape.origin, indent=3), *tag("geometry", {}, inside=primitive, indent=3)]
    return tag(shape.role, {}, inside=inside, indent=2)


def _joint(joint: Joint, inner: _Inner) -> list[str]:
    inside = [line for pose in joint.placements for line in _origin(pose, indent=2)]
    limits, mimic = joint.limits, joint.mimic
    parts: dict[str, dict[str, str | None]] = {
        "parent": {"link": joint.parent},
        "child": {"link": joint.child},
        "axis": {} if joint.axis is None else {"xyz": text_of(joint.axis)},
        "limit": {}
        if limits is None
        else _texts(lower=limits.lower, upper=limits.upper, effort=limits.effort, velocity=limits.velocity),
        "dynamics": _texts(damping=joint.damping, friction=joint.friction),
        "mimic": {}
        if mimic is None
        else {"joint": mimic.joint, "multiplier": mimic.multiplier.text, "offset": mimic.offset.text},
    }
    for part, known in parts.items():
        attributes = {**known, **dict(inner.attributes(part, joint.name))}
        if part == "axis" and attributes and "xyz" not in attributes:
            attributes["xyz"] = "1 0 0"  # the joint's kind has no axis, and its element stands in the file
        if attributes or (part == "limit" and limits is not None):
            inside += tag(part, attributes, indent=2)
    inside += inner.lines("joint", joint.name)
    own = {"name": joint.name, "type": joint.kind, **dict(inner.attributes("joint", joint.name))}
    return tag("joint", own, inside=inside)


def _texts(**numbers: Number | None) -> dict[str, str | None]:
    return {name: number.text for name, number in numbers.items() if number is not None}
