"""Every spelling of a rotation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb

from robodyn_check.model import rotations

QUARTER = math.pi / 2


def test_rpy_turns_about_fixed_axes_roll_first() -> None:
    R = rotations.from_rpy(QUARTER, 0.0, QUARTER)
    np.testing.assert_allclose(R @ [0, 1, 0], [0, 0, 1], atol=1e-15)  # roll takes y to z, yaw leaves it
    np.testing.assert_allclose(R @ [1, 0, 0], [0, 1, 0], atol=1e-15)


def test_lower_case_euler_moves_with_the_body_and_upper_case_does_not() -> None:
    angles = (0.3, -0.8, 1.1)
    x, y, z = (rotations.about_axis(letter, angle) for letter, angle in zip("xyz", angles, strict=True))
    np.testing.assert_allclose(rotations.from_euler(angles, "xyz"), x @ y @ z, atol=1e-15)
    np.testing.assert_allclose(rotations.from_euler(angles, "XYZ"), z @ y @ x, atol=1e-15)
    np.testing.assert_allclose(rotations.from_euler(angles, "xYz"), y @ x @ z, atol=1e-15)


def test_quaternion_of_any_length_is_a_rotation() -> None:
    half = 0.4
    R = rotations.from_quaternion(3 * math.cos(half), 0.0, 3 * math.sin(half), 0.0)
    np.testing.assert_allclose(R, rotations.about_axis("y", 2 * half), atol=1e-15)


def test_axis_angle_agrees_with_rpy_and_takes_any_length() -> None:
    np.testing.assert_allclose(
        rotations.from_axis_angle((0.0, 0.0, 5.0), 0.7), rotations.from_rpy(0.0, 0.0, 0.7), atol=1e-15
    )
    axis = (1.0, 2.0, -2.0)
    np.testing.assert_allclose(rotations.from_axis_angle(axis, 0.7) @ axis, axis, atol=1e-15)


def test_xyaxes_keep_x_and_straighten_y() -> None:
    R = rotations.from_xyaxes((0.0, 2.0, 0.0, -1.0, 1.0, 0.0))
    np.testing.assert_allclose(R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)


@pytest.mark.parametrize(
    "axis", [(0, 0, 1), (1, 0, 0), (0.3, -0.2, 0.9), (0.3, -0.2, -0.9), (1e-9, 0, -1), (1e-100, 0, -1)]
)
def test_smallest_rotation_takes_z_to_the_axis_about_a_horizontal_axis(axis: tuple[float, float, float]) -> None:
    R = rotations.smallest_to(axis)
    u = np.array(axis) / np.linalg.norm(axis)
    np.testing.assert_allclose(R[:, 2], u, atol=1e-15)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1)
    assert R[0, 1] == pytest.approx(R[1, 0])  # no turn about z is left in it


def test_rotation_to_minus_z_is_half_a_turn_about_x() -> None:
    np.testing.assert_array_equal(rotations.smallest_to((0.0, 0.0, -2.0)), np.diag([1, -1, -1]))


def test_unit_vector_comes_back_unchanged() -> None:
    np.testing.assert_array_equal(rotations.unit((0.0, -1.0, 0.0)), [0.0, -1.0, 0.0])


@pytest.mark.parametrize(
    ("spelling", "numbers"),
    [
        (lambda n: rotations.from_rpy(*n), (0.1, 0.2, 0.3)),
        (lambda n: rotations.from_euler(n, "zYx"), (0.1, 0.2, 0.3)),
        (lambda n: rotations.from_quaternion(*n), (0.5, 0.1, -0.7, 0.2)),
        (lambda n: rotations.from_axis_angle(n[:3], n[3]), (0.5, 0.1, -0.7, 0.2)),
        (rotations.from_xyaxes, (1.0, 0.2, 0.0, 0.1, 1.0, 0.4)),
        (rotations.smallest_to, (0.3, 0.4, -0.7)),
    ],
    ids=["rpy", "euler", "quaternion", "axis_angle", "xyaxes", "zaxis"],
)
def test_every_spelling_works_in_balls(spelling: object, numbers: tuple[float, ...]) -> None:
    assert callable(spelling)
    rounded, balls = spelling(numbers), spelling([arb(number) for number in numbers])
    assert balls.dtype == object
    np.testing.assert_allclose([[float(entry) for entry in row] for row in balls], rounded, atol=1e-14)
