"""Refusals that adapters share: a library's documented ``limits``, looked up in the robot that is to be loaded.

An adapter with ``needs_mechanism`` calls ``refuse(self.limits, source)`` first thing in `load`. Features that are not
among `TESTS` are the adapter's own to find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.sdk.adapter import Unsupported
from robodyn_check.sdk.bodies import SINGLE, moving_bodies

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from robodyn_check.sdk.adapter import Source
    from robodyn_check.sdk.readback import JointReadback, Readback


def refuse(limits: Mapping[str, str], source: Source) -> None:
    """Compare a robot with the documented limits.

    Raises:
        Unsupported: The robot reaches one of them; the text is the documented reason.
    """
    assert source.mechanism is not None, "an adapter that refuses by its limits declares needs_mechanism"
    for feature, reason in limits.items():
        if feature in TESTS and TESTS[feature](source.mechanism):
            raise Unsupported(feature, reason)


def _moving(mechanism: Readback) -> list[JointReadback]:
    return [joint for joint in mechanism.joints if joint.kind != "fixed"]


def _base(joint: JointReadback) -> bool:
    """Tell whether a joint is a floating base: free, and on no other link."""
    return joint.kind == "floating" and joint.parent is None


def _branching(mechanism: Readback) -> bool:
    bodies = moving_bodies(mechanism)
    return [body.parent for body in bodies] != [None, *(body.joint for body in bodies[:-1])][: len(bodies)]


def _several_joints(mechanism: Readback) -> bool:
    return any(joint.parent is not None and joint.parent == joint.child for joint in _moving(mechanism))


#: feature of ``limits`` -> does the robot have it?
TESTS: dict[str, Callable[[Readback], bool]] = {
    "no_joints": lambda mechanism: not _moving(mechanism),
    "floating_base": lambda mechanism: any(_base(joint) for joint in _moving(mechanism)),
    "joint_kind": lambda mechanism: any(joint.kind not in SINGLE and not _base(joint) for joint in _moving(mechanism)),
    "world_link": lambda mechanism: any(_base(joint) and joint.child == "world" for joint in _moving(mechanism)),
    "branching": _branching,
    "prismatic": lambda mechanism: any(joint.kind == "prismatic" for joint in _moving(mechanism)),
    "several_joints_on_a_body": _several_joints,
    "armature": lambda mechanism: any(any(joint.armature or ()) for joint in _moving(mechanism)),
}
