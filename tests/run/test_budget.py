"""A library gets fewer states where joints or links make each of them dear."""

from __future__ import annotations

from dataclasses import replace

from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.run.budget import (
    LEAST_STATES,
    MAX_DERIVATIVE_DOUBLES,
    MAX_DOUBLES,
    MOST_FEW,
    Budget,
    budget,
)

ARM = build_mechanism(random_robot(1, group="plain", dofs=7))


def test_a_cheap_library_gets_all_states_and_a_dear_one_the_least():
    assert budget(ARM, samples=200, cost=5.0).states == 200
    assert budget(ARM, samples=200, cost=1e6).states == LEAST_STATES


def test_links_count_like_joints():
    long = replace(ARM, links=tuple(f"link{number}" for number in range(1500)))
    planned = budget(long, samples=200, cost=25.0)
    assert planned.states == LEAST_STATES
    assert "7 dofs, 1500 links" in planned.notes[0]


def test_a_large_robot_does_not_fill_the_memory():
    """A whole run stays below 1 GB: few answers of Y, M and its derivatives are as large as a request may be."""
    large = build_mechanism(random_robot(1, group="deep", dofs=60))
    planned = budget(large, samples=200, cost=2.0)
    assert planned.states == 200
    assert planned.few * 8 * large.nv**3 <= MAX_DERIVATIVE_DOUBLES
    assert planned.states_for(("joint_torque_regressor",)) * large.nv * 10 * large.nl <= MAX_DOUBLES
    assert [note.split(":")[0] for note in planned.notes[:1]] == [f"derivatives at {planned.few} states"]
    assert budget(ARM, samples=200, cost=2.0) == Budget(states=200, few=MOST_FEW, capped={}, notes=())
