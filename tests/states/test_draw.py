"""Drawn states: the mix that the design page asks for, equal for equal seeds, balanced, and mimic joints following."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.faults.random_models import GROUPS, random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states
from robodyn_check.tolerance import scales

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.states import StateBatch

ROBOTS = {
    **{group: build_mechanism(random_robot(3, group=group)) for group in GROUPS},
    "floating": build_mechanism(random_robot(3, group="plain"), base="floating"),
    "every_kind": build_mechanism(random_robot(5, group="branched", dofs=14, kinds=("ball", "planar", "floating"))),
    "mimic": build_mechanism(random_robot(2, group="plain", dofs=6, mimic=True)),
}
robots = pytest.mark.parametrize("mechanism", ROBOTS.values(), ids=ROBOTS.keys())


def rows(states: StateBatch, kind: str) -> StateBatch:
    return states.rows([number for number, found in enumerate(states.kinds) if found == kind])


def limited_joints(mechanism: Mechanism) -> list[tuple[int, float, float]]:
    return [
        (joint.q.start, joint.lower[0], joint.upper[0])
        for joint in mechanism.joints
        if joint.kind in {"revolute", "prismatic"} and np.isfinite(joint.lower[0]) and joint.mimic is None
    ]


@robots
def test_one_seed_gives_one_batch(mechanism: Mechanism) -> None:
    first, again, other = (draw_states(mechanism, count=20, seed=seed) for seed in (5, 5, 6))
    for name in ("q", "v", "a", "tau"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
    assert not np.array_equal(first.q, other.q)


def test_the_first_state_of_seed_zero_is_the_same_on_every_machine() -> None:
    states = draw_states(ROBOTS["plain"], count=4, seed=0)
    assert states.kinds == ("inside", "zero", "outside", "inside")
    assert states.q[0, :3].tolist() == [1.2496310300193727, -0.3581246994435787, -2.8841484100557864]
    assert states.v[0, :2].tolist() == [0.18887390252484693, 0.38649089155660477]
    assert states.tau[0, :2].tolist() == [2.7868812084198, 0.6446900367736816]


@robots
def test_of_two_hundred_states_120_are_inside_30_outside_and_50_corners(mechanism: Mechanism) -> None:
    states = draw_states(mechanism, count=200, seed=0)
    counts = {kind: states.kinds.count(kind) for kind in set(states.kinds)}
    assert counts == {"inside": 120, "outside": 30, "zero": 10, "fast": 10, "limit": 10, "single": 10, "still": 10}


@robots
def test_states_lie_where_their_kind_says(mechanism: Mechanism) -> None:
    states = draw_states(mechanism, count=100, seed=1)
    for place, low, high in limited_joints(mechanism):
        for kind in ("inside", "fast", "still", "single"):
            assert (
                (rows(states, kind).q[:, place] >= low - 1e-9) & (rows(states, kind).q[:, place] <= high + 1e-9)
            ).all()
        outside = rows(states, "outside").q[:, place]
        assert ((outside <= low) | (outside >= high)).all()
        at_limit = rows(states, "limit").q[:, place]
        assert low in at_limit
        assert high in at_limit
    assert (rows(states, "still").v == 0.0).all()
    assert (rows(states, "zero").v == 0.0).all()


@robots
def test_single_states_move_one_joint_after_the_other(mechanism: Mechanism) -> None:
    states = rows(draw_states(mechanism, count=400, seed=1), "single")
    followers = {joint.name for joint in mechanism.joints if joint.mimic is not None}
    masters = {joint.mimic[0] for joint in mechanism.joints if joint.mimic is not None}
    for number, joint in zip(range(len(states)), mechanism.joints, strict=False):
        moving = {other.name for other in mechanism.joints if (states.v[number, other.v] != 0.0).any()}
        if joint.name not in followers | masters:
            assert moving == {joint.name}


@robots
def test_velocity_terms_weigh_as_much_as_gravity(mechanism: Mechanism) -> None:
    states = draw_states(mechanism, count=40, seed=2)
    size = scales(mechanism, rows(states, "inside"))
    both = (size.coriolis_force > 0.0) & (size.gravity_vector > 0.0)
    ratio = np.where(both, size.gravity_vector, np.nan) / np.where(both, size.coriolis_force, 1.0)
    usable = both.any(axis=1)
    if ROBOTS["mimic"] is not mechanism:  # a follower's speed is its master's affair
        np.testing.assert_allclose(np.nanmedian(ratio[usable], axis=1), 1.0, rtol=0.01)
    fast = scales(mechanism, rows(states, "fast"))
    if (size.coriolis_force > 0.0).any():  # slides alone have no velocity terms
        assert fast.coriolis_force.mean() > 10.0 * size.coriolis_force.mean()


@robots
def test_forces_are_the_inverse_dynamics_of_an_acceleration_of_the_size_of_gravity(mechanism: Mechanism) -> None:
    states = draw_states(mechanism, count=40, seed=2)
    size = scales(mechanism, states)
    assert (np.abs(states.tau) <= 40.0 * (size.gravity_vector + size.coriolis_force + size.inverse_dynamics)).all()
    assert np.isfinite(states.tau).all()
    assert (np.abs(states.a).max(axis=0) > 0.0).all()


def test_without_gravity_speeds_are_within_two() -> None:
    mechanism = ROBOTS["plain"]
    states = draw_states(mechanism, count=100, seed=0, gravity=(0.0, 0.0, 0.0))
    inside = rows(states, "inside")
    assert np.abs(inside.v).max() <= 2.0
    assert np.abs(inside.v).max() > 1.5
    bias = evaluate(mechanism, "bias_force", states.q, states.v, gravity=(0.0, 0.0, 0.0))
    assert (np.abs(states.tau - bias).max(axis=1) > 0.0).all()


@robots
def test_quaternions_are_unit_and_the_base_stays_within_a_metre(mechanism: Mechanism) -> None:
    states = draw_states(mechanism, count=40, seed=3)
    for joint in mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            turns = states.q[:, joint.q][:, -4:]
            np.testing.assert_allclose((turns**2).sum(axis=1), 1.0, rtol=1e-15)
            assert (rows(states, "zero").q[:, joint.q][:, -4:] == [0.0, 0.0, 0.0, 1.0]).all()
        if joint.kind == "floating":
            assert np.linalg.norm(states.q[:, joint.q][:, :3], axis=1).max() <= 1.0


def test_mimic_joints_follow_in_position_velocity_and_acceleration() -> None:
    mechanism = ROBOTS["mimic"]
    states = draw_states(mechanism, count=60, seed=4)
    (follower,) = (joint for joint in mechanism.joints if joint.mimic is not None)
    assert follower.mimic is not None
    name, multiplier, offset = follower.mimic
    (master,) = (joint for joint in mechanism.joints if joint.name == name)
    np.testing.assert_array_equal(states.q[:, follower.q], multiplier * states.q[:, master.q] + offset)
    np.testing.assert_array_equal(states.v[:, follower.v], multiplier * states.v[:, master.v])
    np.testing.assert_array_equal(states.a[:, follower.v], multiplier * states.a[:, master.v])


@pytest.mark.parametrize(("lower", "upper"), [(0.0, 0.0), (1.0, -1.0), (-np.inf, np.inf)])
def test_limits_without_a_range_count_as_none(lower: float, upper: float) -> None:
    mechanism = build_mechanism(random_robot(6, group="plain"))
    unlimited = replace(
        mechanism, joints=tuple(replace(joint, lower=(lower,), upper=(upper,)) for joint in mechanism.joints)
    )
    states = draw_states(unlimited, count=200, seed=0)
    assert set(states.kinds) == {"inside", "zero", "fast", "single", "still"}
    angles = [joint.q.start for joint in unlimited.joints if joint.kind != "prismatic"]
    assert np.abs(states.q[:, angles]).max() > 3.0


def test_limits_far_out_are_not_sampled_to_their_end() -> None:
    mechanism = ROBOTS["plain"]
    wide = replace(mechanism, joints=tuple(replace(joint, lower=(-1e6,), upper=(1e6,)) for joint in mechanism.joints))
    assert np.abs(draw_states(wide, count=100, seed=0).q).max() <= 2.0 * 4.0 * np.pi


def test_a_robot_that_cannot_move_has_empty_states() -> None:
    mechanism = build_mechanism(random_robot(1, group="plain", dofs=0))
    states = draw_states(mechanism, count=10, seed=0)
    assert states.q.shape == (10, 0)
    assert states.tau.shape == (10, 0)
