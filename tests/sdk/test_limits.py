from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robodyn_check.sdk.adapter import Source, Unsupported
from robodyn_check.sdk.limits import TESTS, refuse
from robodyn_check.sdk.readback import IDENTITY, BodyReadback, JointReadback, Readback

PLACE: dict[str, Any] = {"rotation": IDENTITY, "translation": (0.0, 0.0, 0.0), "axis": (0.0, 0.0, 1.0)}


def link(name: str, joint: str | None = None) -> BodyReadback:
    return BodyReadback(name=name, mass=1.0, com=(0.0, 0.0, 0.0), inertia=IDENTITY, joint=joint)


def joint(
    name: str, kind: str = "revolute", parent: str | None = "base", child: str = "arm", **more: Any
) -> JointReadback:
    return JointReadback(name=name, kind=kind, parent=parent, child=child, **PLACE, **more)


#: feature -> a robot that has it and nothing else of `TESTS`
ROBOTS = {
    "no_joints": Readback(bodies=(link("base"),)),
    "floating_base": Readback(bodies=(link("base", "free"),), joints=(joint("free", "floating", None, "base"),)),
    "world_link": Readback(bodies=(link("world", "free"),), joints=(joint("free", "floating", None, "world"),)),
    "joint_kind": Readback(bodies=(link("base"), link("arm", "a")), joints=(joint("a", "planar"),)),
    "branching": Readback(
        bodies=(link("base"), link("arm", "a"), link("leg", "b")), joints=(joint("a"), joint("b", child="leg"))
    ),
    "prismatic": Readback(bodies=(link("base"), link("arm", "a")), joints=(joint("a", "prismatic"),)),
    "several_joints_on_a_body": Readback(
        bodies=(link("base"), link("arm", "b")), joints=(joint("a"), joint("b", parent="arm"))
    ),
    "armature": Readback(bodies=(link("base"), link("arm", "a")), joints=(joint("a", armature=(0.1,)),)),
}


def source(mechanism: Readback) -> Source:
    values: dict[str, Any] = {
        "path": Path("robot.urdf"),
        "format": "urdf",
        "base": "fixed",
        "gravity": (0.0, 0.0, -9.81),
    }
    return Source(**values, joints=(), links=(), mechanism=mechanism)


@pytest.mark.parametrize("feature", TESTS)
def test_a_robot_at_a_limit_is_refused_with_the_documented_reason(feature: str):
    with pytest.raises(Unsupported, match="the reason") as caught:
        refuse({feature: "the reason"}, source(ROBOTS[feature]))
    assert caught.value.feature == feature


@pytest.mark.parametrize("feature", TESTS)
def test_an_ordinary_arm_reaches_no_limit(feature: str):
    arm = Readback(bodies=(link("base"), link("arm", "a")), joints=(joint("a"),))
    refuse({feature: "the reason", "something_else": "the adapter finds it itself"}, source(arm))
