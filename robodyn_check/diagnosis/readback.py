"""The model as a library holds it beside the file: bodies, joints, gravity; what was merged, lost, added or replaced.

Bodies that stand for one link are compared link by link, in the link's frame. Merged ones are compared by the joint
that carries them: the sum of all that hangs on it, about the joint frame after motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.diagnosis.bodies import alone, change, compared, listed, together
from robodyn_check.model.placements import MassProperties
from robodyn_check.model.quote import listed as listed_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback

BODY, JOINT, ARMATURE, GRAVITY, PASSIVE = "RD151", "RD152", "RD153", "RD154", "RD155"
#: Links of one body that a message names.
_NAMED = 6
#: Relative difference that a loader's own conversions may make, in units of its precision: 5e-13 for doubles, so that
#: every change of 1e-12 is seen. Principal axes found by iteration, the coarsest conversion there is, keep 13 digits.
_CONVERSION = {"double": 5e-13, "single": 64 * 2.0**-23}
_SPHERE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that a library holds otherwise than the file says; ``line`` where the file says it."""

    code: str
    cause: str
    element: str | None
    text: str
    line: int | None


def differences(
    robot: RobotModel, truth: Readback, held: Readback, *, relative: float | None = None
) -> tuple[Difference, ...]:
    """Return everything that a library holds otherwise.

    Args:
        robot: As written, for the lines.
        truth: The file's robot, in the shape of a readback.
        held: What the library shows.
        relative: Relative difference that is none; None: what the library's precision allows.
    """
    relative = _allowed(held) if relative is None else relative
    return (
        *_bodies(robot, truth, held, relative),
        *_joints(robot, truth, held, relative),
        *_passive(robot, held, relative),
        *_gravity(robot, held, relative),
    )


def largest_change(truth: Readback, held: Readback) -> float:
    """Return the largest relative change of anything that a readback shows of bodies as merged, and of joints.

    Masses, centres of mass and inertias are taken relative to the largest entry of their kind, placements to theirs,
    rotations and axes as they are.
    """
    changes = [0.0]
    for joint in dict.fromkeys(body.joint for body in truth.bodies if body.joint is not None):
        sides = [[body for body in one.bodies if body.joint == joint] for one in (truth, held)]
        changes += change(together(sides[0]), together(sides[1]))
    right = {joint.name: joint for joint in truth.joints}
    for shown in held.joints:
        changes += _joint_changes(right[shown.name], shown) if shown.name in right else ()
    return max(changes)


def _joint_changes(right: JointReadback, held: JointReadback) -> Iterable[float]:
    """Yield how far axis, rotation and translation are from the right ones, relative to their largest entry."""
    if right.axis is not None and held.axis is not None:
        yield _off(held.axis, right.axis, 1.0)
    if right.parent != held.parent or right.kind == "floating":
        return
    if right.translation is not None and held.translation is not None:
        size = max(np.abs(right.translation).max(), np.finfo(float).tiny)
        yield _off(held.translation, right.translation, float(size))
    if right.rotation is not None and held.rotation is not None:
        yield _off(held.rotation, right.rotation, 1.0)


def _off(held: Any, right: Any, size: float) -> float:
    return float(np.abs(np.array(held) - np.array(right)).max() / size)


def changed_links(truth: Readback, held: Readback) -> dict[str, tuple[str, MassProperties]]:
    """Return the links that a library holds by themselves with other masses or inertias: name -> (cause, held)."""
    right, unmerged = {body.name: body for body in truth.bodies}, _standing_alone(truth, held)
    return {
        name: (
            _named(right[name], body),
            MassProperties(mass=body.mass, com=np.array(body.com), inertia=np.array(body.inertia)),
        )
        for body in held.bodies
        if len(body.links) == 1
        and (name := body.links[0]) in right
        and right[name].joint is not None
        and name in unmerged
        and compared(alone(right[name]), alone(body), _allowed(held))
    }


def _allowed(held: Readback) -> float:
    """Return the relative difference that a library's own conversions may make."""
    return _CONVERSION.get(held.precision, _CONVERSION["double"])


def notes(truth: Readback, held: Readback, *, mimics: Sequence[str], reduced: Sequence[str]) -> tuple[str, ...]:
    """Return what is harmless but worth knowing: links merged into the world, mimic joints left independent."""
    told = []
    shown = {link for body in held.bodies for link in (*body.links, body.name)}
    welded = [body for body in truth.bodies if body.joint is None and body.mass and body.name not in shown]
    if held.bodies and welded:
        names = ", ".join(f"{body.name!r} ({body.mass:g} kg)" for body in welded)
        told.append(
            f"root-link-merged-into-world: {names} in no body; the dynamics do not feel it, the total mass does"
        )
    free = [name for name in mimics if name not in reduced]
    if free:
        told.append(f"mimic-joint-ignored: {', '.join(free)} move independently; compared without the constraint")
    return tuple(told)


def _bodies(robot: RobotModel, truth: Readback, held: Readback, relative: float) -> Iterable[Difference]:
    right = {body.name: body for body in truth.bodies}
    single = {body.links[0]: body for body in held.bodies if len(body.links) == 1 and body.links[0] in right}
    lines = {link.name: link.inertial.line if link.inertial else link.line for link in robot.links}
    moving = [body for body in truth.bodies if body.joint is not None]
    seen: set[str] = set()
    unmerged = _standing_alone(truth, held)
    for name, body in single.items():
        if right[name].joint is None or name not in unmerged:
            continue
        seen.add(name)
        text = compared(alone(right[name]), alone(body), relative)
        if text:
            yield _body(name, _named(right[name], body), text, lines.get(name))
    for joint in dict.fromkeys(body.joint for body in moving):
        on_it = [body for body in moving if body.joint == joint]
        theirs = [body for body in held.bodies if body.joint == joint]
        if all(body.name in seen for body in on_it) and len(theirs) == len(on_it):
            continue
        text = compared(together(on_it), together(theirs), relative) if held.bodies else ""
        if text:
            first = max(on_it, key=lambda body: body.mass)
            names = listed_names([body.name for body in on_it], shown=_NAMED)
            yield _body(first.name, "loaded-model-differs", f"{names} together: {text}", lines.get(first.name))


