"""Rigid doubles: a robot with each motor as a body and joint of its own, for libraries that know rigid bodies only.

A rotor is a body on the *world* (a fixed root link) with inertia J about its axis. On the link before the joint, where
it sits in the machine, it would add mass there and gyroscopic terms that Spong's model leaves out; on the world it adds
J to the diagonal of the doubled mass matrix and nothing else. Its other moments and its mass enter no equation, since
its centre of mass lies on its fixed axis. The rotor of a sliding joint turns as well: J is then a mass in kg and θ a
length in m, and the equations are the same.

URDF and rigid libraries know no spring between two joints, so `model.elastic.Springs` are applied as joint forces from
outside. MJCF has a word for it, a fixed tendon of length q - θ with stiffness and damping, see `native_mjcf`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.model.joint_data import ONE_DOF
from robodyn_check.model.mjcf_values import made
from robodyn_check.model.quote import listed
from robodyn_check.model.robot import Inertial, Joint, Limits, Link, Pose, Rotation
from robodyn_check.model.translation import tag
from robodyn_check.model.write_mjcf import write_mjcf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.elastic import Springs
    from robodyn_check.model.joint_data import JointData
    from robodyn_check.model.robot import RobotModel

#: Mass of a rotor, kg: loaders want one, no equation holds it.
ROTOR_MASS = 1.0
#: A motor turns as far as it likes; a joint with limits keeps one coordinate in every library.
_FAR = 1e6
_NOWHERE = (made(0.0, None),) * 3


def elastic_joints(robot: RobotModel) -> tuple[str, ...]:
    """Return the joints that get a spring and a motor: all that move, in file order.

    Raises:
        UsageError: A joint with more than one degree of freedom, or none that moves.
    """
    moving = [joint for joint in robot.joints if joint.kind != "fixed"]
    others = [joint.name for joint in moving if joint.kind not in ONE_DOF]
    if others:
        raise UsageError(
            f"{robot.path}: joints {listed(others)} have more than one degree of freedom; elastic joints are revolute, "
            "continuous or prismatic. Fix them, or give the arm alone."
        )
    if not moving:
        raise UsageError(f"{robot.path}: no joint of this robot moves, so none is elastic")
    return tuple(joint.name for joint in moving)


def drives_of(robot: RobotModel, data: JointData) -> tuple[list[float], list[float], list[float]]:
    """Return K, D and J of each elastic joint.

    Raises:
        UsageError: Joints without stiffness or motor inertia, all named.
    """
    names = elastic_joints(robot)
    lacking = [name for name in names if data.drives[name].stiffness is None]
    if lacking:
        raise UsageError(
            f"{data.path}: no stiffness for {listed(lacking)}. Write one under [joints.NAME], or for all under "
            "[default], in N m/rad."
        )
    still = [name for name in names if data.drives[name].reflected_inertia is None]
    if still:
        raise UsageError(
            f"{data.path}: no motor inertia for {listed(still)}. Write gear_ratio and rotor_inertia, or motor_inertia "
            "(behind the gear), in kg m²."
        )
    drives = [data.drives[name] for name in names]
    return (
        [drive.stiffness or 0.0 for drive in drives],
        [drive.damping or 0.0 for drive in drives],
        [drive.reflected_inertia or 0.0 for drive in drives],
    )


def motor_names(robot: RobotModel) -> tuple[str, ...]:
    """Return a name for each motor that no joint or link of the robot has."""
    taken = {joint.name for joint in robot.joints} | {link.name for link in robot.links}
    end = "_motor"
    names = elastic_joints(robot)
    while any(f"{name}{end}" in taken or f"{name}{end}_rotor" in taken for name in names):
        end += "_"
    return tuple(f"{name}{end}" for name in names)


def rigid_double(
    robot: RobotModel, motor_inertia: Sequence[float], *, motors: Sequence[str] | None = None
) -> RobotModel:
    """Return the robot and one rotor a joint; coordinates: the links' in file order, then the motors' in the same.

    Args:
        robot: The robot; mimic relations are dropped, since every joint has its own motor here.
        motor_inertia: J behind the gears, in the order of `elastic_joints`.
        motors: Names of the motors' joints; None: `motor_names`.
    """
    names = motors or motor_names(robot)
    ground = robot.root_links()[0] if robot.format == "urdf" else None
    zero = made(0.0, None)
    links, joints = [], []
    for name, J in zip(names, motor_inertia, strict=True):
        moment = made(float(J), None)
        inertial = Inertial(
            origin=Pose(xyz=_NOWHERE), mass=made(ROTOR_MASS, None), inertia=(moment, zero, zero, moment, zero, moment)
        )
        links.append(Link(name=f"{name}_rotor", line=None, inertial=inertial))
        far = made(_FAR, None)
        joints.append(
            Joint(
                name=name,
                kind="revolute",
                line=None,
                parent=ground,
                child=f"{name}_rotor",
                placements=(Pose(xyz=_NOWHERE),),
                axis=(zero, zero, made(1.0, None)),
                limits=Limits(lower=made(-_FAR, None), upper=far, effort=far, velocity=far),
            )
        )
    own = tuple(replace(joint, mimic=None, damping=None, friction=None, stiffness=None) for joint in robot.joints)
    return replace(robot, links=(*robot.links, *links), joints=(*own, *joints), extensions=(), outside=())


def native_mjcf(robot: RobotModel, springs: Springs) -> str:
    """Write a rigid double as MJCF with its springs: one fixed tendon a joint, of length q - θ and rest length 0.

    Args:
        robot: From `rigid_double`.
        springs: Of the same joints.

    Raises:
        TranslationError: MJCF cannot say something that the robot has.
    """
    text = write_mjcf(robot).text
    names = [joint.name for joint in robot.joints if joint.kind != "fixed"]
    lines = []
    for k in range(springs.n):
        ends = [
            line
            for name, coefficient in ((names[k], "1"), (names[springs.n + k], "-1"))
            for line in tag("joint", {"joint": name, "coef": coefficient}, indent=3)
        ]
        spring = {
            "name": f"{names[k]}_spring",
            "stiffness": repr(float(springs.stiffness[k])),
            "damping": repr(float(springs.damping[k])),
            "springlength": "0",
        }
        lines += tag("fixed", spring, inside=ends, indent=2)
    section = "\n".join(tag("tendon", {}, inside=lines))
    body, closing = text.rsplit("</mujoco>", 1)
    return f"{body}{section}\n</mujoco>{closing}"


#: A rotation that leaves no axis where it was: z y x by 40°, 25° and 70°, rad.
_TURN = tuple(made(angle, None) for angle in (1.2217304763960306, 0.4363323129985824, 0.6981317007977318))


def turned_base(robot: RobotModel) -> RobotModel:
    """Return the robot on a base that is turned; without gravity nothing of its dynamics may change."""
    turn = Pose(xyz=_NOWHERE, rotation=Rotation(kind="rpy", numbers=_TURN))
    if robot.format == "urdf":
        root, name = robot.root_links()[0], "turned_ground"
        taken = {link.name for link in robot.links} | {joint.name for joint in robot.joints}
        while name in taken or f"{name}_joint" in taken:
            name += "_"
        # between the root and what it carries: libraries weld the root itself to the world, by its name
        weld = Joint(name=f"{name}_joint", kind="fixed", line=None, parent=root, child=name, placements=(turn,))
        moved = (replace(joint, parent=name) if joint.parent == root else joint for joint in robot.joints)
        return replace(robot, links=(*robot.links, Link(name=name, line=None)), joints=(weld, *moved))
    joints = (
        replace(joint, placements=(turn, *joint.placements)) if joint.parent is None else joint
        for joint in robot.joints
    )
    return replace(robot, joints=tuple(joints))
