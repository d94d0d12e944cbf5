"""Elastic joints that an MJCF states itself: two hinges a joint, joined by a fixed tendon with stiffness.

    <tendon><fixed stiffness="2000" damping="0.5"><joint joint="elbow" coef="1"/>
                                                  <joint joint="elbow_motor" coef="-0.01"/></fixed></tendon>

The tendon's length is c q + c_m θ_m. With N = -c / c_m the motor behind the gear is θ = θ_m / N, and the spring is
K = k c² against q - θ, D = d c², J = N² J_m. A motor's body must hang on the world and turn about its own centre of
mass, or it is no motor of Spong's model: it must have no coupling in M and no gravity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.errors import UsageError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.joint_data import Drive, motor_inertia
from robodyn_check.model.quote import quoted
from robodyn_check.model.xml import parse_xml
from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import Element, RobotModel

#: A motor may share this much of its inertia with links, and feel this much torque, before it is refused.
_NEGLIGIBLE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedDrives:
    """What an MJCF says of its elastic joints: the robot without its motors, drives by joint, motors' names and N."""

    robot: RobotModel
    drives: Mapping[str, Drive]
    motors: tuple[str, ...]
    ratios: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tendon:
    element: Element
    coefficients: dict[str, float]
    stiffness: float
    damping: float


def stated_drives(robot: RobotModel) -> StatedDrives | None:
    """Return the elastic joints that an MJCF states, None where it has no spring between two joints.

    Args:
        robot: As read; its tendons are among ``outside``.

    Raises:
        UsageError: Springs that are not those of elastic joints, with the line.
    """
    tendons = [_read(robot, element) for element in robot.outside if element.tag == "fixed"]
    springs = [tendon for tendon in tendons if tendon is not None and tendon.stiffness > 0]
    if not springs:
        return None
    whole = build_mechanism(replace(robot, joints=tuple(replace(joint, mimic=None) for joint in robot.joints)))
    rest = np.zeros((1, whole.nq))
    M, g = evaluate(whole, "mass_matrix", rest)[0], evaluate(whole, "gravity_vector", rest)[0]
    index = {name: k for k, name in enumerate(whole.dof_names)}
    children = {joint.parent for joint in robot.joints if joint.parent is not None}
    found: dict[str, tuple[str, float, Drive]] = {}
    for tendon in springs:
        link, motor = _ends(robot, tendon, children)
        c, c_m = tendon.coefficients[link], tendon.coefficients[motor]
        if c * c_m >= 0:
            raise _refused(robot, tendon, "joins the two with coefficients of one sign: q - θ needs opposite ones")
        row = np.delete(M[index[motor]], index[motor])
        if np.abs(row).max(initial=0.0) > _NEGLIGIBLE * M[index[motor], index[motor]] or abs(g[index[motor]]) > (
            _NEGLIGIBLE * _weight(whole)
        ):
            raise _refused(robot, tendon, f"has motor {quoted(motor)}, which is coupled to other bodies or has weight")
        ratio = -c / c_m
        found[link] = (
            motor,
            ratio,
            Drive(
                stiffness=tendon.stiffness * c * c,
                damping=tendon.damping * c * c,
                motor_inertia=motor_inertia(gear_ratio=ratio, rotor_inertia=float(M[index[motor], index[motor]])),
            ),
        )
    motors = {motor for motor, _, _ in found.values()}
    bodies = {joint.child for joint in robot.joints if joint.name in motors}
    order = [joint.name for joint in robot.joints if joint.name in found]
    return StatedDrives(
        robot=replace(
            robot,
            links=tuple(link for link in robot.links if link.name not in bodies),
            joints=tuple(joint for joint in robot.joints if joint.name not in motors),
            outside=tuple(element for element in robot.outside if element not in {t.element for t in springs}),
        ),
        drives={name: found[name][2] for name in order},
        motors=tuple(found[name][0] for name in order),
        ratios=tuple(found[name][1] for name in order),
    )


def _read(robot: RobotModel, element: Element) -> _Tendon | None:
    """Return a tendon of two joints; None for any other."""
    node = parse_xml(element.text.encode(), robot.path)
    ends = {end.get("joint") or "": float(end.get("coef") or 1.0) for end in node.all("joint")}
    if len(ends) != 2:
        return None
    numbers = {name: node.get(name) for name in ("stiffness", "damping", "springlength")}
    values = {name: [float(word) for word in text.split()] for name, text in numbers.items() if text}
    tendon = _Tendon(
        element=element,
        coefficients=ends,
        stiffness=values.get("stiffness", [0.0])[0],
        damping=values.get("damping", [0.0])[0],
    )
    if tendon.stiffness and any(len(values.get(name, [])) > 1 for name in ("stiffness", "damping")):
        raise _refused(robot, tendon, "has a spring or damper that is not linear; elastic joints are")
    moved = any(joint.reference is not None and joint.reference.value for joint in robot.joints if joint.name in ends)
    resting = values.get("springlength", [-1.0])
    if tendon.stiffness and (any(length not in {0.0, -1.0} for length in resting) or (moved and resting != [0.0])):
        raise _refused(robot, tendon, 'is at rest where q and θ differ; write springlength="0"')
    return tendon


def _ends(robot: RobotModel, tendon: _Tendon, parents: set[str]) -> tuple[str, str]:
    """Return link joint and motor joint: the motor's body hangs on the world and carries nothing."""
    joints = {joint.name: joint for joint in robot.joints}
    names = list(tendon.coefficients)
    free = [name for name in names if joints[name].parent is None and joints[name].child not in parents]
    if not free:
        raise _refused(robot, tendon, "joins two joints of one chain; a motor's body hangs on the world by itself")
    motor = free[-1]
    return next(name for name in names if name != motor), motor


def _weight(mechanism: Mechanism) -> float:
    """Return the weight of everything, N: what a torque is small against, at 1 m."""
    return float(np.abs(mechanism.mass).sum() * max(1.0, float(np.linalg.norm(mechanism.gravity))))


def _refused(robot: RobotModel, tendon: _Tendon, why: str) -> UsageError:
    name = " and ".join(quoted(joint) for joint in tendon.coefficients)
    return UsageError(f"{robot.path}:{tendon.element.line}: the fixed tendon of {name} {why}")
