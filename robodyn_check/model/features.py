"""What a robot has that triggers known faults of libraries: the words of ``feature`` in ``adapters/known/*.toml``.

A feature is a property of the file as written, never of numbers computed from it. Plain Python.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.robot import Inertial, Joint, Number, RobotModel, Rotation


def features_of(robot: RobotModel) -> frozenset[str]:
    """Return the names of the features that the robot has."""
    return frozenset(name for name, has in FEATURES.items() if has(robot))


def _any_joint(test: Callable[[Joint], bool]) -> Callable[[RobotModel], bool]:
    return lambda robot: any(test(joint) for joint in robot.joints)


def _any_inertial(test: Callable[[Inertial], bool]) -> Callable[[RobotModel], bool]:
    return lambda robot: any(link.inertial is not None and test(link.inertial) for link in robot.links)


def _kind(*kinds: str) -> Callable[[RobotModel], bool]:
    return _any_joint(lambda joint: joint.kind in kinds)


def _nonzero(number: Number | None) -> bool:
    return number is not None and number.value != 0.0


def _turned(rotation: Rotation | None) -> bool:
    if rotation is None:
        return False
    values = [number.value for number in rotation.numbers]
    match rotation.kind:
        case "quaternion":
            return any(values[1:])
        case "axis_angle":
            return values[3] != 0.0
        case "xyaxes":
            return bool(any(values[1:3]) or values[3] or values[5] or values[0] <= 0 or values[4] <= 0)
        case "zaxis":
            return bool(any(values[:2]) or values[2] <= 0)
        case _:
            return any(values)


def _oblique(joint: Joint) -> bool:
    return joint.axis is not None and sum(_nonzero(component) for component in joint.axis) > 1


def _non_unit(joint: Joint) -> bool:
    return joint.axis is not None and abs(sum(component.value**2 for component in joint.axis) - 1.0) > 1e-12


def _negative(joint: Joint) -> bool:
    return joint.axis is not None and any(component.value < 0 for component in joint.axis)


def _massive(robot: RobotModel) -> set[str]:
    return {link.name for link in robot.links if link.inertial is not None and _nonzero(link.inertial.mass)}


def _massless(robot: RobotModel) -> bool:
    return len(_massive(robot)) < len(robot.links)


def _weightless(robot: RobotModel) -> bool:
    """Tell whether a link has an inertia but no mass."""
    return any(
        link.inertial is not None
        and not _nonzero(link.inertial.mass)
        and any(_nonzero(value) for value in link.inertial.inertia)
        for link in robot.links
    )


def _point_mass(inertial: Inertial) -> bool:
    return _nonzero(inertial.mass) and not any(map(_nonzero, inertial.inertia))


def _tiny_inertia(inertial: Inertial) -> bool:
    """Tell whether the largest entry of an inertia is below 1e-9 kg m² and not zero."""
    return 0.0 < max(abs(entry.value) for entry in inertial.inertia) < 1e-9


def _tiny_offset(inertial: Inertial) -> bool:
    """Tell whether the centre of mass is off the link's origin, by less than a micrometre in every direction."""
    offset = [abs(component.value) for component in inertial.origin.xyz]
    return _nonzero(inertial.mass) and 0.0 < max(offset) < 1e-6


def _trailing_fixed(robot: RobotModel) -> bool:
    parents = {joint.parent for joint in robot.joints}
    massive = _massive(robot)
    return any(j.kind == "fixed" and j.child not in parents and j.child in massive for j in robot.joints)


def _branching(robot: RobotModel) -> bool:
    parents = [joint.parent for joint in robot.joints if joint.parent is not None]
    return len(set(parents)) < len(parents)


def _several_joints(robot: RobotModel) -> bool:
    return any(joint.parent == joint.child for joint in robot.joints)


def _root_inertia(robot: RobotModel) -> bool:
    return bool(set(robot.root_links()) & _massive(robot))


