"""The smallest rotation from z, and quaternions of any length."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.sdk.rotations import from_quaternion, smallest_from_z


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.36, 0.48, 0.8), (0, 0.6, -0.8)])
def test_smallest_rotation_takes_z_to_the_axis(axis: tuple[float, ...]):
    R = smallest_from_z(np.array(axis, dtype=float))
    np.testing.assert_allclose(R[:, 2], axis, atol=1e-15)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) > 0
    np.testing.assert_allclose((np.trace(R) - 1) / 2, axis[2], atol=1e-15)  # no angle smaller than that of z and axis


def test_half_a_turn_about_x_for_the_opposite_axis():
    np.testing.assert_array_equal(smallest_from_z(np.array([0.0, 0.0, -1.0])), np.diag([1.0, -1.0, -1.0]))


def test_a_quaternion_s_length_does_not_matter():
    quaternion = np.array([[0.1, -0.7, 0.2, 0.4]])
    np.testing.assert_allclose(from_quaternion(quaternion), from_quaternion(3 * quaternion), atol=1e-15)
    R = from_quaternion(quaternion)[0]
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)
