"""The smallest rotation from z, and quaternions of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.sdk.rotations import from_quaternion, smallest_from_z, to_rpy

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


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


def about(axis: int, angle: float) -> Array:
    """Return the rotation about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R = np.eye(3)
    R[i, i], R[j, j], R[i, j], R[j, i] = c, c, -s, s
    return R


@pytest.mark.parametrize("near", [1.0, 1e-5, 1e-9, 0.0])
def test_roll_pitch_yaw_give_the_rotation_back_at_the_pole_too(near: float):
    rng = np.random.default_rng(1)
    quaternion = rng.normal(size=(20, 4))
    # towards pitch = 90 degrees: (x, y, z, w) = (a, b, a, b) / √2 up to `near`
    pole = np.stack([quaternion[:, 0], quaternion[:, 1], -quaternion[:, 0], quaternion[:, 1]], axis=1)
    quaternion = pole + near * quaternion if near < 1 else quaternion
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    angles = to_rpy(quaternion)
    assert np.abs(angles[:, 1]).max() <= np.pi / 2 + 1e-15
    again = np.array([about(2, yaw) @ about(1, pitch) @ about(0, roll) for roll, pitch, yaw in angles])
    np.testing.assert_allclose(again, from_quaternion(quaternion), rtol=0, atol=2e-15)


@pytest.mark.parametrize("tilt", [0.0, 1e-14, 1e-9, 6e-6, 1e-3, 1.0, np.pi])
def test_the_smallest_rotation_to_an_axis_keeps_its_precision_near_minus_z(tilt: float):
    axis = np.array([np.sin(tilt) * 0.6, np.sin(tilt) * 0.8, -np.cos(tilt)])
    rotation = smallest_from_z(axis)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), rtol=0, atol=4e-15)
    np.testing.assert_allclose(rotation @ [0, 0, 1], axis, rtol=0, atol=4e-15)
