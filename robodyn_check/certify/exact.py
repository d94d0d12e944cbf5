"""Reading exactly: decimals of the file as rational numbers, doubles as themselves, both as balls.

A ball (python-flint ``arb``) is a midpoint with a radius that provably holds the true value; arithmetic widens the
radius by every rounding. Object arrays of balls run through the reference engine unchanged, because it names no number
type.

Source: F. Johansson, Arb: efficient arbitrary-precision midpoint-radius interval arithmetic, IEEE Transactions on
Computers 66 (2017).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import flint
import numpy as np

from robodyn_check.model.build import build_mechanism

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import Number, RobotModel

    Array = npt.NDArray[Any]
    FloatArray = npt.NDArray[np.float64]


def exact_number(number: Number) -> Any:
    """Return a written number as a ball around its exact decimal; degrees become radians inside the ball."""
    fraction = Fraction(number.text.strip())
    ball = flint.arb(flint.fmpq(fraction.numerator, fraction.denominator))
    return ball * flint.arb.pi() / 180 if number.degrees else ball


def exact_mechanism(
    robot: RobotModel, *, base: Literal["fixed", "floating"], gravity: Sequence[float] | None = None
) -> Mechanism:
    """Build the mechanism in balls at the current precision; arguments and errors as in `build_mechanism`."""
    return build_mechanism(robot, base=base, gravity=gravity, number=exact_number)


def balls(values: FloatArray) -> Array:
    """Return doubles as balls of radius zero, an object array of the same shape."""
    out = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        out[index] = flint.arb(float(value))
    return out


def as_balls(values: Array) -> Array:
    """Return an object array in which exact integers, such as structural zeros, are balls as well."""
    out = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        out[index] = flint.arb(value)
    return out


def midpoints(values: Array) -> FloatArray:
    """Return the double nearest to each ball's midpoint."""
    return np.array([float(value.mid()) for value in values.flat]).reshape(values.shape)


def radii(values: Array) -> FloatArray:
    """Return an upper bound of each ball's radius, as a double; infinite where a ball holds everything."""
    flat = (float(value.rad()) if value.is_finite() else np.inf for value in values.flat)
    return np.array(list(flat)).reshape(values.shape)


def distances(doubles: FloatArray, truth: Array) -> FloatArray:
    """Return |double - truth| for each entry, from exact doubles and balls, as doubles."""
    flat = zip(doubles.flat, truth.flat, strict=True)
    return np.array([abs(float((flint.arb(float(a)) - b).mid())) for a, b in flat]).reshape(doubles.shape)


def disjoint(first: Array, second: Array) -> int:
    """Return how many entries of two arrays of balls have no common point: each is a proof that one is wrong."""
    return sum(not a.overlaps(b) for a, b in zip(first.flat, second.flat, strict=True))
