"""An MJCF robot in the shape of a URDF: the same links, motion and inertia, in the words that URDF has.

A body with several joints becomes a chain of massless links; a joint away from its body's origin gets a fixed joint
behind it; welded roots hang on a massless link ``world``. The free joint of the only root becomes a floating base.
Numbers stay as written where nothing had to be computed; computed ones are right to the rounding of doubles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from robodyn_check.errors import TranslationError
from robodyn_check.model.mjcf_rotations import UNIT, Rows, composed, matrix
from robodyn_check.model.mjcf_values import NOWHERE, made
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Inertial, Joint, JointKind, Limits, Link, Number, Pose, RobotModel, Rotation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WORLD = "world"
#: URDF demands effort and velocity limits, and a range for a sliding joint, where MJCF has none: nothing reaches this.
FAR = made(1e9, None)
_IDENTITY = Pose(xyz=NOWHERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class UrdfShape:
    """A robot whose every part URDF can say, its base, and sentences about what was done."""

    robot: RobotModel
    base: Literal["fixed", "floating"] = "fixed"
    notes: tuple[str, ...] = ()


def as_urdf(robot: RobotModel) -> UrdfShape:
    """Return a robot in the shape of a URDF; one that came from URDF as it is.

    Args:
        robot: From URDF or MJCF.

    Raises:
        TranslationError: URDF cannot say something that the robot has; the message names the element.
    """
    if robot.format == "urdf":
        return UrdfShape(robot=robot)
    for joint in robot.joints:
        _refuse(robot, joint)
    roots = [joint for joint in robot.joints if joint.parent is None]
    free = [joint for joint in robot.joints if joint.kind == "floating"]
    if free and len(roots) > 1:
        raise _cannot(robot, free[0], "is free beside other bodies of the worldbody", "one robot with one root")
    links = [replace(link, inertial=_inertial(link.inertial)) for link in robot.links]
    last_of = {joint.child: index for index, joint in enumerate(robot.joints)}
    chain = _Chain(last_of=last_of)
    for index, joint in enumerate(robot.joints):
        if joint.kind != "floating":
            chain.add(index, joint)
    if not free:
        links.insert(0, Link(name=WORLD, line=None))
    links.extend(Link(name=name, line=None) for name in chain.made_links)
    urdf = replace(
        robot,
        name=robot.name or "robot",
        format="urdf",
        links=tuple(links),
        joints=tuple(chain.joints),
        gravity=None,
        outside=(),
    )
    return UrdfShape(robot=urdf, base="floating" if free else "fixed", notes=tuple(_notes(robot, free, chain)))


def _refuse(robot: RobotModel, joint: Joint) -> None:
    """Raise where URDF has no word for what a joint is or carries."""
    if joint.kind == "ball":
        raise _cannot(robot, joint, "is a ball joint", "revolute, prismatic, planar and floating joints")
    if joint.armature is not None and joint.armature.value != 0:
        raise _cannot(robot, joint, f"has armature {joint.armature.text}", "no rotor inertia")
    if joint.reference is not None and joint.reference.value != 0:
        raise _cannot(robot, joint, f"has ref {joint.reference.text}", "joints whose zero is where the file draws them")


def _cannot(robot: RobotModel, joint: Joint, what: str, urdf_knows: str) -> TranslationError:
    place = robot.path if joint.line is None else f"{robot.path}:{joint.line}"
    return TranslationError(f"{place}: joint {quoted(joint.name)} {what}; URDF knows {urdf_knows}")


class _Chain:
    """The joints of a URDF, and the massless links between the joints of one body."""

    def __init__(self, *, last_of: dict[str, int]) -> None:
        self.joints: list[Joint] = []
        self.made_links: list[str] = []
        self._last_of = last_of
        self._pending: dict[str, tuple[str, Pose | None]] = {}

    def add(self, index: int, joint: Joint) -> None:
        """Append one joint of an MJCF body, and a fixed one where the body's frame is not at its last joint."""
        last = self._last_of[joint.child] == index
        stacked = joint.parent == joint.child
        parent, before = self._pending[joint.child] if stacked else (joint.parent or WORLD, None)
        poses = joint.placements if before is None else (before, *joint.placements)
        after = joint.child_placement
        child = joint.child if last and after is None else f"{joint.child}/after/{joint.name}"
        kind, limits = _kind(joint)
        self.joints.append(
            replace(
                joint,
                kind=kind,
                parent=parent,
                child=child,
                placements=(_joined(poses),),
                child_placement=None,
                limits=limits,
                stiffness=None,
                armature=None,
                reference=None,
            )
        )
        if child != joint.child:
            self.made_links.append(child)
        self._pending[joint.child] = (child, after)
        if last and after is not None:
            name = f"{joint.child}/anchor"
            weld = Joint(name=name, kind="fixed", line=joint.line, parent=child, child=joint.child)
            self.joints.append(replace(weld, placements=(_joined((after,)),)))


