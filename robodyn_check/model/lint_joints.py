"""Rules about one joint: axis, limits, damping, friction."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robodyn_check.model.lint_numbers import EPS, printed_step, shown
from robodyn_check.model.lint_view import Finding
from robodyn_check.model.quote import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.lint_view import LintView
    from robodyn_check.model.robot import Joint, Limits, Number

#: Revolute limits beyond two turns are rare; up to two turns of degrees they are the usual slip.
_TWO_TURNS = 4 * math.pi
_MOST_DEGREES = 720
#: An axis whose length is off by more than this is no rounding, however few its digits.
_AXIS_ROUNDING = 1e-3


def check_joints(view: LintView) -> Iterator[Finding]:
    """Judge every joint."""
    for joint in view.robot.joints:
        yield from _check_axis(joint)
        yield from _check_passive(joint)
        ranged = joint.kind in {"revolute", "prismatic"}
        if view.robot.format == "urdf" and (ranged or (joint.limits is not None and joint.kind != "fixed")):
            yield from _check_required(joint)
        if ranged and joint.limits is not None:
            yield from _check_range(joint, joint.limits)
        if joint.limits is not None and joint.kind != "fixed":
            yield from _check_drive(joint, joint.limits)


def _check_axis(joint: Joint) -> Iterator[Finding]:
    if joint.axis is None:
        return
    length = math.hypot(*(number.value for number in joint.axis))
    off = abs(length - 1)
    digits = sum(printed_step(number) for number in joint.axis)
    if off <= max(8 * EPS, min(digits, _AXIS_ROUNDING)):
        return
    text = " ".join(number.text for number in joint.axis)
    yield Finding(
        code="RD121",
        verdict="warn",
        line=joint.axis[0].line,
        element=joint.name,
        what=f"axis {quoted(text)} of joint {quoted(joint.name)} has length {length:.9g}, not 1",
        why="it is normalised here; a loader that does not scales M by the square of the length",
        advice="Divide the axis by its length.",
    )


def _check_required(joint: Joint) -> Iterator[Finding]:
    """URDF requires <limit> of revolute and prismatic joints, and of every <limit> its effort and velocity."""
    limits = joint.limits
    name = f"{joint.kind} joint {quoted(joint.name)}"
    if limits is None:
        missing, line = "<limit>", joint.line
    else:
        names = [part for part, value in (("effort", limits.effort), ("velocity", limits.velocity)) if value is None]
        missing, line = " and ".join(names), limits.line
    if missing:
        yield Finding(
            code="RD124",
            verdict="fail",
            line=line,
            element=joint.name,
            what=f"{name} has no {missing}, which URDF requires",
            why="the dynamics are defined all the same, but loaders that follow the specification refuse the file",
            advice='Add <limit lower="..." upper="..." effort="..." velocity="..."/>, or make the joint continuous.',
        )


def _check_range(joint: Joint, limits: Limits) -> Iterator[Finding]:
    lower = limits.lower.value if limits.lower else 0.0
    upper = limits.upper.value if limits.upper else 0.0
    name = quoted(joint.name)
    if lower > upper:
        yield Finding(
            code="RD122",
            verdict="fail",
            line=limits.line,
            element=joint.name,
            what=f"joint {name} has a lower limit of {shown(lower)} above its upper limit of {shown(upper)}",
            why="no position is allowed; samplers, planners and simulators fail or clamp to nonsense",
            advice="Exchange the two, or turn their signs.",
        )
    elif lower == upper and joint.mimic is None:
        yield Finding(
            code="RD127",
            verdict="warn",
            line=limits.line,
            element=joint.name,
            what=f"joint {name} may only be at {shown(lower)}"
            + ("" if limits.lower or limits.upper else " (lower and upper are missing, and URDF takes 0)"),
            why="it can never move, yet it has a row in every matrix",
            advice="Write its range, or make it fixed.",
        )
    if joint.kind == "revolute":
        yield from _check_degrees(joint, limits)


def _check_degrees(joint: Joint, limits: Limits) -> Iterator[Finding]:
    suspects = [number for number in (limits.lower, limits.upper) if number is not None and _looks_like_degrees(number)]
    if suspects:
        number = suspects[0]
        yield Finding(
            code="RD123",
            verdict="warn",
            line=number.line,
            element=joint.name,
            what=f"limit {number.text} of revolute joint {quoted(joint.name)} looks like degrees "
            f"({number.text} rad are {abs(number.value) / (2 * math.pi):.1f} turns)",
            why="URDF means rad; everything that samples or plans inside the limits then goes round many times",
            advice=f"If it is degrees, write {math.radians(number.value):.6g}.",
        )


def _looks_like_degrees(number: Number) -> bool:
    size = abs(number.value)
    return not number.degrees and _TWO_TURNS < size <= _MOST_DEGREES and size % 5 == 0


def _check_drive(joint: Joint, limits: Limits) -> Iterator[Finding]:
    named = (("effort", limits.effort), ("velocity", limits.velocity))
    bad = [(part, number) for part, number in named if number is not None and number.value <= 0]
    if bad:
        negative = any(number.value < 0 for _, number in bad)
        facts = " and ".join(f"{part} limit {number.text}" for part, number in bad)
        yield Finding(
            code="RD125",
            verdict="fail" if negative else "warn",
            line=bad[0][1].line,
            element=joint.name,
            what=f"joint {quoted(joint.name)} has the {facts}",
            why="a negative limit allows nothing, and loaders refuse it"
            if negative
            else "taken literally it can never be driven; some take 0 as 'no limit', others as 'no force'",
            advice="Write the real limit.",
        )


def _check_passive(joint: Joint) -> Iterator[Finding]:
    parts = (("damping", joint.damping), ("friction", joint.friction), ("armature", joint.armature))
    for part, number in parts:
        if number is not None and number.value < 0:
            yield Finding(
                code="RD126",
                verdict="fail",
                line=number.line,
                element=joint.name,
                what=f"joint {quoted(joint.name)} has the negative {part} {number.text}",
                why="it makes energy from nothing: every simulation with it blows up",
                advice="Turn the sign.",
            )
