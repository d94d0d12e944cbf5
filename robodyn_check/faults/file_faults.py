"""Faults in the file that one library reads: one written number changed, one element lost or misread.

A sized fault multiplies one number by 1 + size (a zero is moved by size times the length or angle at hand); a whole
fault has no size. Both are functions of the robot as written, so the file stays what it is and one subject reads it
wrongly.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from robodyn_check.faults.in_inertials import com_in_millimetres, number, with_inertial
from robodyn_check.model.robot import Joint, Number, Pose, Rotation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.robot import Inertial, RobotModel

Change = Callable[["RobotModel", float], "RobotModel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFault:
    """One number of one element: ``kind`` (mass, joint-xyz ...), the link or joint, and how to change it by a size.

    ``causes``: what a diagnosis may call it; the second name and those after it are for what a readback shows.
    """

    kind: str
    element: str
    change: Change
    causes: tuple[str, ...]


_INERTIAL = ("inertial-parameters-differ", "loaded-model-differs")
#: What a link without mass that gets one may be called as well.
_MASSLESS = ("default-mass-for-zero-mass", "default-mass-for-missing-inertial")
_PLACEMENT = ("joint-placement-differs",)


def sized_faults(robot: RobotModel, *, seed: int, count: int) -> tuple[FileFault, ...]:
    """Return up to ``count`` numbers of a robot to be changed, every kind in turn, drawn by seed."""
    generator = random.Random(f"{robot.name}:{seed}")  # noqa: S311 - a reproducible draw, no secret
    by_kind: dict[str, list[FileFault]] = {}
    for fault in _all_numbers(robot):
        by_kind.setdefault(fault.kind, []).append(fault)
    chosen: list[FileFault] = []
    for faults in by_kind.values():
        generator.shuffle(faults)
    while len(chosen) < count and any(by_kind.values()):
        for faults in by_kind.values():
            if faults and len(chosen) < count:
                chosen.append(faults.pop())
    return tuple(chosen)


def whole_faults(robot: RobotModel) -> tuple[FileFault, ...]:
    """Return the faults without a size: an inertial lost, a centre of mass in millimetres, rpy the other way round."""
    found = []
    for link in robot.links:
        if link.inertial is not None and link.inertial.mass.value:
            name = link.name
            lost = _named_loss(robot, name)
            found.append(FileFault(kind="inertial-lost", element=name, change=_losing(name), causes=lost))
            millimetres = ("inertial-origin-unit", "loaded-model-differs")
            found.append(
                FileFault(kind="com-in-millimetres", element=name, change=_in_millimetres(name), causes=millimetres)
            )
    for joint in robot.joints:
        pose = joint.placements[0] if joint.placements else None
        if pose is not None and pose.rotation is not None and pose.rotation.kind == "rpy":
            found.append(
                FileFault(
                    kind="rpy-order", element=joint.name, change=_with_reversed_rpy(joint.name), causes=("rpy-order",)
                )
            )
    return tuple(found)


def _named_loss(robot: RobotModel, name: str) -> tuple[str, ...]:
    """Return what the loss of a link's inertial is called: of the root, behind a fixed joint, anywhere else."""
    joint = next((joint for joint in robot.joints if joint.child == name), None)
    if joint is None:
        return ("root-link-inertia-dropped", "link-inertia-dropped")
    return ("fixed-link-inertia-dropped" if joint.kind == "fixed" else "link-inertia-dropped", "link-inertia-dropped")


def _all_numbers(robot: RobotModel) -> list[FileFault]:
    """Return every number of a robot that a loader could get wrong."""
    return [*_inertial_numbers(robot), *_joint_numbers(robot)]


def _inertial_numbers(robot: RobotModel) -> Iterator[FileFault]:
    for link in robot.links:
        if link.inertial is None:
            continue
        changes = [("mass", _mass), *(("com", _com(i)) for i in range(3))]
        changes += [("inertia-diagonal" if i in {0, 3, 5} else "inertia-product", _entry(i)) for i in range(6)]
        if link.inertial.origin.rotation is not None:
            changes.append(("inertial-rpy", _inertial_turn))
        causes = _INERTIAL if link.inertial.mass.value else (*_INERTIAL, *_MASSLESS)
        for kind, change in changes:
            yield FileFault(kind=kind, element=link.name, change=_inertial_change(link.name, change), causes=causes)


def _joint_numbers(robot: RobotModel) -> Iterator[FileFault]:
    for joint in robot.joints:
        name = joint.name
        changes = []
        if joint.placements:
            changes += [("joint-xyz", _PLACEMENT, _xyz(i)) for i in range(3)]
            if joint.placements[0].rotation is not None:
                changes.append(("joint-rpy", _PLACEMENT, _joint_turn))
        if joint.axis is not None and joint.kind != "fixed":
            changes.append(("axis", ("joint-axis-differs",), _axis))
        for kind, causes, change in changes:
            yield FileFault(kind=kind, element=name, change=_joint_change(name, change), causes=causes)


