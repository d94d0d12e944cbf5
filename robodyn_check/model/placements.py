"""From what a file writes (Number, Rotation, Pose, Inertial) to arrays of one number type.

`float_number` reads doubles; certification hands in its own reader, which reads the decimals themselves. Angles written
in degrees are turned into radians here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.model import rotations
from robodyn_check.model.robot import Number

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.robot import Inertial, Pose, Rotation

    Array = npt.NDArray[Any]

#: Turns one written number into a scalar in SI units; degrees become radians.
NumberReader = Callable[[Number], Any]
ZERO = Number(text="0", value=0.0)
ONE = Number(text="1", value=1.0)


def float_number(number: Number) -> float:
    """Return the double nearest to a written number, in radians where it was written in degrees."""
    return math.radians(number.value) if number.degrees else number.value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """A placement as numbers: p_outer = R p_inner + p; R (3, 3), p (3,) m."""

    R: Array
    p: Array

    def __matmul__(self, inner: Frame) -> Frame:
        """Return the placement of ``inner`` seen from this frame's outer frame."""
        return Frame(R=self.R @ inner.R, p=self.R @ inner.p + self.p)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MassProperties:
    """Mass (kg), centre of mass (3,) m in the link frame, inertia (3, 3) kg m² about it in link axes."""

    mass: Any
    com: Array
    inertia: Array


class Reader:
    """Turns written values into arrays of one number type; stateless but for the function that reads a Number."""

    def __init__(self, number: NumberReader) -> None:
        """Keep the number reader, and zero and one as it reads them."""
        self.number = number
        self.zero = number(ZERO)
        self.one = number(ONE)

    def array(self, numbers: Iterable[Number]) -> Array:
        """Return a vector of the numbers."""
        return np.array([self.number(entry) for entry in numbers])

    def identity(self) -> Frame:
        """Return the placement that moves nothing."""
        zero, one = self.zero, self.one
        rows = [[one, zero, zero], [zero, one, zero], [zero, zero, one]]
        return Frame(R=np.array(rows), p=np.array([zero, zero, zero]))

    def rotation(self, rotation: Rotation) -> Array:
        """Return the (3, 3) matrix of a rotation as written."""
        numbers = [self.number(entry) for entry in rotation.numbers]
        match rotation.kind:
            case "rpy":
                return rotations.from_rpy(*numbers)
            case "quaternion":
                return rotations.from_quaternion(*numbers)
            case "axis_angle":
                return rotations.from_axis_angle(numbers[:3], numbers[3])
            case "euler":
                return rotations.from_euler(numbers, rotation.sequence)
            case "xyaxes":
                return rotations.from_xyaxes(numbers)
            case "zaxis":
                return rotations.smallest_to(numbers)

    def frame(self, *poses: Pose | None) -> Frame:
        """Return the product of poses as written, outermost first; None is the identity."""
        product = self.identity()
        for pose in poses:
            if pose is not None:
                turn = self.identity().R if pose.rotation is None else self.rotation(pose.rotation)
                product = product @ Frame(R=turn, p=self.array(pose.xyz))
        return product

    def mass_properties(self, inertial: Inertial | None) -> MassProperties:
        """Return a link's mass properties in link axes; zeros where the file states none."""
        zeros = np.array([self.zero] * 3)
        if inertial is None:
            return MassProperties(mass=self.zero, com=zeros, inertia=np.outer(zeros, zeros))
        origin = self.frame(inertial.origin)
        xx, xy, xz, yy, yz, zz = (self.number(entry) for entry in inertial.inertia)
        written = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        unrotated = inertial.origin.rotation is None
        inertia = written if unrotated else origin.R @ written @ origin.R.T
        return MassProperties(mass=self.number(inertial.mass), com=origin.p, inertia=inertia)
