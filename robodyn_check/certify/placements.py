"""Placements and motions as 4×4 matrices of balls, derived apart from the reference engine's own rotations.

Every rotation is an exponential of a generator (Rodrigues: I + sin K + (1 - cos) K²) or q v q* of a quaternion; nothing
is shared with `model.rotations`, so that a slip there cannot hide here.

A generator of a screw is the 4×4 matrix ξ with X' = X ξ. Source: Murray, Li, Sastry (1994), A Mathematical Introduction
to Robotic Manipulation, section 2.3 (from memory; derived again here).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import flint

from robodyn_check.certify.exact import exact_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.robot import Pose, Rotation

Matrix = Any  #: flint.arb_mat, 4×4
_LETTERS = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def matrix(rows: Sequence[Sequence[Any]]) -> Matrix:
    """Return an arb_mat of the rows."""
    return flint.arb_mat([[flint.arb(entry) for entry in row] for row in rows])


def identity() -> Matrix:
    """Return the placement that moves nothing."""
    return matrix([[int(i == j) for j in range(4)] for i in range(4)])


def turn_generator(axis: Sequence[Any]) -> Matrix:
    """Return the generator of a rotation about an axis through the origin."""
    x, y, z = axis
    return matrix([[0, -z, y, 0], [z, 0, -x, 0], [-y, x, 0, 0], [0, 0, 0, 0]])


def shift_generator(axis: Sequence[Any]) -> Matrix:
    """Return the generator of a translation along an axis."""
    x, y, z = axis
    return matrix([[0, 0, 0, x], [0, 0, 0, y], [0, 0, 0, z], [0, 0, 0, 0]])


def turned(axis: Sequence[Any], angle: Any) -> Matrix:
    """Return the rotation by ``angle`` about a unit axis."""
    K = turn_generator(axis)
    return identity() + K * flint.arb(angle).sin() + K * K * (1 - flint.arb(angle).cos())


def shifted(vector: Sequence[Any]) -> Matrix:
    """Return the translation by a vector."""
    return identity() + shift_generator(vector)


def direction(vector: Sequence[Any]) -> list[Any]:
    """Return a vector divided by its length."""
    length = sum((entry * entry for entry in vector), start=flint.arb(0)).sqrt()
    return [entry / length for entry in vector]


def from_quaternion(w: Any, x: Any, y: Any, z: Any) -> Matrix:
    """Return v -> q v q* / |q|², column by column by quaternion products."""
    q = (w, x, y, z)
    conjugate = (w, -x, -y, -z)
    square = sum((entry * entry for entry in q), start=flint.arb(0))
    columns = [_product(_product(q, (0, *unit)), conjugate)[1:] for unit in _LETTERS.values()]
    rows = [[columns[j][i] / square for j in range(3)] + [0] for i in range(3)]
    return matrix([*rows, [0, 0, 0, 1]])


def _product(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
    """Return the quaternion product a b, both w x y z."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def smallest_turn_to(axis: Sequence[Any]) -> Matrix:
    """Return the smallest rotation that takes z to a unit axis; axis = -z: half a turn about x (design page, 4).

    With k = z × axis and c = z · axis it is I + K + K² / (1 + c).
    """
    x, y, z = axis
    if x.is_zero() and y.is_zero():
        return identity() if z > 0 else turned((1, 0, 0), flint.arb.pi())
    K = turn_generator((-y, x, flint.arb(0)))
    return identity() + K + K * K / (1 + z)


def rotation_matrix(rotation: Rotation) -> Matrix:
    """Return the 4×4 matrix of a rotation as written (model.robot.Rotation says what each kind means)."""
    n = [exact_number(number) for number in rotation.numbers]
    match rotation.kind:
        case "rpy":
            return turned((0, 0, 1), n[2]) * turned((0, 1, 0), n[1]) * turned((1, 0, 0), n[0])
        case "quaternion":
            return from_quaternion(*n)
        case "axis_angle":
            return turned(direction(n[:3]), n[3])
        case "euler":
            product = identity()
            for letter, angle in zip(rotation.sequence, n, strict=True):
                step = turned(_LETTERS[letter.lower()], angle)
                product = product * step if letter.islower() else step * product
            return product
        case "xyaxes":
            x = direction(n[:3])
            along = sum((a * b for a, b in zip(x, n[3:], strict=True)), start=flint.arb(0))
            y = direction([b - along * a for a, b in zip(x, n[3:], strict=True)])
            z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
            return matrix([*([x[i], y[i], z[i], 0] for i in range(3)), [0, 0, 0, 1]])
        case "zaxis":
            return smallest_turn_to(direction(n))


def pose_matrix(*poses: Pose | None) -> Matrix:
    """Return the product of poses as written, outermost first; None is the identity."""
    product = identity()
    for pose in poses:
        if pose is not None:
            product = product * shifted([exact_number(number) for number in pose.xyz])
            if pose.rotation is not None:
                product = product * rotation_matrix(pose.rotation)
    return product
