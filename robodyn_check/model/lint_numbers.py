"""Vectors, rotations and symmetric 3×3 tensors in plain floats, for lint only: it has to start without numpy.

A matrix is a tuple of three rows. What is read here is compared with bounds that hold for all scales, so tensors are
divided by their largest entry before anything is squared.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robodyn_check.model.robot import Number, Pose, Rotation

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
EPS = 2.0**-52
#: Rotations of 3×3 Jacobi converge in four or five sweeps.
_SWEEPS = 12


def radians(number: Number) -> float:
    """Return an angle in rad, or any other number as it is."""
    return math.radians(number.value) if number.degrees else number.value


def dot(a: Vector, b: Vector) -> float:
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a: Vector) -> Vector:
    """Return a divided by its length; a zero vector stays."""
    length = math.hypot(*a) or 1.0
    return (a[0] / length, a[1] / length, a[2] / length)


def apply(rot: Matrix, a: Vector) -> Vector:
    """Return rot a."""
    return (dot(rot[0], a), dot(rot[1], a), dot(rot[2], a))


def transpose(rot: Matrix) -> Matrix:
    """Return Rᵀ."""
    return ((rot[0][0], rot[1][0], rot[2][0]), (rot[0][1], rot[1][1], rot[2][1]), (rot[0][2], rot[1][2], rot[2][2]))


def product(left: Matrix, right: Matrix) -> Matrix:
    """Return the matrix product, left times right."""
    columns = transpose(right)
    rows = [(dot(row, columns[0]), dot(row, columns[1]), dot(row, columns[2])) for row in left]
    return (rows[0], rows[1], rows[2])


def rotated(rot: Matrix, tensor: Matrix) -> Matrix:
    """Return rot I Rᵀ."""
    return product(product(rot, tensor), transpose(rot))


def symmetric(xx: float, xy: float, xz: float, yy: float, yz: float, zz: float) -> Matrix:
    """Return the symmetric matrix of its upper triangle."""
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def about_axis(axis: Vector, angle: float) -> Matrix:
    """Return the rotation by ``angle`` (rad) about ``axis`` (Rodrigues)."""
    x, y, z = unit(axis)
    c, s = math.cos(angle), math.sin(angle)
    u = 1 - c
    return (
        (c + u * x * x, u * x * y - s * z, u * x * z + s * y),
        (u * x * y + s * z, c + u * y * y, u * y * z - s * x),
        (u * x * z - s * y, u * y * z + s * x, c + u * z * z),
    )


def rotation_matrix(rotation: Rotation | None) -> Matrix:
    """Return the matrix of a rotation as written; `robot.Rotation` lists the spellings."""
    if rotation is None:
        return IDENTITY
    angles = [radians(number) for number in rotation.numbers]
    values = [number.value for number in rotation.numbers]
    head = (values[0], values[1], values[2])
    if rotation.kind in {"rpy", "euler"}:
        return _from_euler(angles, rotation.sequence if rotation.kind == "euler" else "XYZ")
    if rotation.kind == "quaternion":
        imaginary = (values[1], values[2], values[3])
        return about_axis(imaginary, 2 * math.atan2(math.hypot(*imaginary), values[0]))
    if rotation.kind == "axis_angle":
        return about_axis(head, angles[3])
    if rotation.kind == "xyaxes":
        x = unit(head)
        z = unit(cross(x, (values[3], values[4], values[5])))
        return transpose((x, cross(z, x), z))
    turn = cross((0.0, 0.0, 1.0), unit(head))  # zaxis: the smallest rotation that takes z there
    angle = math.atan2(math.hypot(*turn), unit(head)[2])
    return about_axis(turn if math.hypot(*turn) else (1.0, 0.0, 0.0), angle)


def _from_euler(angles: list[float], sequence: str) -> Matrix:
    """Lower-case letters turn about moving axes, upper-case ones about fixed axes."""
    axes: dict[str, Vector] = {"x": IDENTITY[0], "y": IDENTITY[1], "z": IDENTITY[2]}
    rot = IDENTITY
    for letter, angle in zip(sequence, angles, strict=True):
        turn = about_axis(axes[letter.lower()], angle)
        rot = product(rot, turn) if letter.islower() else product(turn, rot)
    return rot


def vector(numbers: tuple[Number, Number, Number]) -> Vector:
    """Return three numbers as a vector."""
    return (numbers[0].value, numbers[1].value, numbers[2].value)


def compose(rot: Matrix, p: Vector, pose: Pose | None) -> tuple[Matrix, Vector]:
    """Return the placement (rot, p) followed by a pose."""
    if pose is None:
        return rot, p
    x, y, z = apply(rot, vector(pose.xyz))
    return product(rot, rotation_matrix(pose.rotation)), (p[0] + x, p[1] + y, p[2] + z)


def eigenvalues(tensor: Matrix) -> Vector:
    """Return the eigenvalues of a symmetric matrix, ascending, to a few eps of its largest entry (cyclic Jacobi)."""
    scale = max(abs(entry) for row in tensor for entry in row)
    if scale == 0 or not math.isfinite(scale):
        return (0.0, 0.0, 0.0)
    a = [[entry / scale for entry in row] for row in tensor]
    for _ in range(_SWEEPS):
        if abs(a[0][1]) + abs(a[0][2]) + abs(a[1][2]) == 0:
            break
        for i, j in ((0, 1), (0, 2), (1, 2)):
            _annihilate(a, i, j)
    largest = sys.float_info.max
    low, middle, high = (max(-largest, min(largest, value * scale)) for value in sorted((a[0][0], a[1][1], a[2][2])))
    return (low, middle, high)


def _annihilate(a: list[list[float]], i: int, j: int) -> None:
    """Rotate rows and columns i, j so that a[i][j] becomes 0 (Golub, Van Loan: Matrix Computations)."""
    if a[i][j] == 0:
        return
    theta = (a[j][j] - a[i][i]) / (2 * a[i][j])
    t = math.copysign(1.0, theta) / (abs(theta) + math.hypot(theta, 1.0))
    c = 1 / math.hypot(t, 1.0)
    s = t * c
    k = 3 - i - j
    a_ij, a_ki, a_kj = a[i][j], a[k][i], a[k][j]
    a[i][i] -= t * a_ij
    a[j][j] += t * a_ij
    a[i][j] = a[j][i] = 0.0
    a[k][i] = a[i][k] = c * a_ki - s * a_kj
    a[k][j] = a[j][k] = s * a_ki + c * a_kj


def printed_step(number: Number) -> float:
    """Return the weight of the last digit that is written; 0 for an integer, which counts as exact."""
    mantissa, _, exponent = number.text.lower().partition("e")
    if not number.text or ("." not in mantissa and not exponent):
        return 0.0
    power = int(exponent or 0) - len(mantissa.partition(".")[2])
    return 10.0**power if -300 < power < 300 else 0.0


def shown(value: float) -> str:
    """Return a number for a message: four digits."""
    return f"{value:.4g}"
