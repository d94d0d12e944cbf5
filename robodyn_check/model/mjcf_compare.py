"""RD150: what the file of an MJCF states and what MuJoCo's compiler holds are the same numbers.

Where both readings exist the file is the truth: the compiler's numbers went through its own rounding, and a difference
beyond that is a fault of one of the two readers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from robodyn_check.model.mjcf_compiled import body_names, joint_names
from robodyn_check.model.mjcf_rotations import Rows, composed, matrix, product, transposed
from robodyn_check.model.mjcf_schema import JOINT_TYPES
from robodyn_check.model.mjcf_texts import TWO_READINGS
from robodyn_check.model.mjcf_values import NOWHERE, made
from robodyn_check.model.robot import Inertial, Joint, Number, RobotModel, Rotation
from robodyn_check.quantities import STANDARD_GRAVITY
from robodyn_check.report.results import Result, Where

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Rounding of the longest path a number takes in MuJoCo's compiler (Euler angles to quaternion, composed frames, an
#: eigenvalue problem), in units of eps times the size of the terms.
ROUNDING = 64 * 2.0**-52
CODE, SLUG = TWO_READINGS.code, TWO_READINGS.slug


def compare_with_compiled(robot: RobotModel, compiled: Mapping[str, Any]) -> tuple[Result, ...]:
    """Compare every number that the file states with the compiler's; one result, or one per difference.

    Args:
        robot: The reading to judge; what it has from the compiler itself is left out.
        compiled: The compiler's data.

    Returns:
        Results of code RD150: a single pass, or a fail for each value that differs, with line and both values.
    """
    subject, against = "model", f"MuJoCo {compiled['mujoco']}"
    count, findings = 0, []
    largest = 0.0
    for difference in _differences(robot, compiled):
        count += 1
        if difference.margin <= 1:
            largest = max(largest, difference.margin)
            continue
        findings.append(
            Result(
                code=CODE,
                slug=SLUG,
                verdict="fail",
                subject=subject,
                error=difference.error,
                bound=difference.bound,
                margin=difference.margin,
                where=Where(file=robot.path, line=difference.line),
                message=f"{difference.what}: the file says {difference.stated}, {against} holds {difference.held}. The "
                "file is the truth here; one of the two readers is wrong",
            )
        )
    if findings:
        return tuple(findings)
    message = f"{count} values that the file states are held alike by {against}; the file is the truth"
    return (Result(code=CODE, slug=SLUG, verdict="pass", subject=subject, margin=largest, message=message),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Difference:
    """Two readings of one value: words, both values as text, |difference|, its bound, and the line."""

    what: str
    stated: str
    held: str
    error: float
    bound: float
    line: int | None

    @property
    def margin(self) -> float:
        return 0.0 if self.error == 0 else self.error / self.bound if self.bound > 0 else math.inf


def _differences(robot: RobotModel, compiled: Mapping[str, Any]) -> Iterator[_Difference]:
    held_bodies = dict(zip(body_names(compiled), compiled["bodies"], strict=True))
    held_joints = dict(zip(joint_names(compiled), compiled["joints"], strict=True))
    firsts = {joint.child: joint for joint in reversed(robot.joints) if joint.parent != joint.child}
    for link in robot.links:
        body = held_bodies.pop(link.name, None)
        if body is None:
            yield _absent(f"body '{link.name}'", link.line)
            continue
        yield from _placement(firsts[link.name], body)
        if link.inertial is None:
            yield _compared(f"mass of body '{link.name}'", [0.0], [body["mass"]], link.line)
        elif link.inertial.source == "file":
            yield from _mass_properties(link.name, link.inertial, body)
    derived = {element.owner for element in robot.outside if element.tag == "joint@springdamper"}
    for joint in robot.joints:
        if joint.kind == "fixed":
            continue
        held = held_joints.pop(joint.name, None)
        if held is None:
            yield _absent(f"joint '{joint.name}'", joint.line)
            continue
        yield from _joint_values(joint, held, damped=joint.name not in derived)
    for name in (*held_bodies, *held_joints):
        yield replace(_absent(f"'{name}'", None), stated="none", held="it is there")
    gravity = robot.gravity
    stated = STANDARD_GRAVITY if gravity is None else tuple(entry.value for entry in gravity)
    yield _compared("gravity", stated, compiled["gravity"], None if gravity is None else gravity[0].line)


def _absent(what: str, line: int | None) -> _Difference:
    return _Difference(what=what, stated="it is there", held="none", error=math.inf, bound=0.0, line=line)


def _compared(
    what: str, stated: Sequence[float], held: Sequence[float], line: int | None, *, size: float = 0.0
) -> _Difference:
    """Return the largest difference of two vectors, its bound from the size of the terms."""
    error = max(abs(a - b) for a, b in zip(stated, held, strict=True))
    scale = max(size, *(abs(value) for value in (*stated, *held)))
    return _Difference(
        what=what, stated=_shown(stated), held=_shown(held), error=error, bound=ROUNDING * scale, line=line
    )


def _shown(values: Sequence[float]) -> str:
    return " ".join(f"{value:.17g}" for value in values)


def _placement(joint: Joint, body: Mapping[str, Any]) -> Iterator[_Difference]:
    """Compare a body's placement in its parent: the joint's, without the way to the joint's anchor."""
    poses = joint.placements if joint.child_placement is None else joint.placements[:-1]
    rows, point = composed(poses)
    size = sum(math.hypot(*(entry.value for entry in pose.xyz)) for pose in poses)
    yield _compared(f"position of body '{joint.child}'", point, body["pos"], joint.line, size=size)
    yield _compared(
        f"orientation of body '{joint.child}'", _flat(rows), _flat(_rows(body["quat"])), joint.line, size=1.0
    )