def _kind(joint: Joint) -> tuple[JointKind, Limits | None]:
    """Return URDF's kind and limits, in radians; a hinge without limits is continuous."""
    if joint.kind not in {"revolute", "prismatic"}:
        return joint.kind, None
    if joint.limits is None:
        if joint.kind == "revolute":
            return "continuous", None
        return joint.kind, Limits(lower=made(-FAR.value, None), upper=FAR, effort=FAR, velocity=FAR)
    lower, upper = _in_radians(joint.limits.lower), _in_radians(joint.limits.upper)
    return joint.kind, Limits(lower=lower, upper=upper, effort=FAR, velocity=FAR, line=joint.limits.line)


def _in_radians(number: Number | None) -> Number | None:
    if number is None or not number.degrees:
        return number
    return made(math.radians(number.value), number.line)


def _joined(poses: Sequence[Pose]) -> Pose:
    """Return the product of poses with roll, pitch and yaw; a single one without rotation as written."""
    if not poses:
        return _IDENTITY
    line = poses[0].line
    if len(poses) == 1 and poses[0].rotation is None:
        return poses[0]
    rows, point = composed(poses)
    x, y, z = (made(value, line) for value in point)
    xyz = poses[0].xyz if len(poses) == 1 else (x, y, z)
    return Pose(xyz=xyz, rotation=_rpy(rows, line), line=line)


def _inertial(inertial: Inertial | None) -> Inertial | None:
    if inertial is None or inertial.origin.rotation is None:
        return inertial
    turn = _rpy(matrix(inertial.origin.rotation), inertial.origin.line)
    return replace(inertial, origin=replace(inertial.origin, rotation=turn))


def _rpy(rows: Rows, line: int | None) -> Rotation | None:
    """Return R = Rz(yaw) Ry(pitch) Rx(roll), None for the identity.

    Roll is solved for with the yaw that was chosen, so the product gives R back to rounding at the poles too, where
    yaw alone has no meaning.
    """
    if rows == UNIT:
        return None
    (a, b, c), (d, e, f), (g, _, _) = rows
    yaw = math.atan2(d, a)
    cos, sin = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-g, cos * a + sin * d)
    roll = math.atan2(sin * c - cos * f, cos * e - sin * b)
    return Rotation(kind="rpy", numbers=tuple(made(value, line) for value in (roll, pitch, yaw)))


def _notes(robot: RobotModel, free: list[Joint], chain: _Chain) -> Iterable[str]:
    if free:
        yield f"the free joint {quoted(free[0].name)} becomes the floating base; its initial pose is not written"
    if chain.made_links:
        count = len(chain.made_links)
        yield f"{count} massless link{'s stand' if count > 1 else ' stands'} between the joints of one body"
    if robot.gravity is not None:
        yield "URDF has no gravity; the file's is handed over when the robot is loaded"
    if robot.outside:
        count = len(robot.outside)
        what = "1 element" if count == 1 else f"{count} elements"
        yield f"{what} outside the smooth rigid-body model {'is' if count == 1 else 'are'} not written"
