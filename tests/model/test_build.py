"""From the robot as written to arrays."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from robodyn_check.errors import UsageError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.mimic import mimic_matrix, relations
from robodyn_check.model.robot import Limits, Mimic, Number, Pose, Rotation
from robodyn_check.reference.engine import evaluate
from tests.reference.robots import joint, link, number, robot, vector


def pose(xyz: Any, rpy: Any = (0, 0, 0)) -> Pose:
    return Pose(xyz=vector(xyz), rotation=Rotation(kind="rpy", numbers=vector(rpy)))


def tool_arm(**options: Any) -> Any:
    """An arm whose tool is welded on, turned by a quarter about x and 0.5 m out."""
    links = [
        link("base", 3.0),
        link("arm", 1.0, (0.1, 0, 0), (1, 2, 3)),
        link("tool", 2.0, (0, 0.2, 0), (0.1, 0.2, 0.3)),
    ]
    joints = [
        joint("j", "revolute", "base", "arm", (0, 0, 1), axis=(0, 0, 1)),
        joint("weld", "fixed", "arm", "tool", placements=(pose((0.5, 0, 0), (math.pi / 2, 0, 0)),)),
    ]
    return build_mechanism(robot(links, joints), **options)


def test_fixed_links_are_merged_by_the_rotated_parallel_axis_rule() -> None:
    mechanism = tool_arm()
    assert mechanism.nb == 1
    assert mechanism.mass[0] == 3.0
    c = np.array([0.5, 0, 0.2])  # the tool's y is the arm's z
    np.testing.assert_allclose(mechanism.first_moment[:, 0], 1.0 * np.array([0.1, 0, 0]) + 2.0 * c, atol=1e-15)
    arm = np.diag([1, 2, 3]) + 1.0 * np.diag([0, 0.01, 0.01])
    tool = np.diag([0.1, 0.3, 0.2]) + 2.0 * (c @ c * np.eye(3) - np.outer(c, c))
    np.testing.assert_allclose(mechanism.inertia[:, :, 0], arm + tool, atol=1e-15)


def test_root_link_is_welded_to_the_world_or_moved_by_the_floating_base() -> None:
    fixed, floating = tool_arm(), tool_arm(base="floating")
    assert (fixed.base, fixed.link_body, fixed.joint_names) == ("fixed", (-1, 0, 0), ("j",))
    assert (floating.base, floating.link_body) == ("floating", (0, 1, 1))
    assert floating.joint_names == ("floating_base", "j")
    assert (floating.nq, floating.nv) == (8, 7)
    assert floating.dof_names[6] == "j"


def test_joints_keep_file_order_and_parents_come_first() -> None:
    links = [link(name) for name in ("base", "a", "b", "c")]
    joints = [
        joint("last", "revolute", "b", "c", axis=(0, 0, 1)),
        joint("first", "revolute", "base", "a", axis=(0, 0, 1)),
        joint("middle", "prismatic", "a", "b", axis=(1, 0, 0)),
    ]
    mechanism = build_mechanism(robot(links, joints))
    assert mechanism.joint_names == ("last", "first", "middle")
    assert mechanism.parent == (-1, 0, 1)
    assert mechanism.body_joint == (1, 2, 0)
    assert [moving.body for moving in mechanism.joints] == [2, 0, 1]


def test_axis_is_normalised() -> None:
    links = [link("base"), link("a")]
    mechanism = build_mechanism(robot(links, [joint("j", "revolute", "base", "a", axis=(0, 3, 4))]))
    np.testing.assert_allclose(mechanism.axis[:, 0], [0, 0.6, 0.8])


def test_gravity_is_the_caller_s_else_the_file_s_else_standard() -> None:
    model = robot([link("base")], [])
    own = dataclasses.replace(model, gravity=vector((0, 0, -1.62)))
    np.testing.assert_array_equal(build_mechanism(model).gravity, [0, 0, -9.81])
    np.testing.assert_array_equal(build_mechanism(own).gravity, [0, 0, -1.62])
    np.testing.assert_array_equal(build_mechanism(own, gravity=(1, 2, 3)).gravity, [1, 2, 3])


def test_degrees_become_radians() -> None:
    limits = Limits(lower=Number(text="-90", value=-90.0, degrees=True), upper=number(1.0))
    links = [link("base"), link("a")]
    mechanism = build_mechanism(robot(links, [joint("j", "revolute", "base", "a", axis=(0, 0, 1), limits=limits)]))
    assert mechanism.joints[0].lower == (-math.pi / 2,)
    assert mechanism.joints[0].upper == (1.0,)


def test_path_lists_every_length_and_the_moving_joint_there() -> None:
    assert tool_arm().link_path == ((), ((1.0, 0),), ((1.0, 0), (0.5, -1)))


def test_reference_is_subtracted_and_joints_away_from_the_body_turn_about_their_anchor() -> None:
    # MJCF: <joint pos="0 0 1" axis="1 0 0" ref="0.5">: at q = ref the body stands as written
    anchored = joint(
        "hinge", "revolute", None, "b", (0, 0, 1),
        axis=(1, 0, 0), child_placement=pose((0, 0, -1)), reference=number(0.5),
    )  # fmt: skip
    mechanism = build_mechanism(robot([link("b", 1.0)], [anchored], "mjcf"))
    poses = evaluate(mechanism, "link_poses", np.array([[0.5], [0.5 + math.pi / 2]]))
    np.testing.assert_allclose(poses[:, 0, :, 3], [[0, 0, 0], [0, 1, 1]], atol=1e-15)


def test_joints_of_one_body_act_one_after_the_other() -> None:
    joints = [
        joint("slide", "prismatic", None, "b", (0, 0, 2), axis=(1, 0, 0)),
        joint("hinge", "revolute", "b", "b", (0, 0, 0.5), axis=(0, 1, 0), child_placement=pose((0, 0, -0.5))),
    ]
    mechanism = build_mechanism(
        robot([link("b", 1.0), link("c", 1.0)], [*joints, joint("w", "fixed", "b", "c")], "mjcf")
    )
    assert mechanism.parent == (-1, 0)
    assert mechanism.link_body == (1, 1)
    placed = evaluate(mechanism, "link_poses", np.array([[0.3, math.pi / 2]]))[0]
    np.testing.assert_allclose(placed[:, :, 3], [[0.3 - 0.5, 0, 2.5]] * 2, atol=1e-15)


def test_free_joint_of_mjcf_is_a_pose_in_the_world_and_keeps_its_name() -> None:
    free = joint("root", "floating", None, "b", (1, 2, 3), origin_is_absolute=True)
    mechanism = build_mechanism(robot([link("b", 1.0)], [free], "mjcf"), base="fixed")
    assert (mechanism.base, mechanism.joint_names) == ("floating", ("root",))
    placed = evaluate(mechanism, "link_poses", np.array([[0.1, 0.2, 0.3, 0, 0, 0, 1.0]]))
    np.testing.assert_allclose(placed[0, 0, :, 3], [0.1, 0.2, 0.3])


def test_floating_joint_inside_a_urdf_is_relative_to_its_origin() -> None:
    links = [link("world"), link("b", 1.0)]
    mechanism = build_mechanism(robot(links, [joint("free", "floating", "world", "b", (1, 2, 3))]))
    assert mechanism.base == "fixed"
    placed = evaluate(mechanism, "link_poses", np.array([[0.1, 0.2, 0.3, 0, 0, 0, 1.0]]))
    np.testing.assert_allclose(placed[0, 1, :, 3], [1.1, 2.2, 3.3])


def test_armature_has_one_entry_per_velocity_coordinate() -> None:
    joints = [
        joint("ball", "ball", None, "a", armature=number(0.2)),
        joint("hinge", "revolute", "a", "b", axis=(0, 0, 1)),
    ]
    mechanism = build_mechanism(robot([link("a"), link("b")], joints, "mjcf"))
    np.testing.assert_array_equal(mechanism.armature, [0.2, 0.2, 0.2, 0])


def test_floating_base_needs_one_root_link() -> None:
    with pytest.raises(UsageError, match=r"exactly one root link; found: 'a', 'b'. Use --base fixed."):
        build_mechanism(robot([link("a"), link("b")], []), base="floating")


def test_floating_base_does_not_hide_a_joint_of_its_name() -> None:
    model = robot([link("a"), link("b")], [joint("floating_base", "revolute", "a", "b", axis=(0, 0, 1))])
    with pytest.raises(UsageError, match="joint 'floating_base' has the name that a floating base gets; rename it"):
        build_mechanism(model, base="floating")


def follower(name: str, master: str, multiplier: float, offset: float, parent: str, child: str) -> Any:
    mimic = Mimic(joint=master, multiplier=number(multiplier), offset=number(offset))
    return joint(name, "revolute", parent, child, axis=(0, 0, 1), mimic=mimic)


def test_mimic_matrix_follows_chains_to_the_joint_that_moves() -> None:
    links = [link(name) for name in ("base", "a", "b", "c")]
    joints = [
        follower("second", "first", 2.0, 0.5, "a", "b"),
        joint("master", "revolute", "base", "a", axis=(0, 0, 1)),
        follower("first", "master", -3.0, 1.0, "b", "c"),
    ]
    matrix, offset = mimic_matrix(build_mechanism(robot(links, joints)))
    np.testing.assert_array_equal(matrix, [[-6.0], [1.0], [-3.0]])
    np.testing.assert_array_equal(offset, [2.5, 0.0, 1.0])


def test_mimic_ring_and_unknown_master_are_left_free() -> None:
    links = [link(name) for name in ("base", "a", "b", "c")]
    joints = [
        follower("one", "two", 1.0, 0.0, "base", "a"),
        follower("two", "one", 1.0, 0.0, "a", "b"),
        follower("three", "nobody", 1.0, 0.0, "b", "c"),
    ]
    mechanism = build_mechanism(robot(links, joints))
    assert relations(mechanism) == ()
    np.testing.assert_array_equal(mimic_matrix(mechanism)[0], np.eye(3))
