"""The springs of elastic joints, in the coordinates of the robot that has each motor as a joint of its own.

Those coordinates are x = (q, θ): first the links' n, then the motors' n behind the gears, in the same order. The
springs pull the links with K (θ - q) + D (θ̇ - q̇), and the motors with the opposite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Springs:
    """What joins motors to links, each (n,): K in N m/rad, D in N m s/rad, the motors' J behind the gears in kg m²."""

    stiffness: FloatArray
    damping: FloatArray
    motor_inertia: FloatArray

    @property
    def n(self) -> int:
        """Number of joints; the coordinates are twice as many."""
        return len(self.stiffness)

    def force(self, x: FloatArray, rate: FloatArray) -> FloatArray:
        """Return the generalised force of springs and dampers, (N, 2n), at x and ẋ, each (N, 2n)."""
        n = self.n
        pull = self.stiffness * (x[:, n:] - x[:, :n]) + self.damping * (rate[:, n:] - rate[:, :n])
        return np.hstack([pull, -pull])

    def size(self, x: FloatArray, rate: FloatArray) -> FloatArray:
        """Return the sum of the sizes of the terms of `force`, (N, 2n)."""
        n = self.n
        pull = self.stiffness * np.abs(x[:, n:] - x[:, :n]) + self.damping * np.abs(rate[:, n:] - rate[:, :n])
        return np.hstack([pull, pull])

    def energy(self, x: FloatArray) -> FloatArray:
        """Return ½ (q - θ)ᵀ K (q - θ), (N,) J."""
        stored: FloatArray = 0.5 * (self.stiffness * (x[:, self.n :] - x[:, : self.n]) ** 2).sum(axis=1)
        return stored

    def dissipated_power(self, rate: FloatArray) -> FloatArray:
        """Return (q̇ - θ̇)ᵀ D (q̇ - θ̇), (N,) W."""
        lost: FloatArray = (self.damping * (rate[:, : self.n] - rate[:, self.n :]) ** 2).sum(axis=1)
        return lost

    def elastic_matrix(self, mass_matrix: FloatArray) -> FloatArray:
        """Return K^½ (M⁻¹ + J⁻¹) K^½, (N, n, n): its eigenvalues are the squares of the frequencies without gravity.

        Args:
            mass_matrix: Of the links, (N, n, n).
        """
        root = np.sqrt(self.stiffness)
        inner = np.linalg.inv(mass_matrix) + np.diag(1.0 / self.motor_inertia)
        return np.asarray(root[:, None] * inner * root, dtype=np.float64)
