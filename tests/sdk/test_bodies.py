"""Links merged into moving bodies weigh what the mechanism's bodies weigh, in frames whose z is the axis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_check.harness.describe import describe
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.sdk.bodies import SINGLE, moving_bodies, world_links

MODELS = Path(__file__).parents[2] / "models"


@pytest.mark.parametrize("name", ["ur5e", "panda", "inspire_hand_left", "rp_arm", "fourier_gr3"])
def test_bodies_are_the_mechanism_s_with_the_axis_along_z(name: str):
    robot = read_model(MODELS / name / "model.urdf")
    mechanism = build_mechanism(robot, base="fixed")
    bodies = moving_bodies(describe(robot, mechanism))
    number = {joint.name: joint.body for joint in mechanism.joints}
    assert {body.joint for body in bodies} == set(number)
    home: dict[str | None, np.ndarray] = {None: np.eye(4)}  # the turned frames at q = 0
    plain: dict[int, np.ndarray] = {-1: np.eye(3)}  # the joints' own
    for body in bodies:
        index = number[body.joint]
        home[body.joint] = home[body.parent] @ body.placement
        assert body.mass == pytest.approx(mechanism.mass[index], rel=1e-13)
        held = np.linalg.eigvalsh(body.inertia)
        c = mechanism.first_moment[:, index] / mechanism.mass[index] if mechanism.mass[index] else np.zeros(3)
        about_com = mechanism.inertia[:, :, index] - mechanism.mass[index] * (c @ c * np.eye(3) - np.outer(c, c))
        np.testing.assert_allclose(held, np.linalg.eigvalsh(about_com), rtol=0, atol=1e-12 * max(1, np.abs(held).max()))
        np.testing.assert_allclose(np.linalg.norm(body.com), np.linalg.norm(c), rtol=1e-10, atol=1e-13)
        plain[index] = plain[mechanism.parent[index]] @ mechanism.R_tree[:, :, index]
        assert body.kind in SINGLE
        np.testing.assert_allclose(home[body.joint][:3, 2], plain[index] @ mechanism.axis[:, index], atol=1e-13)
    carried = [name for body in bodies for name, _ in body.links]
    assert sorted(carried + [name for name, _ in world_links(describe(robot, mechanism))]) == sorted(mechanism.links)
