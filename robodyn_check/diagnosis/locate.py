"""The line of the model file that a cause is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.results import Where

if TYPE_CHECKING:
    from robodyn_check.model.robot import Joint, Link, RobotModel


def locate(robot: RobotModel, cause: str, element: str | None) -> Where | None:
    """Return the place of the element that a cause names; of gravity, the line that states it; None: no one place."""
    line = _line(robot, cause, element)
    return None if line is None else Where(file=robot.path, line=line)


def _line(robot: RobotModel, cause: str, element: str | None) -> int | None:
    if cause.startswith("gravity") and robot.gravity is not None:
        return robot.gravity[0].line
    if element is None:
        return _first_armature(robot) if cause.startswith("armature") else None
    for name in element.split(" and "):
        joint = next((one for one in robot.joints if one.name == name), None)
        link = next((one for one in robot.links if one.name == name), None)
        found = _of_joint(joint, cause) if joint is not None else _of_link(robot, link, cause)
        if found is not None:
            return found
    return None


def _of_joint(joint: Joint, cause: str) -> int | None:
    if "armature" in cause and joint.armature is not None:
        return joint.armature.line or joint.line
    if "axis" in cause and joint.axis is not None:
        return joint.axis[0].line or joint.line
    return joint.line


def _of_link(robot: RobotModel, link: Link | None, cause: str) -> int | None:
    """Return the line of the inertial, or of the fixed joint where the cause is about one."""
    if link is None:
        return None
    if cause in {"fixed-link-not-rotated", "fixed-link-wrong-point", "joint-placement-differs"}:
        weld = next((joint for joint in robot.joints if joint.child == link.name), None)
        return None if weld is None else weld.line
    if link.inertial is not None and link.inertial.line is not None:
        return link.inertial.line
    return link.line


def _first_armature(robot: RobotModel) -> int | None:
    return next((joint.armature.line for joint in robot.joints if joint.armature is not None), None)
