"""What a library without a loader gets is the robot: its numbers give back the mechanism's inertia."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.describe import describe
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.sdk.bodies import moving_bodies
from robodyn_check.sdk.records import from_json, to_json
from tests.adapters.test_protocol import SOURCE

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_links_add_up_to_the_bodies_that_carry_them(base: str):
    robot = read_model(SOURCE.path)
    mechanism = build_mechanism(robot, base="floating" if base == "floating" else "fixed")
    held = describe(robot, mechanism)
    names = [joint.name for joint in held.joints]
    assert names == (["floating_base", "slider", "hinge"] if base == "floating" else ["slider", "hinge"])
    assert held.total_mass == 2.3
    for body in range(mechanism.nb):
        joint = mechanism.joints[mechanism.body_joint[body]].name
        mine = [link for link in held.bodies if link.joint == joint]
        assert sum(link.mass for link in mine) == pytest.approx(mechanism.mass[body])
        moment = sum(link.mass * (np.array(link.rotation) @ link.com + link.translation) for link in mine)
        np.testing.assert_allclose(moment, mechanism.first_moment[:, body], atol=1e-15)
    assert from_json(type(held), to_json(held), "mechanism") == held


def test_a_fixed_joint_may_have_the_name_of_the_floating_base(tmp_path: Path):
    path = tmp_path / "model.urdf"
    ends = '<parent link="cart"/><child link="shelf"/>'
    weld = f'<link name="shelf"/><joint name="floating_base" type="fixed">{ends}</joint></robot>'
    path.write_text(SOURCE.path.read_text(encoding="utf-8").replace("</robot>", weld), encoding="utf-8")
    robot = read_model(path)
    held = describe(robot, build_mechanism(robot, base="floating"))
    assert [(joint.name, joint.kind, joint.parent) for joint in held.joints] == [
        ("floating_base", "floating", None),
        ("slider", "prismatic", "rail"),
        ("hinge", "continuous", "cart"),
        ("floating_base", "fixed", "cart"),
    ]
    assert [body.joint for body in moving_bodies(held)] == ["floating_base", "slider", "hinge"]


def test_a_joint_stands_in_its_parent_link_and_its_child_in_it():
    robot = read_model(SOURCE.path)
    held = describe(robot, build_mechanism(robot, base="fixed"))
    hinge = held.joints[1]
    assert (hinge.kind, hinge.parent, hinge.child, hinge.axis) == ("continuous", "cart", "pole", (0.0, -1.0, 0.0))
    assert hinge.translation == (0.0, 0.0, 0.0)
    assert hinge.child_rotation == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def test_canonical_joints_and_links_are_the_mechanism_s():
    robot = read_model(SOURCE.path)
    canonical = canonical_of(build_mechanism(robot, base="floating"))
    assert [(joint.name, joint.q, joint.v) for joint in canonical.joints] == [
        ("floating_base", 0, 0),
        ("slider", 7, 6),
        ("hinge", 8, 7),
    ]
    assert [(link.name, link.joint) for link in canonical.links] == [
        ("rail", "floating_base"),
        ("cart", "slider"),
        ("pole", "hinge"),
    ]
