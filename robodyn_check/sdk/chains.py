"""The serial chain of a robot, for libraries that look at the path from the root link to one tip alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robodyn_check.sdk.readback import JointReadback, Readback


def tip_link(mechanism: Readback) -> str:
    """Return the link at the end of the chain: from the last moving joint on, along the first fixed joint each time."""
    moving = [joint for joint in mechanism.joints if joint.kind != "fixed"]
    link = str(max(moving, key=lambda joint: len(path_to(str(joint.child), mechanism))).child)
    below = {str(joint.parent): str(joint.child) for joint in reversed(mechanism.joints) if joint.kind == "fixed"}
    while link in below:
        link = below[link]
    return link


def path_to(link: str, mechanism: Readback) -> tuple[JointReadback, ...]:
    """Return the joints, fixed ones included, between the root link and a link, from the root on."""
    above = {joint.child: joint for joint in mechanism.joints}
    path: list[JointReadback] = []
    while link in above and above[link].parent is not None:
        path.append(above[link])
        link = str(above[link].parent)
    return tuple(reversed(path))
