"""The few rotations that conversions need, over a batch of states (first axis)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]


def from_quaternion(xyzw: FloatArray) -> FloatArray:
    """Return rotation matrices (N, 3, 3), parent from child, of quaternions (N, 4); their length does not matter."""
    x, y, z, w = np.moveaxis(xyzw / np.linalg.norm(xyzw, axis=-1, keepdims=True), -1, 0)
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], axis=-1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], axis=-1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=-1),
        ],
        axis=-2,
    )


def cross_matrix(vector: FloatArray) -> FloatArray:
    """Return [v]×, (N, 3, 3), of vectors (N, 3)."""
    x, y, z = np.moveaxis(vector, -1, 0)
    zero = np.zeros_like(x)
    return np.stack(
        [np.stack([zero, -z, y], axis=-1), np.stack([z, zero, -x], axis=-1), np.stack([-y, x, zero], axis=-1)],
        axis=-2,
    )


def from_angle(angle: FloatArray) -> FloatArray:
    """Return plane rotations (N, 2, 2) of angles (N,)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([cosine, -sine], axis=-1), np.stack([sine, cosine], axis=-1)], axis=-2)


def to_rpy(xyzw: FloatArray) -> FloatArray:
    """Return roll, pitch, yaw (N, 3) of quaternions (N, 4): R = Rz(yaw) Ry(pitch) Rx(roll), pitch within ±π/2.

    Half the sum and half the difference of roll and yaw come apart (write the product's quaternion in half angles).
    So at pitch = ±π/2 the angle that nothing determines does not matter, and R comes back with full precision.
    """
    x, y, z, w = np.moveaxis(xyzw, -1, 0)
    half_sum, half_difference = np.arctan2(x + z, w - y), np.arctan2(x - z, w + y)
    pitch = 2 * np.arctan2(np.hypot(x - z, w + y), np.hypot(x + z, w - y)) - np.pi / 2
    return np.stack([half_sum + half_difference, pitch, half_sum - half_difference], axis=-1)


def smallest_from_z(axis: FloatArray) -> FloatArray:
    """Return the smallest rotation (3, 3) that takes z to a unit axis; for -z half a turn about x."""
    x, y, z = axis
    flat = x * x + y * y
    if z < 0 and flat == 0:
        return np.diag([1.0, -1.0, -1.0])
    # Rodrigues' formula with the rotation vector z × axis = (-y, x, 0), whose length is the sine, and z the cosine.
    # 1 / (1 + z) cancels where the axis is nearly -z; with x² + y² = (1 - z)(1 + z) nothing does.
    scale = (1 - z) / flat if z < 0 else 1 / (1 + z)
    return np.array([[1 - scale * x * x, -scale * x * y, x], [-scale * x * y, 1 - scale * y * y, y], [-x, -y, z]])
