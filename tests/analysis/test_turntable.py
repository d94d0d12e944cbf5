"""A joint added at the base leaves the mass matrix of the robot as a block; what it carries has a closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robodyn_check.analysis.inertia import at_poses
from robodyn_check.analysis.turntable import turntable
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.turntable import on_turntable
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states
from robodyn_check.tolerance import FACTORS
from tests.reference.robots import joint, link, robot

M, L = 2.0, 0.5
#: A point mass on an arm that swings in the x-z plane, and a box that stands on the floor.
SWING = build_mechanism(
    robot(
        [link("base", 3.0, (0.2, 0, 0), (0, 0, 0.04)), link("arm", M, (L, 0, 0))],
        [joint("shoulder", "continuous", "base", "arm", (0, 0, 0), axis=(0, 1, 0))],
    )
)


def test_what_the_turntable_carries_is_the_closed_form() -> None:
    q = np.linspace(0.0, np.pi / 2, 9)[:, None]
    found = turntable(SWING, at_poses(SWING, q))
    standing = 3.0 * 0.2**2 + 0.04
    assert (found.least, found.most) == pytest.approx((standing, standing + M * L**2))


@pytest.mark.parametrize("seed", range(6))
def test_the_block_of_the_robot_stays(seed: int) -> None:
    mechanism = build_mechanism(random_robot(seed))
    poses = at_poses(mechanism, draw_states(mechanism, count=20, seed=seed).q)
    assert turntable(mechanism, poses).changed <= FACTORS["mass_matrix"].value


def test_a_joint_that_is_not_at_the_base_does_not_leave_the_block() -> None:
    mechanism = build_mechanism(random_robot(1, dofs=5))
    poses = at_poses(mechanism, draw_states(mechanism, count=20, seed=1).q)
    moved = replace(poses, mass_matrix=evaluate(mechanism, "mass_matrix", np.roll(poses.q, 1, axis=0)))
    assert turntable(mechanism, moved).changed > 1e6


def test_forces_of_the_robot_stay_while_the_table_stands() -> None:
    mechanism = build_mechanism(random_robot(4, group="branched"))
    states = draw_states(mechanism, count=5, seed=0)
    table = on_turntable(mechanism)
    still = np.zeros((5, 1))
    wider = [np.concatenate([still, part], axis=1) for part in (states.q, states.v, states.a)]
    tau = evaluate(table, "inverse_dynamics", *wider)
    np.testing.assert_allclose(
        tau[:, 1:], evaluate(mechanism, "inverse_dynamics", states.q, states.v, states.a), rtol=1e-9
    )
