"""Simpler robots and states near a given one: links cut off, masses of 1, round angles, one joint moving.

Each step is small; whether it still fails is for the caller to find out. Plain edits of the robot as written.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.faults.in_inertials import number
from robodyn_check.model.robot import Pose, Rotation

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from robodyn_check.model.robot import Inertial, Joint, Number, RobotModel

    FloatArray = npt.NDArray[np.float64]
    State = dict[str, FloatArray]

_SINGLE = frozenset({"revolute", "continuous", "prismatic"})
#: Round values that a coordinate is tried at.
_ROUND = (0.0, 1.0, -1.0, 0.5)


def smaller(robot: RobotModel) -> Iterator[RobotModel]:
    """Yield the robot with less in it, the largest cuts first: a subtree, a joint welded, an inertial."""
    yield _bare(robot)
    for joint in robot.joints:
        cut = _without(robot, joint)
        if cut is not None:
            yield cut
    for joint in robot.joints:
        if joint.kind in _SINGLE:
            yield _with_joint(
                robot, joint.name, replace(joint, kind="fixed", axis=None, limits=None, mimic=None, armature=None)
            )
    for link in robot.links:
        if link.inertial is not None:
            yield replace(
                robot, links=tuple(replace(one, inertial=None) if one is link else one for one in robot.links)
            )


def rounder(robot: RobotModel) -> Iterator[RobotModel]:
    """Yield the robot with rounder numbers, one element at a time."""
    for joint in robot.joints:
        for placements in _round_placements(joint):
            yield _with_joint(robot, joint.name, replace(joint, placements=placements))
        if joint.axis is not None:
            for axis in ((0.0, 0.0, 1.0), _short(joint.axis)):
                x, y, z = (number(entry) for entry in axis)
                yield _with_joint(robot, joint.name, replace(joint, axis=(x, y, z)))
        if joint.damping is not None or joint.friction is not None:
            yield _with_joint(robot, joint.name, replace(joint, damping=None, friction=None))
        if joint.armature is not None:
            yield _with_joint(robot, joint.name, replace(joint, armature=None))
            yield _with_joint(robot, joint.name, replace(joint, armature=number(1.0)))
    for link in robot.links:
        if link.inertial is not None:
            for inertial in _round_inertials(link.inertial):
                links = (replace(one, inertial=inertial) if one is link else one for one in robot.links)
                yield replace(robot, links=tuple(links))


def round_states(state: State) -> Iterator[State]:
    """Yield states with one input zero altogether, then with one entry round."""
    for name, values in state.items():
        if name != "q" and values.any():
            yield {**state, name: np.zeros_like(values)}
    for name, values in state.items():
        for index in np.ndindex(values.shape):
            for value in (*_ROUND, round(float(values[index]), 1)):
                if values[index] == 0.0 or value == values[index]:
                    break
                changed = values.copy()
                changed[index] = value
                yield {**state, name: changed}


def cost(robot: RobotModel) -> int:
    """Return how long a robot is to read: what steps must make smaller."""
    numbers = [
        entry
        for joint in robot.joints
        for pose in joint.placements
        for entry in (*pose.xyz, *(pose.rotation.numbers if pose.rotation else ()))
    ]
    numbers += [entry for joint in robot.joints if joint.axis is not None for entry in joint.axis]
    numbers += [joint.armature for joint in robot.joints if joint.armature is not None]
    for link in robot.links:
        if link.inertial is not None:
            origin = link.inertial.origin
            numbers += [link.inertial.mass, *link.inertial.inertia, *origin.xyz]
            numbers += origin.rotation.numbers if origin.rotation is not None else ()
    moving = sum(joint.kind != "fixed" for joint in robot.joints)
    passive = sum(joint.damping is not None or joint.friction is not None for joint in robot.joints)
    parts = len(robot.joints) + moving + sum(link.inertial is not None for link in robot.links)
    beside = sum(len(link.shapes) for link in robot.links) + len(robot.extensions) + len(robot.outside) + passive
    return 20 * (parts + beside) + sum(_digits(entry.value) for entry in numbers)


def length(state: State) -> int:
    """Return how long the numbers of a state are."""
    return sum(_digits(float(entry)) for array in state.values() for entry in array)


def _digits(value: float) -> int:
    """Return the digits of a number: none of 0, one of 1; 2.5 is longer than 2."""
    return {0.0: 0, 1.0: 1, -1.0: 2}.get(value, len(repr(value)))


def _bare(robot: RobotModel) -> RobotModel:
    """Drop shapes, extensions and what is outside the rigid-body model."""
    return replace(
        robot, links=tuple(replace(link, shapes=()) for link in robot.links), extensions=(), outside=(), name="small"
    )


def _without(robot: RobotModel, joint: Joint) -> RobotModel | None:
    """Cut off a joint with everything behind it; None where a mimic joint would lose its master."""
    gone, links = {joint.name}, {joint.child}
    for _ in robot.joints:
        for other in robot.joints:
            if other.parent in links and other.name not in gone:
                gone.add(other.name)
                links.add(other.child)
    kept = tuple(one for one in robot.joints if one.name not in gone)
    if any(one.mimic is not None and one.mimic.joint in gone for one in kept):
        return None
    return replace(robot, joints=kept, links=tuple(link for link in robot.links if link.name not in links))


def _with_joint(robot: RobotModel, name: str, joint: Joint) -> RobotModel:
    return replace(robot, joints=tuple(joint if one.name == name else one for one in robot.joints))


def _round_placements(joint: Joint) -> Iterator[tuple[Pose, ...]]:
    zero = number(0.0)
    if not joint.placements:
        return
    yield ()
    first = joint.placements[0]
    yield (replace(first, rotation=None),)
    yield (replace(first, xyz=(zero, zero, zero)),)
    x, y, z = (number(entry) for entry in _short(first.xyz))
    yield (replace(first, xyz=(x, y, z)),)
    if first.rotation is not None and first.rotation.kind == "rpy":
        quarter = math.pi / 2
        turned = tuple(number(quarter * round(one.value / quarter)) for one in first.rotation.numbers)
        yield (replace(first, rotation=Rotation(kind="rpy", numbers=turned)),)


def _round_inertials(inertial: Inertial) -> Iterator[Inertial]:
    zero, one = number(0.0), number(1.0)
    origin = inertial.origin
    yield replace(inertial, mass=one)
    yield replace(inertial, origin=replace(origin, xyz=(zero, zero, zero)))
    yield replace(inertial, origin=replace(origin, rotation=None))
    x, y, z = (number(entry) for entry in _short(origin.xyz))
    yield replace(inertial, origin=replace(origin, xyz=(x, y, z)))
    if origin.rotation is not None and origin.rotation.kind == "rpy":
        quarter = math.pi / 2
        turned = tuple(number(quarter * round(entry.value / quarter)) for entry in origin.rotation.numbers)
        yield replace(inertial, origin=replace(origin, rotation=Rotation(kind="rpy", numbers=turned)))
    for diagonal in ((1.0, 1.0, 1.0), (1.0, 2.0, 2.5)):
        xx, yy, zz = (number(entry) for entry in diagonal)
        yield replace(inertial, inertia=(xx, zero, zero, yy, zero, zz))


def _short(values: tuple[Number, Number, Number]) -> tuple[float, float, float]:
    """Return a vector with one digit behind the point."""
    x, y, z = (round(one.value, 1) + 0.0 for one in values)
    return x, y, z
