"""Phases: the collocated output never lags by more than half a turn, the link's does."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.flexible.frequency_response import response
from robodyn_check.flexible.linear import linearise
from tests.flexible.test_linear import POSE, N, one_joint, robot


@pytest.mark.parametrize("damping", [0.0, 0.4, 30.0], ids=["undamped", "damped", "heavily damped"])
@pytest.mark.parametrize("joint", range(N))
def test_the_motor_never_lags_by_more_than_half_a_turn(damping: float, joint: int):
    phase = response(linearise(robot(damping), POSE), joint, "motor").phase
    assert phase.min() >= -180.0 - 1e-9
    assert phase.max() <= 1e-9


@pytest.mark.parametrize(("damping", "last"), [(0.0, -360.0), (0.5, -270.0)], ids=["spring", "spring and damper"])
def test_the_link_of_one_joint_ends_at_its_relative_degree(damping: float, last: float):
    linear = one_joint(0.5, 0.2, 2000.0, damping)
    found = response(linear, 0, "link", frequency=np.array([0.1, 60.0, 110.0, 130.0, 1e7]))
    assert found.phase[0] == pytest.approx(-180.0, abs=0.1)
    assert found.phase[-1] == pytest.approx(last, abs=0.1)
    if damping == 0.0:
        np.testing.assert_array_equal(found.phase, [-180.0, -180.0, -180.0, -360.0, -360.0])


def test_an_undamped_motor_jumps_up_at_its_antiresonance_and_down_at_its_resonance():
    linear = one_joint(0.5, 0.2, 2000.0)  # 63.2 and 118.3 rad/s
    found = response(linear, 0, "motor", frequency=np.array([10.0, 60.0, 70.0, 110.0, 130.0]))
    np.testing.assert_allclose(found.phase, [-180, -180, 0, 0, -180], atol=1e-9)


def test_the_phase_does_not_depend_on_how_dense_the_frequencies_are():
    linear = linearise(robot(1e-4), POSE)
    dense = response(linear, 2, "link")
    few = response(linear, 2, "link", frequency=dense.frequency[::37])
    np.testing.assert_allclose(few.phase, dense.phase[::37], atol=1e-9)


def test_the_magnitude_is_that_of_the_closed_form():
    mass, motor, stiffness, damping = 0.5, 0.2, 2000.0, 0.8
    linear = one_joint(mass, motor, stiffness, damping)
    omega = np.array([1.0, 50.0, 118.0, 900.0])
    s = 1j * omega
    spring = damping * s + stiffness
    determinant = s**2 * (mass * motor * s**2 + (mass + motor) * spring)
    np.testing.assert_allclose(
        response(linear, 0, "link", frequency=omega).magnitude, abs(spring / determinant), rtol=1e-12
    )
    motor_side = abs((mass * s**2 + spring) / determinant)
    np.testing.assert_allclose(response(linear, 0, "motor", frequency=omega).magnitude, motor_side, rtol=1e-12)
