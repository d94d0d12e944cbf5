"""The model as a library holds it beside the file: bodies, joints, gravity; what was merged, lost, added or replaced.

Bodies that stand for one link are compared link by link, in the link's frame. Merged ones are compared by the joint
that carries them: the sum of all that hangs on it, about the joint frame after motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.model.placements import MassProperties

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback

    FloatArray = npt.NDArray[np.float64]

BODY, JOINT, ARMATURE, GRAVITY, PASSIVE = "RD151", "RD152", "RD153", "RD154", "RD155"
#: Relative difference that a loader's own conversions may make: principal axes found by iteration keep 12 digits.
_CONVERSION = 1e-9
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
    robot: RobotModel, truth: Readback, held: Readback, *, relative: float = _CONVERSION
) -> tuple[Difference, ...]:
    """Return everything that a library holds otherwise.

    Args:
        robot: As written, for the lines.
        truth: The file's robot, in the shape of a readback.
        held: What the library shows.
        relative: Relative difference that is none.
    """
    return (
        *_bodies(robot, truth, held, relative),
        *_joints(robot, truth, held, relative),
        *_passive(robot, held, relative),
        *_gravity(robot, held, relative),
    )


def changed_links(truth: Readback, held: Readback) -> dict[str, tuple[str, MassProperties]]:
    """Return the links that a library holds by themselves with other masses or inertias: name -> (cause, held)."""
    right = {body.name: body for body in truth.bodies}
    return {
        name: (
            _named(right[name], body),
            MassProperties(mass=body.mass, com=np.array(body.com), inertia=np.array(body.inertia)),
        )
        for body in held.bodies
        if len(body.links) == 1
        and (name := body.links[0]) in right
        and right[name].joint is not None
        and _stands_alone(name, truth, held)
        and _compared(_about_com(right[name]), _about_com(body), _CONVERSION)
    }


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
    alone = {body.links[0]: body for body in held.bodies if len(body.links) == 1 and body.links[0] in right}
    lines = {link.name: link.inertial.line if link.inertial else link.line for link in robot.links}
    moving = [body for body in truth.bodies if body.joint is not None]
    seen: set[str] = set()
    for name, body in alone.items():
        if right[name].joint is None or not _stands_alone(name, truth, held):
            continue
        seen.add(name)
        text = _compared(_about_com(right[name]), _about_com(body), relative)
        if text:
            yield _body(name, _named(right[name], body), text, lines.get(name))
    for joint in dict.fromkeys(body.joint for body in moving):
        on_it = [body for body in moving if body.joint == joint]
        theirs = [body for body in held.bodies if body.joint == joint]
        if all(body.name in seen for body in on_it) and len(theirs) == len(on_it):
            continue
        text = _compared(_sum(on_it), _sum(theirs), relative) if held.bodies else ""
        if text:
            first = max(on_it, key=lambda body: body.mass)
            names = ", ".join(repr(body.name) for body in on_it)
            yield _body(first.name, "loaded-model-differs", f"{names} together: {text}", lines.get(first.name))


def _stands_alone(name: str, truth: Readback, held: Readback) -> bool:
    """Tell whether no other link was merged into the body that stands for this one."""
    carrier = next(body.joint for body in truth.bodies if body.name == name)
    ours = {body.name for body in truth.bodies if body.joint == carrier and (body.mass or np.any(body.inertia))}
    shown = {link for body in held.bodies for link in body.links}
    return ours <= shown


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


def _about_com(body: BodyReadback) -> tuple[float, FloatArray, FloatArray]:
    return body.mass, np.array(body.com), np.array(body.inertia)


def _sum(bodies: Sequence[BodyReadback]) -> tuple[float, FloatArray, FloatArray]:
    """Return mass, first moment and inertia about the carrying joint's frame of several bodies."""
    mass, first, inertia = 0.0, np.zeros(3), np.zeros((3, 3))
    for body in bodies:
        turn = np.array(body.rotation)
        c = turn @ np.array(body.com) + np.array(body.translation)
        mass += body.mass
        first += body.mass * c
        inertia += turn @ np.array(body.inertia) @ turn.T + body.mass * (np.eye(3) * (c @ c) - np.outer(c, c))
    return mass, first, inertia


def _compared(
    right: tuple[float, FloatArray, FloatArray], held: tuple[float, FloatArray, FloatArray], relative: float
) -> str:
    """Say how two bodies differ; nothing where they do not."""
    mass, vector, inertia = right
    size = np.abs(inertia).max() + abs(mass) * float(vector @ vector)
    length = np.abs(vector).max() + np.sqrt(size / mass) if mass else np.abs(vector).max()
    parts = []
    if abs(held[0] - mass) > relative * abs(mass):
        parts.append(f"mass {held[0]:.6g} kg, the file {mass:.6g} kg")
    if (mass or held[0]) and np.abs(held[1] - vector).max() > relative * max(length, np.finfo(float).tiny):
        parts.append(f"centre of mass ({_listed(held[1])}), the file ({_listed(vector)}) m")
    if np.abs(held[2] - inertia).max() > relative * size:
        order = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
        got, expected = (_listed([one[i, j] for i, j in order]) for one in (held[2], inertia))
        parts.append(f"inertia ({got}), the file ({expected}) kg m²")
    return "; ".join(parts)


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:.6g}" for value in values)


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
            yield JOINT, "joint-axis-differs", f"axis ({_listed(held.axis)}), the file ({_listed(right.axis)})"
    if right.parent == held.parent and right.kind != "floating":
        if right.translation is not None and held.translation is not None:
            size = max(np.abs(right.translation).max(), np.finfo(float).tiny)
            if np.abs(np.array(held.translation) - np.array(right.translation)).max() > relative * size:
                text = f"placed at ({_listed(held.translation)}), the file ({_listed(right.translation)}) m"
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
            yield ARMATURE, cause, f"armature {_listed(theirs)}, the file {_listed(ours)} kg m² or kg"


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
        text = f"gravity ({_listed(held.gravity)}), the file ({_listed(stated)}) m/s²"
        line = robot.gravity[0].line
        yield Difference(code=GRAVITY, cause="gravity-vector-differs", element=None, text=text, line=line)
