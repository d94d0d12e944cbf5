"""``NAME.joints.toml``: what no model format says about joints: springs, gears, rotors, torque limits; and a payload.

    [default]                 # for every joint of one degree of freedom that has no table of its own
    damping = 0.0

    [joints.shoulder]
    stiffness = 1.2e4         # of the gear, K, N m/rad (N/m for a sliding joint)
    damping = 1.5             # of the gear, D, N m s/rad
    gear_ratio = 100          # N, motor turns for one of the joint
    rotor_inertia = 2e-5      # about the rotor's axis, before the gear, kg m²
    torque_limit = 300        # behind the gear, N m

    [joints.wrist]
    motor_inertia = 0.2       # instead of gear_ratio and rotor_inertia: J = N² J_rotor, kg m²

    [payload]                 # fixed to a link
    link = "flange"
    mass = 2.0                # kg
    center_of_mass = [0, 0, 0.08]                  # m, in the link's frame
    inertia = [0.004, 0, 0, 0.004, 0, 0.002]       # xx xy xz yy yz zz about it, link axes, kg m²

It serves ``flex`` and ``analyze`` and never enters ``check``. `model.joint_data_reader` reads it. Plain Python.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_values import made
from robodyn_check.model.robot import Inertial, Joint, Link, Pose

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from robodyn_check.model.robot import Number, RobotModel

SUFFIX = ".joints.toml"
PAYLOAD = "payload"
#: Kinds of joints that have one coordinate, and so one motor.
ONE_DOF = frozenset({"revolute", "continuous", "prismatic"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """What is known of one joint's drive; None is unknown. Units as in the module's text."""

    stiffness: float | None = None
    damping: float | None = None
    gear_ratio: float | None = None
    rotor_inertia: float | None = None
    motor_inertia: float | None = None
    torque_limit: float | None = None

    @property
    def reflected_inertia(self) -> float | None:
        """J behind the gear, kg m²: as given, or N² J_rotor."""
        if self.motor_inertia is not None:
            return self.motor_inertia
        if self.gear_ratio is None or self.rotor_inertia is None:
            return None
        return motor_inertia(gear_ratio=self.gear_ratio, rotor_inertia=self.rotor_inertia)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """A body fixed to a link: mass (kg), centre of mass (m, link frame), inertia about it (xx xy xz yy yz zz)."""

    link: str
    mass: float
    center_of_mass: tuple[float, ...] = (0.0, 0.0, 0.0)
    inertia: tuple[float, ...] = (0.0,) * 6


@dataclass(frozen=True, slots=True, kw_only=True)
class JointData:
    """One file: the drive of every joint of one degree of freedom, by name in file order, and the payload."""

    path: str
    drives: Mapping[str, Drive]
    payload: Payload | None = None


def motor_inertia(*, gear_ratio: float, rotor_inertia: float) -> float:
    """Return J = N² J_rotor, kg m²: a rotor's inertia as the joint behind the gear feels it."""
    return gear_ratio**2 * rotor_inertia


def beside(model: Path) -> Path | None:
    """Return ``NAME.joints.toml`` beside a model ``NAME.urdf``, None where there is none."""
    path = model.with_name(model.stem + SUFFIX)
    return path if path.is_file() else None


def with_model_springs(data: JointData, robot: RobotModel) -> tuple[JointData, tuple[str, ...]]:
    """Take K and D of joints that the data gives no stiffness from the model's own joint springs (MJCF ``stiffness``).

    Such a spring pulls to ``springref``: an elastic joint whose motor stands still there. With a rotor from the data
    the motor may move, and springref is only where it stood.

    Returns:
        The data, and the names of the joints that took their spring from the model.
    """
    springs = {
        joint.name: (joint.stiffness.value, joint.damping.value if joint.damping is not None else 0.0)
        for joint in robot.joints
        if joint.stiffness is not None and joint.stiffness.value > 0.0
    }
    taken = tuple(name for name, drive in data.drives.items() if drive.stiffness is None and name in springs)
    drives = {
        name: replace(
            drive,
            stiffness=springs[name][0],
            damping=springs[name][1] if drive.damping is None else drive.damping,
        )
        if name in taken
        else drive
        for name, drive in data.drives.items()
    }
    return replace(data, drives=drives), taken


def with_payload(robot: RobotModel, payload: Payload | None) -> RobotModel:
    """Return the robot with its payload as a link of its own, fixed to the link that carries it."""
    if payload is None:
        return robot
    taken = {link.name for link in robot.links} | {joint.name for joint in robot.joints}
    name = PAYLOAD
    while name in taken or f"{name}_mount" in taken:
        name += "_"
    x, y, z = (made(value, None) for value in payload.center_of_mass)
    xx, xy, xz, yy, yz, zz = (made(value, None) for value in payload.inertia)
    inertial = Inertial(
        origin=Pose(xyz=(x, y, z)), mass=made(payload.mass, None), inertia=(xx, xy, xz, yy, yz, zz), source="file"
    )
    nowhere: tuple[Number, Number, Number] = (made(0.0, None),) * 3
    mount = Joint(
        name=f"{name}_mount",
        kind="fixed",
        line=None,
        parent=payload.link,
        child=name,
        placements=(Pose(xyz=nowhere),),
    )
    return replace(
        robot,
        links=(*robot.links, Link(name=name, line=None, inertial=inertial)),
        joints=(*robot.joints, mount),
    )