def _mass_properties(name: str, inertial: Inertial, body: Mapping[str, Any]) -> Iterator[_Difference]:
    line = inertial.line
    xyz = [entry.value for entry in inertial.origin.xyz]
    yield _compared(f"mass of body '{name}'", [inertial.mass.value], [body["mass"]], line)
    yield _compared(f"centre of mass of body '{name}'", xyz, body["ipos"], line)
    xx, xy, xz, yy, yz, zz = (entry.value for entry in inertial.inertia)
    stated = _congruent(matrix(inertial.origin.rotation), ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    a, b, c = body["diaginertia"]
    held = _congruent(_rows(body["iquat"]), ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c)))
    yield _compared(f"inertia of body '{name}'", _flat(stated), _flat(held), line)


def _joint_values(joint: Joint, held: Mapping[str, Any], *, damped: bool) -> Iterator[_Difference]:
    what = f"joint '{joint.name}'"
    if JOINT_TYPES[held["type"]][0] != joint.kind:
        yield replace(_absent(f"kind of {what}", joint.line), stated=joint.kind, held=held["type"])
        return
    if joint.axis is not None:
        length = math.hypot(*(entry.value for entry in joint.axis))
        stated = [entry.value / length for entry in joint.axis]
        yield _compared(f"axis of {what}", stated, held["axis"], joint.line, size=1.0)
    anchor = joint.placements[-1].xyz if joint.child_placement is not None else NOWHERE
    if joint.kind != "floating":
        yield _compared(f"pos of {what}", [entry.value for entry in anchor], held["pos"], joint.line)
    values = {"armature": joint.armature, "frictionloss": joint.friction, "damping": joint.damping}
    for name, number in values.items():
        if damped or name != "damping":
            line = joint.line if number is None else number.line
            yield _compared(f"{name} of {what}", [0.0 if number is None else number.value], [held[name]], line)
    if joint.axis is not None:
        reference, limits = joint.reference, joint.limits
        yield _compared(f"ref of {what}", [_radians(reference)], [held["qpos0"]], joint.line)
        yield _compared(f"limited of {what}", [float(limits is not None)], [float(held["limited"])], joint.line)
        if limits is not None and held["limited"]:
            yield _compared(
                f"range of {what}", [_radians(limits.lower), _radians(limits.upper)], held["range"], limits.line
            )


def _radians(number: Number | None) -> float:
    if number is None:
        return 0.0
    return math.radians(number.value) if number.degrees else number.value


def _rows(quaternion: Sequence[float]) -> Rows:
    numbers = tuple(made(float(value), None) for value in quaternion)
    return matrix(Rotation(kind="quaternion", numbers=numbers))


def _congruent(turn: Rows, inertia: Rows) -> Rows:
    """Return R I Rᵀ."""
    return product(product(turn, inertia), transposed(turn))


def _flat(rows: Rows) -> list[float]:
    return [value for row in rows for value in row]
