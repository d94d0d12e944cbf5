"""Reading the attributes of MJCF: numbers, words, placements, with every fault recorded where it stands."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_schema import ATTRIBUTES, ROTATIONS
from robodyn_check.model.numbers import read_numbers
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Number, Pose, Rotation, RotationKind
from robodyn_check.model.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection

    from robodyn_check.model.mjcf_node import Node

ZERO = Number(text="0", value=0.0)
ONE = Number(text="1", value=1.0)
NOWHERE = (ZERO, ZERO, ZERO)
#: Stands in for a number that had a fault; the fault is raised before anyone can read it.
BAD = Number(text="", value=0.0)
#: Below this length MuJoCo calls an axis or a quaternion zero (mjMINVAL).
SMALLEST_LENGTH = 1e-15

_KINDS: dict[str, tuple[RotationKind, int]] = {
    "quat": ("quaternion", 4),
    "axisangle": ("axis_angle", 4),
    "euler": ("euler", 3),
    "xyaxes": ("xyaxes", 6),
    "zaxis": ("zaxis", 3),
}


def made(value: float, line: int | None) -> Number:
    """Return a computed double as a Number whose text gives it back exactly."""
    return Number(text=repr(value), value=value, line=line)


def numbers(
    node: Node, attribute: str, *, what: str, count: int | None, degrees: bool = False
) -> tuple[Number, ...] | None:
    """Return an attribute's numbers; None where it is absent, placeholders where it has a fault."""
    text = node.get(attribute)
    if text is None:
        return None
    read = read_numbers(
        text,
        count=count,
        line=node.own_line(attribute),
        what=f"{attribute} of {what}",
        faults=node.faults,
        degrees=degrees,
    )
    if read is None:
        return (BAD,) * (count or 1)
    if node.included_at is None:
        return read
    return tuple(replace(number, line=node.included_at) for number in read)


def number(node: Node, attribute: str, *, what: str, degrees: bool = False) -> Number | None:
    """Return an attribute as one number; see `numbers`."""
    read = numbers(node, attribute, what=what, count=1, degrees=degrees)
    return None if read is None else read[0]


def vector(node: Node, attribute: str, *, what: str) -> tuple[Number, Number, Number] | None:
    """Return an attribute as three numbers; see `numbers`."""
    read = numbers(node, attribute, what=what, count=3)
    return None if read is None else (read[0], read[1], read[2])


def word(node: Node, attribute: str, known: Collection[str], *, what: str) -> str | None:
    """Return an attribute that must be one of some words; None where it is absent or a fault."""
    text = node.get(attribute)
    if text is None or text in known:
        return text
    node.fault(f"{attribute}={quoted(text)} of {what} is not known. {suggestion(text, sorted(known))}", at=attribute)
    return None


def flag(node: Node, attribute: str, *, what: str) -> bool | None:
    """Return an attribute that is "true" or "false"."""
    text = word(node, attribute, ("true", "false"), what=what)
    return None if text is None else text == "true"


def check_attributes(node: Node, what: str, *, schema: str | None = None) -> None:
    """Record every attribute that MJCF does not know here."""
    known = ATTRIBUTES[schema or node.tag]
    for name in node.element.attributes:
        if name not in known and not name.startswith("xmlns"):
            node.fault(
                f"{what} has the attribute {quoted(name)}, which MJCF does not know. {suggestion(name, sorted(known))}",
                at=name,
                cause="unknown-attribute",
            )


def pose(node: Node, *, what: str, degrees: bool, eulerseq: str) -> Pose:
    """Return ``pos`` and the one orientation of a body, frame or inertial, as written."""
    xyz = vector(node, "pos", what=what)
    rotation = _rotation(node, what=what, degrees=degrees, eulerseq=eulerseq)
    return Pose(xyz=xyz or NOWHERE, rotation=rotation, line=node.line("pos"))


def stays(placement: Pose) -> bool:
    """Return True for a pose that, as written, moves nothing at all: no rotation, and three zeros."""
    return placement.rotation is None and all(entry.value == 0 for entry in placement.xyz)


def _rotation(node: Node, *, what: str, degrees: bool, eulerseq: str) -> Rotation | None:
    """Return the orientation; two of them, or one that has no direction, are faults."""
    given = [name for name in ROTATIONS if node.get(name) is not None]
    if not given:
        return None
    if len(given) > 1:
        node.fault(
            f"{what} has {' and '.join(given)}, expected one orientation; remove all but one",
            at=given[1],
            cause="several-orientations",
        )
        return None
    name = given[0]
    kind, count = _KINDS[name]
    read = numbers(node, name, what=what, count=count, degrees=degrees and name == "euler")
    if read is None or BAD in read:
        return None
    if name == "axisangle":
        read = (*read[:3], replace(read[3], degrees=degrees))
    if not _has_direction(name, [entry.value for entry in read]):
        node.fault(
            f"{name}={quoted(node.get(name) or '')} of {what} has no direction: a vector in it has length 0, or two "
            "are parallel",
            at=name,
            cause="zero-direction",
        )
    return Rotation(kind=kind, numbers=read, sequence=eulerseq if kind == "euler" else "")


def _has_direction(name: str, values: list[float]) -> bool:
    """Return whether every vector that gets normalised is long enough."""
    if name == "quat":
        return _length(values) > SMALLEST_LENGTH
    if name == "axisangle":
        return _length(values[:3]) > SMALLEST_LENGTH
    if name == "zaxis":
        return _length(values) > SMALLEST_LENGTH
    if name == "xyaxes":
        x, y = values[:3], values[3:]
        cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
        return _length(x) > SMALLEST_LENGTH and _length(cross) > SMALLEST_LENGTH
    return True


def _length(values: list[float]) -> float:
    return math.hypot(*values)