def _standing_alone(truth: Readback, held: Readback) -> frozenset[str]:
    """Return the links for which a body stands that no other link was merged into."""
    shown = {link for body in held.bodies for link in body.links}
    hidden = {body.joint for body in truth.bodies if body.name not in shown and (body.mass or np.any(body.inertia))}
    return frozenset(body.name for body in truth.bodies if body.joint not in hidden)


def _body(name: str, cause: str, text: str, line: int | None) -> Difference:
    return Difference(code=BODY, cause=cause, element=name, text=f"inertial of {name!r}: {text}", line=line)


def _named(right: BodyReadback, body: BodyReadback) -> str:
    """Name what was done to one link."""
    inertia = np.array(body.inertia)
    if not body.mass and not inertia.any():
        return "link-inertia-dropped"
    if not right.mass and body.mass:
        return "default-mass-for-zero-mass" if np.any(right.inertia) else "default-mass-for-missing-inertial"
    round_now = np.ptp(np.diag(inertia)) <= _SPHERE * np.abs(inertia).max() and np.ptp(np.diag(right.inertia)) > 0
    off = np.abs(inertia - np.diag(np.diag(inertia))).max() <= _SPHERE * np.abs(inertia).max()
    return "inertia-replaced-by-sphere" if round_now and off else "loaded-model-differs"


def _joints(robot: RobotModel, truth: Readback, held: Readback, relative: float) -> Iterable[Difference]:
    right = {joint.name: joint for joint in truth.joints}
    lines = {joint.name: joint.line for joint in robot.joints}
    for joint in held.joints:
        if joint.name not in right:
            continue
        for code, cause, text in _of_joint(right[joint.name], joint, relative):
            text = f"joint {joint.name!r}: {text}"  # noqa: PLW2901 - the joint is named once for all
            yield Difference(code=code, cause=cause, element=joint.name, text=text, line=lines.get(joint.name))


def _of_joint(right: JointReadback, held: JointReadback, relative: float) -> Iterable[tuple[str, str, str]]:
    if right.axis is not None and held.axis is not None:
        off = np.abs(np.array(held.axis) - np.array(right.axis)).max()
        if off > relative:
            yield JOINT, "joint-axis-differs", f"axis ({listed(held.axis)}), the file ({listed(right.axis)})"
    if right.parent == held.parent and right.kind != "floating":
        if right.translation is not None and held.translation is not None:
            size = max(np.abs(right.translation).max(), np.finfo(float).tiny)
            if np.abs(np.array(held.translation) - np.array(right.translation)).max() > relative * size:
                text = f"placed at ({listed(held.translation)}), the file ({listed(right.translation)}) m"
                yield JOINT, "joint-placement-differs", text
        if right.rotation is not None and held.rotation is not None:
            turn = np.array(right.rotation).T @ np.array(held.rotation)
            if np.abs(turn - np.eye(3)).max() > relative:
                angle = np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1)))
                yield JOINT, "joint-placement-differs", f"its frame is turned by {angle:.6g} degrees"
    if right.armature is not None and held.armature is not None and len(right.armature) == len(held.armature):
        ours, theirs = np.array(right.armature), np.array(held.armature)
        if np.abs(ours - theirs).max(initial=0.0) > relative * np.abs(ours).max(initial=0.0):
            cause = "armature-differs" if theirs.any() else "armature-dropped"
            yield ARMATURE, cause, f"armature {listed(theirs)}, the file {listed(ours)} kg m² or kg"


def _passive(robot: RobotModel, held: Readback, relative: float) -> Iterable[Difference]:
    """Damping and dry friction, which no check of the rigid-body part shows."""
    written = {joint.name: joint for joint in robot.joints}
    for joint in held.joints:
        file = written.get(joint.name)
        if file is None or file.kind == "fixed":
            continue
        for what, number, values in (
            ("damping", file.damping, joint.damping),
            ("friction", file.friction, joint.friction),
        ):
            value = 0.0 if number is None else number.value
            if values is not None and values and abs(values[0] - value) > relative * abs(value):
                line = file.line if number is None else number.line
                text = f"joint {joint.name!r}: {what} {values[0]:.6g}, the file {value:.6g}"
                yield Difference(code=PASSIVE, cause=f"joint-{what}-differs", element=joint.name, text=text, line=line)


def _gravity(robot: RobotModel, held: Readback, relative: float) -> Iterable[Difference]:
    """Gravity as loaded, where the file states one."""
    if robot.gravity is None or held.gravity is None:
        return
    stated = np.array([number.value for number in robot.gravity])
    if np.abs(np.array(held.gravity) - stated).max() > relative * max(np.abs(stated).max(), np.finfo(float).tiny):
        text = f"gravity ({listed(held.gravity)}), the file ({listed(stated)}) m/s²"
        line = robot.gravity[0].line
        yield Difference(code=GRAVITY, cause="gravity-vector-differs", element=None, text=text, line=line)
