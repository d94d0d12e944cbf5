"""A library gets fewer states where joints or links make each of them dear."""

from __future__ import annotations

from dataclasses import replace

from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.run.budget import LEAST_STATES, budget

ARM = build_mechanism(random_robot(1, group="plain", dofs=7))


def test_a_cheap_library_gets_all_states_and_a_dear_one_the_least():
    assert budget(ARM, samples=200, cost=5.0).states == 200
    assert budget(ARM, samples=200, cost=1e6).states == LEAST_STATES


def test_links_count_like_joints():
    long = replace(ARM, links=tuple(f"link{number}" for number in range(1500)))
    planned = budget(long, samples=200, cost=25.0)
    assert planned.states == LEAST_STATES
    assert "7 dofs, 1500 links" in planned.notes[0]