def scaled(value: Number, size: float, unit: float) -> Number:
    """Return the number times 1 + size; a zero moves by size times ``unit``."""
    moved = number(value.value * (1.0 + size) if value.value else size * unit)
    return replace(value, text=moved.text, value=moved.value)


def _inertial_change(name: str, change: Callable[[Inertial, float], Inertial]) -> Change:
    return lambda robot, size: with_inertial(robot, name, lambda inertial: change(inertial, size))


def _joint_change(name: str, change: Callable[[Joint, float], Joint]) -> Change:
    def changed(robot: RobotModel, size: float) -> RobotModel:
        joints = tuple(change(joint, size) if joint.name == name else joint for joint in robot.joints)
        return replace(robot, joints=joints)

    return changed


def _mass(inertial: Inertial, size: float) -> Inertial:
    return replace(inertial, mass=scaled(inertial.mass, size, 1.0))


def _com(index: int) -> Callable[[Inertial, float], Inertial]:
    def change(inertial: Inertial, size: float) -> Inertial:
        return replace(inertial, origin=_moved(inertial.origin, index, size))

    return change


def _entry(index: int) -> Callable[[Inertial, float], Inertial]:
    def change(inertial: Inertial, size: float) -> Inertial:
        entries = list(inertial.inertia)
        unit = max(abs(entry.value) for entry in entries) or 1.0
        entries[index] = scaled(entries[index], size, unit)
        xx, xy, xz, yy, yz, zz = entries
        return replace(inertial, inertia=(xx, xy, xz, yy, yz, zz))

    return change


def _inertial_turn(inertial: Inertial, size: float) -> Inertial:
    return replace(inertial, origin=_turned(inertial.origin, size))


def _xyz(index: int) -> Callable[[Joint, float], Joint]:
    def change(joint: Joint, size: float) -> Joint:
        return replace(joint, placements=(_moved(joint.placements[0], index, size), *joint.placements[1:]))

    return change


def _joint_turn(joint: Joint, size: float) -> Joint:
    return replace(joint, placements=(_turned(joint.placements[0], size), *joint.placements[1:]))


def _axis(joint: Joint, size: float) -> Joint:
    """Tilt the axis: move its smallest entry by size times its length."""
    assert joint.axis is not None, "chosen by _all_numbers"
    entries = list(joint.axis)
    length = sum(entry.value**2 for entry in entries) ** 0.5
    smallest = min(range(3), key=lambda i: abs(entries[i].value))
    entries[smallest] = number(entries[smallest].value + size * length)
    x, y, z = entries
    return replace(joint, axis=(x, y, z))


def _moved(pose: Pose, index: int, size: float) -> Pose:
    """Change one coordinate; a zero moves by size times the length of the others, or of a decimetre."""
    entries = list(pose.xyz)
    unit = sum(entry.value**2 for entry in entries) ** 0.5 or 0.1
    entries[index] = scaled(entries[index], size, unit)
    x, y, z = entries
    return replace(pose, xyz=(x, y, z))


def _turned(pose: Pose, size: float) -> Pose:
    """Change the first angle (or number) of the rotation."""
    assert pose.rotation is not None, "chosen by _all_numbers"
    first, *rest = pose.rotation.numbers
    return replace(pose, rotation=replace(pose.rotation, numbers=(scaled(first, size, 1.0), *rest)))


def _with_reversed_rpy(name: str) -> Change:
    return lambda robot, _size: reversed_rpy(robot, name)


def _in_millimetres(name: str) -> Change:
    return lambda robot, _size: with_inertial(robot, name, com_in_millimetres)


def _losing(name: str) -> Change:
    def change(robot: RobotModel, _size: float) -> RobotModel:
        links = tuple(replace(link, inertial=None) if link.name == name else link for link in robot.links)
        return replace(robot, links=links)

    return change


def reversed_rpy(robot: RobotModel, name: str) -> RobotModel:
    """Return the robot with one joint's rpy read as Rx Ry Rz instead of Rz Ry Rx."""

    def turn(joint: Joint, _size: float) -> Joint:
        pose = joint.placements[0]
        assert pose.rotation is not None, "only a written rotation is read"
        roll, pitch, yaw = pose.rotation.numbers
        # Rx Ry Rz of the same angles, spelled as moving axes x, y, z
        other = Rotation(kind="euler", numbers=(roll, pitch, yaw), sequence="xyz")
        return replace(joint, placements=(replace(pose, rotation=other), *joint.placements[1:]))

    return _joint_change(name, turn)(robot, 0.0)
