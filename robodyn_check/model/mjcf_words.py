"""The words of MJCF for a body's placement, its joints and its inertial.

Numbers stay as written where nothing had to be computed. A rotated inertia with products is turned into the body's
axes, since MJCF's full inertia has no orientation; every other rotation becomes a quaternion.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_rotations import (
    UNIT,
    Rows,
    Vector,
    composed,
    matrix,
    product,
    quaternion,
    smallest_turn,
    transposed,
    turned,
)
from robodyn_check.model.translation import tag, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.robot import Inertial, Joint, Number, Pose, Rotation

_TYPES = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide", "ball": "ball"}
Frame = tuple[Rows, Vector]


def body_pose(joints: Sequence[Joint]) -> dict[str, str | None]:
    """Return ``pos`` and ``quat`` of the body that joints move, at zero motion."""
    poses = _chain(joints)
    moving = [pose for pose in poses if not _nothing(pose)]
    if not moving:
        return {}
    if len(moving) == 1:
        return {"pos": text_of(moving[0].xyz), "quat": _quat(moving[0].rotation)}
    rows, point = composed(moving)
    return {"pos": text_of(point), "quat": None if rows == UNIT else text_of(quaternion(rows))}


def joint_lines(joints: Sequence[Joint], *, indent: int) -> list[str]:
    """Return the elements of the joints of one body, in order; fixed ones are in the body's pose."""
    whole = composed(_chain(joints))
    lines: list[str] = []
    for index, joint in enumerate(joints):
        if joint.kind == "fixed":
            continue
        alone = len(joints) == 1 and joint.child_placement is None
        before = [*_chain(joints[:index]), *joint.placements]
        frame = (UNIT, (0.0, 0.0, 0.0)) if alone else _seen_from(whole, composed(before))
        lines.extend(_joint(joint, frame, indent=indent))
    return lines


def inertial_lines(inertial: Inertial | None, *, indent: int) -> list[str]:
    """Return the ``<inertial>``; none for a link without one."""
    if inertial is None:
        return []
    xx, xy, xz, yy, yz, zz = inertial.inertia
    attributes: dict[str, str | None] = {"pos": text_of(inertial.origin.xyz), "mass": inertial.mass.text}
    rotation = inertial.origin.rotation
    if all(entry.value == 0 for entry in (xy, xz, yz)):
        attributes["quat"] = _quat(rotation)
        attributes["diaginertia"] = text_of((xx, yy, zz))
    elif rotation is None or matrix(rotation) == UNIT:
        attributes["fullinertia"] = text_of((xx, yy, zz, xy, xz, yz))
    else:
        rows = matrix(rotation)
        values = (
            (xx.value, xy.value, xz.value),
            (xy.value, yy.value, yz.value),
            (xz.value, yz.value, zz.value),
        )
        (a, b, c), (_, d, e), (_, _, f) = product(product(rows, values), transposed(rows))
        attributes["fullinertia"] = text_of((a, d, f, b, c, e))
    return tag("inertial", attributes, indent=indent)


def _chain(joints: Sequence[Joint]) -> list[Pose]:
    """Return all poses from the parent body to the body, at zero motion."""
    poses: list[Pose] = []
    for joint in joints:
        poses.extend(joint.placements)
        if joint.child_placement is not None:
            poses.append(joint.child_placement)
    return poses


def _nothing(pose: Pose) -> bool:
    return all(entry.value == 0 for entry in pose.xyz) and (pose.rotation is None or matrix(pose.rotation) == UNIT)


def _quat(rotation: Rotation | None) -> str | None:
    if rotation is None:
        return None
    if rotation.kind == "quaternion":
        return text_of(rotation.numbers)
    rows = matrix(rotation)
    return None if rows == UNIT else text_of(quaternion(rows))


def _seen_from(body: Frame, frame: Frame) -> Frame:
    """Return a frame as seen from the body, both given in the parent body."""
    back = transposed(body[0])
    offset = [a - b for a, b in zip(frame[1], body[1], strict=True)]
    return product(back, frame[0]), turned(back, offset)


def _joint(joint: Joint, frame: Frame, *, indent: int) -> list[str]:
    rows, point = frame
    place = None if point == (0.0, 0.0, 0.0) else text_of(point)
    armature = None if joint.armature is None or joint.armature.value == 0 else joint.armature.text
    if joint.kind == "floating":
        if armature is None:
            return tag("freejoint", {"name": joint.name}, indent=indent)
        return tag("joint", {"name": joint.name, "type": "free", "armature": armature}, indent=indent)
    if joint.kind == "planar":
        return _planar(joint, rows, place, armature, indent=indent)
    axis = None if joint.axis is None or joint.kind == "ball" else _axis(joint.axis, rows)
    reference = None if joint.reference is None else text_of([_radians(joint.reference)])
    attributes = {
        "name": joint.name,
        "type": _TYPES[joint.kind],
        "axis": axis,
        "pos": place,
        "ref": reference,
        "armature": armature,
    }
    return tag("joint", attributes, indent=indent)


def _planar(joint: Joint, rows: Rows, place: str | None, armature: str | None, *, indent: int) -> list[str]:
    """Return x, y and angle as three joints; the plane's axes are those of the smallest turn of z to the normal."""
    assert joint.axis is not None  # a planar joint has its normal
    x, y, z = transposed(product(rows, smallest_turn([entry.value for entry in joint.axis])))
    parts = (("_TX", "slide", x), ("_TY", "slide", y), ("_RZ", "hinge", z))
    lines: list[str] = []
    for suffix, kind, axis in parts:
        attributes = {"name": joint.name + suffix, "type": kind, "axis": text_of(axis), "pos": place}
        lines.extend(tag("joint", {**attributes, "armature": armature}, indent=indent))
    return lines


def _axis(axis: tuple[Number, Number, Number], rows: Rows) -> str:
    return text_of(axis) if rows == UNIT else text_of(turned(rows, [entry.value for entry in axis]))


def _radians(number: Number) -> float | Number:
    return math.radians(number.value) if number.degrees else number
