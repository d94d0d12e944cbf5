"""The robot as plain numbers, for libraries without a loader of their own (``needs_mechanism``).

Same shape as a readback. Joints in file order, fixed ones included: the joint frame before motion in the parent link's
frame, the axis in the joint frame, the child link's frame in the joint frame after motion. Links in file order, each
with the moving joint that carries it and its placement in that joint's frame after motion (in the world's, where none
does). Of several joints on one body the second and later ones have the body itself as parent: their placement is in the
frame of the joint before them, after its motion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, numbers, vector

if TYPE_CHECKING:
    from typing import Any

    from robodyn_check.model.mechanism import Mechanism, MovingJoint
    from robodyn_check.model.robot import RobotModel

    Frame = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]

WORLD: Frame = (np.eye(3), np.zeros(3))


def describe(robot: RobotModel, mechanism: Mechanism) -> Readback:
    """Return joints, links and gravity of a robot, exactly as the reference sees them."""
    moving = {joint.name: joint for joint in mechanism.joints}
    written = {joint.name for joint in robot.joints if joint.kind != "fixed"}
    roots = robot.root_links()
    # a floating base that nobody wrote; a fixed joint may have its name
    joints = [
        _moving(mechanism, joint, None, roots[0] if roots else None)
        for joint in mechanism.joints
        if joint.name not in written
    ]
    joints += [
        _fixed(mechanism, joint.name, joint.parent, joint.child)
        if joint.kind == "fixed"
        else _moving(mechanism, moving[joint.name], joint.parent, joint.child)
        for joint in robot.joints
    ]
    bodies = [
        BodyReadback(
            name=name,
            mass=float(mechanism.link_mass[number]),
            com=vector(mechanism.link_com[:, number]),
            inertia=matrix(mechanism.link_inertia[:, :, number]),
            joint=None if body < 0 else mechanism.joints[mechanism.body_joint[body]].name,
            links=(name,),
            rotation=matrix(mechanism.link_R[:, :, number]),
            translation=vector(mechanism.link_p[:, number]),
        )
        for number, (name, body) in enumerate(zip(mechanism.links, mechanism.link_body, strict=True))
    ]
    return Readback(
        bodies=tuple(bodies),
        joints=tuple(joints),
        gravity=vector(mechanism.gravity),
        total_mass=float(sum(body.mass for body in bodies)),
    )


def _fixed(mechanism: Mechanism, name: str, parent: str | None, child: str | None) -> JointReadback:
    """Return a fixed joint."""
    before, after = _ends(mechanism, parent, child)
    rotation, translation = _relative(before, after)
    return JointReadback(
        name=name,
        kind="fixed",
        parent=parent,
        child=child,
        rotation=matrix(rotation),
        translation=vector(translation),
    )


def _moving(mechanism: Mechanism, joint: MovingJoint, parent: str | None, child: str | None) -> JointReadback:
    """Return a moving joint."""
    before, after = _ends(mechanism, parent, child)
    body = joint.body
    tree = (np.asarray(mechanism.R_tree[:, :, body]), np.asarray(mechanism.p_tree[:, body]))
    placement = tree if parent == child else _relative(before, tree)
    single = joint.kind in {"revolute", "continuous", "prismatic", "planar"}
    return JointReadback(
        name=joint.name,
        kind=joint.kind,
        parent=parent,
        child=child,
        rotation=matrix(placement[0]),
        translation=vector(placement[1]),
        axis=vector(mechanism.axis[:, body]) if single else None,
        armature=numbers(mechanism.armature[joint.v]),
        child_rotation=matrix(after[0]),
        child_translation=vector(after[1]),
        reference=float(mechanism.reference[joint.q.start]) if single and joint.kind != "planar" else None,
    )


def _ends(mechanism: Mechanism, parent: str | None, child: str | None) -> tuple[Frame, Frame]:
    """Return the frames of the two links that a joint joins, each in its body's."""
    before = WORLD if parent is None else _link(mechanism, parent)
    after = WORLD if child is None else _link(mechanism, child)
    return before, after


def _link(mechanism: Mechanism, name: str) -> Frame:
    """Return a link's frame in the frame of its body."""
    number = mechanism.links.index(name)
    return np.asarray(mechanism.link_R[:, :, number]), np.asarray(mechanism.link_p[:, number])


def _relative(outer: Frame, inner: Frame) -> Frame:
    """Return the inner frame as seen from the outer one, both in one body's frame."""
    return outer[0].T @ inner[0], outer[0].T @ (inner[1] - outer[1])
