"""Placements as plain doubles: composing the <frame>s of MJCF while reading, where there is no numpy yet.

Only what stands inside a rotated frame of its own body (a joint, an inertial) is computed here; MuJoCo's compiler does
the same sum. Everything else stays as written until the mechanism is built.
Source: MuJoCo's XML reference, "Frame orientations"; matrices as in `model.rotations`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_values import made
from robodyn_check.model.robot import Number, Pose, Rotation

if TYPE_CHECKING:
    from collections.abc import Sequence

Vector = tuple[float, float, float]
Rows = tuple[Vector, Vector, Vector]
UNIT: Rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def matrix(rotation: Rotation | None) -> Rows:
    """Return the rotation matrix of a rotation as written: v_parent = R v_child."""
    if rotation is None:
        return UNIT
    values = [math.radians(entry.value) if entry.degrees else entry.value for entry in rotation.numbers]
    match rotation.kind:
        case "rpy" | "euler":
            return _euler(values, rotation.sequence or "XYZ")
        case "quaternion":
            return _quaternion(values)
        case "axis_angle":
            x, y, z = _unit(values[:3])
            c, s = math.cos(values[3] / 2), math.sin(values[3] / 2)
            return _quaternion([c, s * x, s * y, s * z])
        case "xyaxes":
            return _xyaxes(values)
        case "zaxis":
            return smallest_turn(values)


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """Return a · b."""
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def cross(a: Sequence[float], b: Sequence[float]) -> Vector:
    """Return a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def transposed(rows: Rows) -> Rows:
    """Return Rᵀ."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    return ((a, d, g), (b, e, h), (c, f, i))


def turned(rows: Rows, vector: Sequence[float]) -> Vector:
    """Return R v."""
    return (dot(rows[0], vector), dot(rows[1], vector), dot(rows[2], vector))


def product(a: Rows, b: Rows) -> Rows:
    """Return A B."""
    columns = transposed(b)
    first, second, third = (turned(columns, row) for row in a)
    return (first, second, third)


def composed(poses: Sequence[Pose]) -> tuple[Rows, Vector]:
    """Return the product of poses as written, outermost first: (R, p) with p_outer = R p_inner + p."""
    rows, point = UNIT, (0.0, 0.0, 0.0)
    for pose in poses:
        moved = turned(rows, [entry.value for entry in pose.xyz])
        point = (point[0] + moved[0], point[1] + moved[1], point[2] + moved[2])
        rows = product(rows, matrix(pose.rotation))
    return rows, point


def quaternion(rows: Rows) -> tuple[float, float, float, float]:
    """Return w, x, y, z of a rotation matrix, from its largest component so that no digit is lost."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    squares = (1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i)
    largest = squares.index(max(squares))
    columns = (
        (squares[0], h - f, c - g, d - b),
        (h - f, squares[1], d + b, c + g),
        (c - g, d + b, squares[2], h + f),
        (d - b, c + g, h + f, squares[3]),
    )
    w, x, y, z = columns[largest]
    length = math.hypot(w, x, y, z)
    return (w / length, x / length, y / length, z / length)


def rotated_vector(rows: Rows, vector: Sequence[Number]) -> tuple[Number, Number, Number]:
    """Return R v as Numbers on the line of v; v itself, as written, where R is exactly the identity."""
    x, y, z = vector
    if rows == UNIT:
        return (x, y, z)
    first, second, third = turned(rows, [entry.value for entry in vector])
    return (made(first, x.line), made(second, y.line), made(third, z.line))


def inside(frames: Sequence[Pose], pose: Pose) -> Pose:
    """Return a pose that stands inside frames, seen from outside them; as written where there is no frame."""
    if not frames:
        return pose
    rows, point = composed((*frames, pose))
    x, y, z = (made(value, pose.line) for value in point)
    turn = Rotation(kind="quaternion", numbers=tuple(made(value, pose.line) for value in quaternion(rows)))
    return Pose(xyz=(x, y, z), rotation=None if rows == UNIT else turn, line=pose.line)


def _unit(values: Sequence[float]) -> Vector:
    length = math.hypot(*values)
    x, y, z = values
    return (x / length, y / length, z / length)


def _euler(angles: Sequence[float], sequence: str) -> Rows:
    """Lower-case letters turn about moving axes, upper-case ones about fixed axes, in their order."""
    rows = UNIT
    for letter, angle in zip(sequence, angles, strict=True):
        i = "xyz".index(letter.lower())
        j, k = (i + 1) % 3, (i + 2) % 3
        turn = [list(row) for row in UNIT]
        turn[j][j] = turn[k][k] = math.cos(angle)
        turn[k][j] = math.sin(angle)
        turn[j][k] = -turn[k][j]
        one: Rows = (
            (turn[0][0], turn[0][1], turn[0][2]),
            (turn[1][0], turn[1][1], turn[1][2]),
            (turn[2][0], turn[2][1], turn[2][2]),
        )
        rows = product(rows, one) if letter.islower() else product(one, rows)
    return rows


def _quaternion(values: Sequence[float]) -> Rows:
    w, x, y, z = values
    n = math.fsum((w * w, x * x, y * y, z * z))
    return (
        ((w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n),
        (2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n),
        (2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n),
    )


def _xyaxes(values: Sequence[float]) -> Rows:
    """Return the rotation whose columns are x, y made orthogonal to x, and x × y."""
    x_axis = _unit(values[:3])
    along = dot(x_axis, values[3:])
    y_axis = _unit([entry - along * x for x, entry in zip(x_axis, values[3:], strict=True)])
    return transposed((x_axis, y_axis, cross(x_axis, y_axis)))


def smallest_turn(values: Sequence[float]) -> Rows:
    """Return the smallest rotation that takes z to a direction; half a turn about x where that is -z."""
    x, y, z = _unit(values)
    angle = math.atan2(math.hypot(x, y), z)
    turn = _unit([-y, x, 0.0]) if x or y else (1.0, 0.0, 0.0)
    c, s = math.cos(angle / 2), math.sin(angle / 2)
    return _quaternion([c, s * turn[0], s * turn[1], 0.0])