def _inertials(robot: RobotModel, *, root: bool) -> list[Inertial]:
    """Return what the root links, or all others, state about their mass."""
    roots = set(robot.root_links())
    return [link.inertial for link in robot.links if link.inertial is not None and (link.name in roots) is root]


def _origin_left_out(robot: RobotModel) -> bool:
    """Tell whether a joint or an inertial of a URDF states no origin, which then is the identity."""
    poses = [link.inertial.origin for link in robot.links if link.inertial is not None]
    poses += [pose for joint in robot.joints if joint.parent is not None for pose in joint.placements]
    return robot.format == "urdf" and any(pose.line is None for pose in poses)


def _root_without_inertial(robot: RobotModel) -> bool:
    roots = set(robot.root_links())
    return any(link.inertial is None for link in robot.links if link.name in roots)


def _displaced(joint: Joint) -> bool:
    """Tell whether a joint's frame is not its parent link's."""
    return any(_turned(pose.rotation) or any(map(_nonzero, pose.xyz)) for pose in joint.placements)


def _fixed_between(robot: RobotModel) -> bool:
    """Tell whether a displaced fixed joint has a moving one below it."""
    below = {joint.child: joint for joint in robot.joints if joint.parent != joint.child}
    for joint in robot.joints:
        above = joint.parent if joint.kind != "fixed" else None
        while above in below and (fixed := below[above]).kind == "fixed":
            if _displaced(fixed):
                return True
            above = fixed.parent
    return False


def _welded_inertial(robot: RobotModel) -> bool:
    """Tell whether a link that no joint of its own moves states an inertial."""
    moved = {joint.child for joint in robot.joints if joint.kind != "fixed"}
    return any(link.inertial is not None and link.name not in moved for link in robot.links)


def _turned_weld(joint: Joint) -> bool:
    """Tell whether a fixed joint turns and does not displace."""
    turned = any(_turned(pose.rotation) for pose in joint.placements)
    return joint.kind == "fixed" and turned and not any(_nonzero(one) for pose in joint.placements for one in pose.xyz)


def _welds_side_by_side(robot: RobotModel) -> bool:
    """Tell whether a moving link, or one welded to it, carries two welded links or more, and one of them has mass."""
    below = {joint.child: joint for joint in robot.joints if joint.parent != joint.child}
    massive, welds = _massive(robot), [joint for joint in robot.joints if joint.kind == "fixed"]
    for parent in {joint.parent for joint in welds if joint.parent is not None}:
        children = {joint.child for joint in welds if joint.parent == parent}
        above = below.get(parent)
        while above is not None and above.kind == "fixed":
            above = None if above.parent is None else below.get(above.parent)
        if above is not None and len(children) > 1 and children & massive:
            return True
    return False


def _near_quarter_pitch(joint: Joint) -> bool:
    """Tell whether a frame is pitched by nearly a quarter turn, where roll and yaw nearly turn about one axis.

    Nearly: angles found from such a rotation have five times its error, 1 / cos(pitch), or more.
    """
    rotations = [pose.rotation for pose in joint.placements if pose.rotation is not None]
    return any(
        rotation.kind == "rpy" and 1e-15 < abs(abs(rotation.numbers[1].value) - math.pi / 2) < 0.2
        for rotation in rotations
    )


def _planar_turned(joint: Joint) -> bool:
    """Tell whether a planar joint moves in another plane than that of x and y."""
    return (
        joint.kind == "planar" and joint.axis is not None and (any(map(_nonzero, joint.axis[:2])) or _negative(joint))
    )


def _range_left_out(joint: Joint) -> bool:
    """Tell whether a joint that should state its range states one without ends."""
    limits = joint.limits
    return joint.kind in {"revolute", "prismatic"} and (
        limits is None or (limits.lower is None and limits.upper is None)
    )


def _shape_without_inertial(robot: RobotModel) -> bool:
    return any(link.inertial is None and shape.role == "collision" for link in robot.links for shape in link.shapes)


