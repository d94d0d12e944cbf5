"""MuJoCo's compiled model as plain data, taken where only it can say a number: inertia from shapes, expanded elements.

The data are what `adapters/mujoco_compile.py` prints. `model.mjcf_compare` compares them with what the file says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from robodyn_check.model.mjcf_schema import JOINT_TYPES
from robodyn_check.model.mjcf_values import made
from robodyn_check.model.robot import Inertial, Joint, Limits, Link, Number, Pose, RobotModel, Rotation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.model.mjcf_settings import Need


def merge_compiled(robot: RobotModel, compiled: Mapping[str, Any], needs: Sequence[Need]) -> RobotModel:
    """Return the robot with what only the compiler says.

    Args:
        robot: The file's own reading.
        compiled: The compiler's data.
        needs: What has to be taken: the inertia of some bodies, all inertias, or the whole tree.
    """
    names = body_names(compiled)
    scopes = {need.scope for need in needs}
    compiler = f"MuJoCo {compiled['mujoco']}"
    stated = {link.name: link for link in robot.links}
    if "tree" in scopes:
        links = tuple(
            Link(
                name=name,
                line=stated[name].line if name in stated else None,
                inertial=_inertial(body, stated[name].line if name in stated else None),
            )
            for name, body in zip(names, compiled["bodies"], strict=True)
        )
        return replace(robot, links=links, joints=_joints(robot, compiled, names), compiler=compiler)
    wanted = set(stated) if "inertias" in scopes else {need.body for need in needs}
    bodies = dict(zip(names, compiled["bodies"], strict=True))
    links = tuple(
        replace(link, inertial=_inertial(bodies[link.name], link.line)) if link.name in wanted else link
        for link in robot.links
    )
    return replace(robot, links=links, compiler=compiler)


def body_names(compiled: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the compiled bodies; an unnamed one is ``body#k`` with MuJoCo's number."""
    return tuple(body["name"] or f"body#{k}" for k, body in enumerate(compiled["bodies"], start=1))


def joint_names(compiled: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the compiled joints; an unnamed one is ``body/joint#k`` with its number on its body."""
    bodies = ("world", *body_names(compiled))
    seen: dict[int, int] = {}
    names = []
    for joint in compiled["joints"]:
        k = seen.get(joint["body"], 0)
        seen[joint["body"]] = k + 1
        names.append(joint["name"] or f"{bodies[joint['body']]}/joint#{k}")
    return tuple(names)


def _vector(values: Sequence[float], line: int | None) -> tuple[Number, Number, Number]:
    x, y, z = (made(float(value), line) for value in values)
    return (x, y, z)


def _pose(position: Sequence[float], quaternion: Sequence[float], line: int | None) -> Pose:
    turn = Rotation(kind="quaternion", numbers=tuple(made(float(value), line) for value in quaternion))
    unturned = list(quaternion) == [1.0, 0.0, 0.0, 0.0]
    return Pose(xyz=_vector(position, line), rotation=None if unturned else turn, line=line)


def _inertial(body: Mapping[str, Any], line: int | None) -> Inertial:
    xx, yy, zz = _vector(body["diaginertia"], line)
    zero = made(0.0, line)
    return Inertial(
        origin=_pose(body["ipos"], body["iquat"], line),
        mass=made(float(body["mass"]), line),
        inertia=(xx, zero, zero, yy, zero, zz),
        line=line,
        source="compiler",
    )


def _joints(robot: RobotModel, compiled: Mapping[str, Any], names: tuple[str, ...]) -> tuple[Joint, ...]:
    """Return the joints of the compiled tree; where the file names a joint, its line is kept."""
    lines = {joint.name: joint.line for joint in robot.joints}
    joints: list[Joint] = []
    named = list(zip(joint_names(compiled), compiled["joints"], strict=True))
    for number, (name, body) in enumerate(zip(names, compiled["bodies"], strict=True), start=1):
        parent = names[body["parent"] - 1] if body["parent"] > 0 else None
        here = (_pose(body["pos"], body["quat"], lines.get(f"{name}/weld")),)
        own = [(label, joint) for label, joint in named if joint["body"] == number]
        if not own:
            label = f"{name}/weld"
            joints.append(
                Joint(name=label, kind="fixed", line=lines.get(label), parent=parent, child=name, placements=here)
            )
        for index, (label, joint) in enumerate(own):
            joints.append(
                _joint(label, joint, name, name if index else parent, () if index else here, lines.get(label))
            )
    return tuple(joints)


def _joint(
    label: str,
    joint: Mapping[str, Any],
    body: str,
    parent: str | None,
    before: tuple[Pose, ...],
    line: int | None,
) -> Joint:
    kind = joint["type"]
    one_dof = kind in {"hinge", "slide"}
    anchored = kind != "free" and any(joint["pos"])
    back = Pose(xyz=_vector([-value for value in joint["pos"]], line), line=line)
    lower, upper = (made(float(value), line) for value in joint["range"])
    return Joint(
        name=label,
        kind=JOINT_TYPES[kind][0],  # type: ignore[arg-type]  # the table holds JointKind words
        line=line,
        parent=parent,
        child=body,
        placements=(*before, Pose(xyz=_vector(joint["pos"], line), line=line)) if anchored else before,
        child_placement=back if anchored else None,
        axis=_vector(joint["axis"], line) if one_dof else None,
        limits=Limits(lower=lower, upper=upper, line=line) if joint["limited"] and one_dof else None,
        damping=made(joint["damping"], line),
        friction=made(joint["frictionloss"], line),
        stiffness=made(joint["stiffness"], line),
        armature=made(joint["armature"], line),
        reference=made(joint["qpos0"], line) if one_dof and joint["qpos0"] != 0 else None,
        origin_is_absolute=kind == "free",
    )
