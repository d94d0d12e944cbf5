"""An adapter in closed form for models/pendulum that behaves as a file of its environment says."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import BodyReadback, Readback

MASS, LENGTH, INERTIA = 2.0, 0.5, 0.25


class Swing(Adapter):
    """One joint, one rod."""

    name = "swing"
    formats = ("urdf", "mjcf")
    coriolis = "christoffel"

    def version(self) -> str:
        """Return the version that the environment's file names."""
        return self._words()[0]

    def load(self, source: Source) -> Layout:
        """Remember gravity."""
        if "refuses" in self._words():
            raise ValueError("I do not like rods")
        self.gravity = source.gravity
        return Layout(joints=(JointLayout(name="swing", q=(0,), v=(0,)),), links=("base", "rod"), nq=1, nv=1)

    def readback(self) -> Readback:
        """Show the rod."""
        mass = MASS / 2.0 if "wrong" in self._words() else MASS
        zero = (0.0, 0.0, 0.0)
        rod = BodyReadback(name="rod", mass=mass, com=(0.0, 0.0, -LENGTH), inertia=(zero, zero, zero), joint="swing")
        return Readback(bodies=(rod,))

    def mass_matrix(self, _q: Any) -> Any:
        """M = m l² + I."""
        words = self._words()
        if "gone" in words:
            math.hypotenuse(3.0, 4.0)  # type: ignore[attr-defined]
        value = MASS * LENGTH**2 + INERTIA
        return np.array(
            [[2.0 * value if "wrong" in words else math.nextafter(value, 9.0) if "rounds" in words else value]]
        )

    def gravity_vector(self, q: Any) -> Any:
        """G = m γ l sin q."""
        return np.array([MASS * LENGTH * (self.gravity[0] * math.cos(q[0]) - self.gravity[2] * math.sin(q[0]))])

    @staticmethod
    def _words() -> list[str]:
        file = Path(sys.prefix) / "behaviour.txt"
        return file.read_text(encoding="utf-8").split() if file.is_file() else ["1.0"]
