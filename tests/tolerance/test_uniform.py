"""Bounds that hold in every pose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states
from robodyn_check.tolerance.paths import paths
from robodyn_check.tolerance.reach import reach, travel
from robodyn_check.tolerance.uniform import gravity_bound, inertia_bound, uniform_bounds
from tests.reference.robots import chain, link

KINDS: dict[str, dict[str, Any]] = {
    "branched": {"group": "branched", "dofs": 5, "armature": True},
    "chain": {"group": "plain", "dofs": 6},
    "floating": {"group": "branched", "dofs": 4, "floating": True},
    "ball": {"dofs": 8, "kinds": ("ball", "planar"), "armature": True, "source_format": "mjcf"},
    "free": {"dofs": 9, "kinds": ("floating",), "source_format": "mjcf"},
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_no_pose_exceeds_the_bounds(kind: str, seed: int):
    options = KINDS[kind]
    mechanism = build_mechanism(random_robot(seed, **options), base="floating" if options.get("floating") else "fixed")
    q = draw_states(mechanism, count=40, seed=seed).q
    tree = paths(mechanism)
    lengths = reach(tree, travel(mechanism, q))
    largest = np.linalg.eigvalsh(evaluate(mechanism, "mass_matrix", q))[:, -1]
    assert np.all(largest <= inertia_bound(tree, lengths) * (1 + 1e-12))
    g = np.linalg.norm(evaluate(mechanism, "gravity_vector", q), axis=1)
    assert np.all(g <= gravity_bound(tree, lengths, 9.81) * (1 + 1e-12))


def test_the_bounds_of_a_point_pendulum_are_reached():
    arm = chain(("continuous", (0, 1, 0), (0, 0, 0), link("bob", 2.0, (0, 0, -0.5))))
    bounds = uniform_bounds(arm)
    assert bounds.inertia == pytest.approx(2.0 * 0.25)
    assert bounds.gravity == pytest.approx(2.0 * 9.81 * 0.5)


def test_an_endless_slide_above_a_mass_has_no_bound_and_below_an_axis_it_has():
    slide, turn = ("prismatic", (1, 0, 0), (0, 0, 0)), ("continuous", (0, 1, 0), (0, 0, 0))
    bob = link("bob", 2.0, (0, 0, -0.5))
    assert uniform_bounds(chain((*turn, link("l1")), (*slide, bob))).inertia == np.inf
    assert uniform_bounds(chain((*slide, link("l1")), (*turn, bob))).inertia == pytest.approx(2.0 + 2.0 * 0.25)