def _package_mesh(robot: RobotModel) -> bool:
    names = [shape.filename or "" for link in robot.links for shape in link.shapes]
    return any(name.startswith("package://") for name in names)


def _collision_mesh(robot: RobotModel) -> bool:
    return any(shape.kind == "mesh" and shape.role == "collision" for link in robot.links for shape in link.shapes)


FEATURES: dict[str, Callable[[RobotModel], bool]] = {
    "urdf": lambda robot: robot.format == "urdf",
    "mjcf": lambda robot: robot.format == "mjcf",
    "fixed_joint": _kind("fixed"),
    "prismatic": _kind("prismatic"),
    "continuous": _kind("continuous"),
    "planar": _kind("planar"),
    "planar_axis_not_z": _any_joint(_planar_turned),
    "floating": _kind("floating"),
    "ball": _kind("ball"),
    "mimic": _any_joint(lambda joint: joint.mimic is not None),
    "branching": _branching,
    "single_joint": lambda robot: sum(joint.kind != "fixed" for joint in robot.joints) == 1,
    "several_joints_on_a_body": _several_joints,
    "oblique_axis": _any_joint(_oblique),
    "negative_axis": _any_joint(_negative),
    "non_unit_axis": _any_joint(_non_unit),
    "oblique_axis_with_armature": _any_joint(lambda joint: _oblique(joint) and _nonzero(joint.armature)),
    "displaced_root_body": _any_joint(
        lambda joint: joint.kind == "fixed" and joint.parent is None and _displaced(joint)
    ),
    "rotated_joint": _any_joint(lambda joint: any(_turned(pose.rotation) for pose in joint.placements)),
    "armature": _any_joint(lambda joint: _nonzero(joint.armature)),
    "damping": _any_joint(lambda joint: _nonzero(joint.damping)),
    "friction": _any_joint(lambda joint: _nonzero(joint.friction)),
    "range_left_out": _any_joint(_range_left_out),
    "friction_alone": _any_joint(lambda joint: joint.friction is not None and joint.damping is None),
    "stiffness": _any_joint(lambda joint: _nonzero(joint.stiffness)),
    "reference_position": _any_joint(lambda joint: _nonzero(joint.reference)),
    "rotated_inertial": _any_inertial(lambda inertial: _turned(inertial.origin.rotation)),
    "products_of_inertia": _any_inertial(lambda inertial: any(_nonzero(inertial.inertia[k]) for k in (1, 2, 4))),
    "point_mass": _any_inertial(_point_mass),
    "tiny_inertia": _any_inertial(_tiny_inertia),
    "tiny_inertial_offset": _any_inertial(_tiny_offset),
    "massless_link": _massless,
    "link_without_inertial": lambda robot: any(link.inertial is None for link in robot.links),
    "origin_left_out": _origin_left_out,
    "shape_without_inertial": _shape_without_inertial,
    "inertia_without_mass": _weightless,
    "root_inertia": _root_inertia,
    "root_without_inertial": _root_without_inertial,
    "rotated_root_inertial": lambda robot: any(_turned(one.origin.rotation) for one in _inertials(robot, root=True)),
    "rotated_child_inertial": lambda robot: any(_turned(one.origin.rotation) for one in _inertials(robot, root=False)),
    "trailing_fixed_link": _trailing_fixed,
    "fixed_link_between_joints": _fixed_between,
    "welded_inertial": _welded_inertial,
    "welds_side_by_side": _welds_side_by_side,
    "turned_weld": _any_joint(_turned_weld),
    "near_quarter_pitch": _any_joint(_near_quarter_pitch),
    "package_mesh": _package_mesh,
    "collision_mesh": _collision_mesh,
    "no_shape": lambda robot: not robot.geoms and not any(link.shapes for link in robot.links),
    "gravity_in_file": lambda robot: robot.gravity is not None,
    "outside_rigid_body": lambda robot: bool(robot.outside),
}
