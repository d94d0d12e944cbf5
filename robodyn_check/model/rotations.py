"""Rotation matrices from every spelling that URDF and MJCF know, in any number type.

All matrices map child axes to parent axes: v_parent = R v_child. Scalars are doubles or objects that have arithmetic,
comparison with zero, ``sin``, ``cos`` and ``sqrt`` (python-flint ``arb``); matrices are (3, 3) arrays of them. What has
to be a direction is divided by its own length here, so axes and quaternions come as they are written.

Source: Featherstone (2008), Rigid Body Dynamics Algorithms, table 2.2 and section 4.5, with R = Eᵀ; MuJoCo's XML
reference for the rules of ``euler``, ``xyaxes`` and ``zaxis``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Array = npt.NDArray[Any]

_NEXT = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}


def about_axis(letter: str, angle: Any) -> Array:
    """Return the rotation by ``angle`` (rad) about the coordinate axis ``letter`` ("x", "y" or "z")."""
    i, j = _NEXT[letter]
    c, s = np.cos(angle), np.sin(angle)
    rows = [[1 if row == column else 0 for column in range(3)] for row in range(3)]
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = c, -s, s, c
    return np.array(rows)


def from_rpy(roll: Any, pitch: Any, yaw: Any) -> Array:
    """Return Rz(yaw) Ry(pitch) Rx(roll), URDF's fixed-axis angles in rad."""
    return about_axis("z", yaw) @ about_axis("y", pitch) @ about_axis("x", roll)


def from_euler(angles: Sequence[Any], sequence: str) -> Array:
    """Return MJCF's Euler rotation: lower-case letters turn about moving axes, upper-case ones about fixed axes.

    Args:
        angles: Three angles, rad.
        sequence: Three letters as in MJCF ``eulerseq``.
    """
    product = np.eye(3)  # exact zeros and ones, which take the number type of what they meet
    for letter, angle in zip(sequence, angles, strict=True):
        turn = about_axis(letter.lower(), angle)
        product = product @ turn if letter.islower() else turn @ product
    return product


def from_quaternion(w: Any, x: Any, y: Any, z: Any) -> Array:
    """Return the rotation of the quaternion w + xi + yj + zk divided by its length; no square root is taken."""
    n = w * w + x * x + y * y + z * z
    scaled: Array = np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )
    rotation: Array = scaled / n
    return rotation


def from_axis_angle(axis: Sequence[Any], angle: Any) -> Array:
    """Return the rotation by ``angle`` (rad) about ``axis`` divided by its length (Rodrigues)."""
    x, y, z = unit(axis)
    c, s = np.cos(angle), np.sin(angle)
    u = 1 - c
    return np.array(
        [
            [c + u * x * x, u * x * y - s * z, u * x * z + s * y],
            [u * x * y + s * z, c + u * y * y, u * y * z - s * x],
            [u * x * z - s * y, u * y * z + s * x, c + u * z * z],
        ]
    )


def from_xyaxes(numbers: Sequence[Any]) -> Array:
    """Return the rotation whose columns are x, y made orthogonal to x, and x × y (MJCF ``xyaxes``)."""
    x = unit(numbers[:3])
    y = np.array(list(numbers[3:]))
    y = unit(y - x * (x @ y))
    z = np.array([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]])
    return np.stack([x, y, z], axis=1)


def smallest_to(axis: Sequence[Any]) -> Array:
    """Return the smallest rotation that takes z to ``axis``; for -z it is half a turn about x.

    The entries divide by 1 + z, or where z < 0 by the same quantity written (x² + y²) / (1 - z), which keeps all digits
    near -z.
    """
    x, y, z = unit(axis)
    flat = x * x + y * y
    if z < 0:
        if flat == 0:
            return np.array([[z * z, x, x], [y, z, y], [x, y, z]])
        k = (1 - z) / flat
    else:
        k = 1 / (1 + z)
    return np.array([[1 - k * x * x, -k * x * y, x], [-k * x * y, 1 - k * y * y, y], [-x, -y, z]])


def unit(vector: Sequence[Any] | Array) -> Array:
    """Return ``vector`` divided by its length; a vector of length 1 exactly comes back unchanged."""
    u = np.array(list(vector))
    squared = u @ u
    return u if squared == 1 else u / np.sqrt(squared)
