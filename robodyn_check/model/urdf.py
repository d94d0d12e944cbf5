"""URDF: every value with its line, every fault of the file in one go.

Source: the URDF specification of ROS (link, joint, inertial, axis, limit, mimic: defaults and required parts).
Where loaders are more lenient than it (a missing mass, two inertials, a number with something behind it), they disagree
with each other; that is a fault here.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from robodyn_check.model.faults import Faults
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import RobotModel
from robodyn_check.model.urdf_joints import read_joint
from robodyn_check.model.urdf_links import read_link
from robodyn_check.model.urdf_tree import check_tree
from robodyn_check.model.urdf_values import UrdfReader

if TYPE_CHECKING:
    from robodyn_check.model.xml import XmlElement


def read_urdf(path: str, data: bytes, root: XmlElement) -> RobotModel:
    """Build the robot from a parsed URDF.

    Args:
        path: The file's name, for messages and the report.
        data: Its bytes, for the hash.
        root: Its ``<robot>``.

    Raises:
        ModelError: The file has faults; all of them, sorted by line.
    """
    faults = Faults(path)
    reader = UrdfReader(faults=faults)
    name = reader.name(root, "the robot's name")
    links = tuple(read_link(element, reader) for element in root.all("link"))
    joints = tuple(read_joint(element, reader) for element in root.all("joint"))
    _keep_extensions(root, reader)
    _check_expanded(root, faults)
    if "xacro-not-expanded" not in faults.causes():  # a macro may hold the links that seem to be missing
        if not links:
            faults.add(root.line, "the robot has no <link>, expected at least one", cause="missing-element")
        check_tree(links, joints, faults)
    faults.raise_if_any()
    return RobotModel(
        name=name,
        format="urdf",
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        links=links,
        joints=joints,
        extensions=tuple(sorted(reader.extensions, key=lambda element: element.line or 0)),
    )


def _keep_extensions(root: XmlElement, reader: UrdfReader) -> None:
    """Keep what stands beside links and joints; a gazebo element or a transmission belongs to what it refers to."""
    reader.keep_unknown_attributes(root, ("name", "version"), None)
    for element in root.children:
        if element.tag in {"link", "joint"}:
            continue
        owner = element.get("reference")
        if owner is None:
            joint = element.first("joint")
            owner = joint.get("name") if joint is not None else None
        reader.keep(element, owner)


def _check_expanded(root: XmlElement, faults: Faults) -> None:
    """Record elements of xacro, wherever they are."""
    for element in root.walk():
        if element.tag.startswith("xacro:"):
            faults.add(
                element.line,
                f"{quoted(element.tag)} is an element of xacro, which is not a part of URDF; run xacro first: "
                "xacro in.xacro > out.urdf",
                cause="xacro-not-expanded",
            )
