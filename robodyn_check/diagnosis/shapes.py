"""The inertia that a loader would compute from a link's collision shapes, spread evenly over their volumes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.faults.in_inertials import number
from robodyn_check.model.placements import Reader, float_number
from robodyn_check.model.robot import Inertial, Rotation

if TYPE_CHECKING:
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.robot import Link, Shape

_READ = Reader(float_number)


def from_shapes(link: Link) -> Inertial | None:
    """Return the inertial with the file's mass and centre of mass, and the inertia of the link's only collision shape.

    None where the link has no mass, or not exactly one collision primitive.
    """
    shapes = [shape for shape in link.shapes if shape.role == "collision"]
    if link.inertial is None or len(shapes) != 1:
        return None
    moments = _moments(shapes[0])
    if moments is None:
        return None
    mass = link.inertial.mass.value
    turn = _READ.frame(shapes[0].origin).R
    matrix = mass * (turn * moments) @ turn.T
    xx, xy, xz, yy, yz, zz = (number(matrix[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))
    columns = tuple(number(entry) for entry in (1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
    origin = replace(link.inertial.origin, rotation=Rotation(kind="xyaxes", numbers=columns))
    return replace(link.inertial, origin=origin, inertia=(xx, xy, xz, yy, yz, zz))


def _moments(shape: Shape) -> FloatArray | None:
    """Return the principal moments of a solid of mass 1 about its centre, (3,) m²."""
    sizes = [float_number(size) for size in shape.sizes]
    match shape.kind, sizes:
        case "box", [x, y, z]:
            return np.array([y * y + z * z, z * z + x * x, x * x + y * y]) / 12
        case "sphere", [radius]:
            return np.full(3, 0.4 * radius * radius)
        case "cylinder", [radius, length]:
            across = (3 * radius * radius + length * length) / 12
            return np.array([across, across, radius * radius / 2])
        case "capsule", [radius, length]:
            return _capsule(radius, length)
        case _:
            return None


def _capsule(radius: float, length: float) -> FloatArray:
    """Return those of a cylinder of this length with half a ball at each end."""
    ball, rod = 4 / 3 * math.pi * radius**3, math.pi * radius**2 * length
    rod_share, ball_share = rod / (ball + rod), ball / (ball + rod)
    along = rod_share * radius**2 / 2 + ball_share * 0.4 * radius**2
    across = rod_share * (3 * radius**2 + length**2) / 12
    across += ball_share * (0.4 * radius**2 + length**2 / 4 + 0.375 * length * radius)
    return np.array([across, across, along])
