"""An adapter in closed form for models/pendulum, with profiles that misbehave on purpose."""

from __future__ import annotations

import math
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import JointLayout, Layout

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

MASS, LENGTH, INERTIA = 2.0, 0.5, 0.25


def _has_run_before() -> bool:
    """Tell whether an earlier process has left its mark where the test keeps it, and leave one."""
    mark = os.environ.get("PENDULUM_MARK")
    if mark is None:
        return False
    before = Path(mark).exists()
    Path(mark).touch()
    return before


class Pendulum(Adapter):
    """One joint, one rod."""

    name = "pendulum"
    formats = ("urdf", "mjcf")
    coriolis = "christoffel"
    chunk = 20
    profiles: ClassVar[dict[str, str]] = {
        "wrong": "the mass matrix of another rod",
        "nan": "NaN instead of gravity",
        "crash": "dies when asked for inverse dynamics",
        "hang": "never answers inverse dynamics",
        "chatter": "writes on stdout all the time",
        "refuses": "refuses every model",
        "limited": "has a documented limit",
        "dead": "dies while loading",
        "moody": "another mass matrix in every process",
        "stale": "gravity of the state that was asked before",
        "shy": "refuses the model in its first process",
        "mortal": "the mass matrix of another rod; dies of inverse dynamics in its second process",
    }
    limits: ClassVar[dict[str, str]] = {"swinging": "no joint that swings"}

    def version(self) -> str:
        """Return the version."""
        return "1.0"

    def load(self, source: Source) -> Layout:
        """Remember the profile and gravity."""
        self.profile, self.gravity = source.profile, source.gravity
        if self.profile == "dead":
            os.kill(os.getpid(), signal.SIGKILL)
        self.second = _has_run_before()
        self.weight_before = 0.0
        if self.profile == "refuses" or (self.profile == "shy" and not self.second):
            raise ValueError("I do not like rods")
        if self.profile == "limited":
            raise Unsupported("swinging", "no joint that swings")
        return Layout(joints=(JointLayout(name="swing", q=(0,), v=(0,)),), links=("base", "rod"), nq=1, nv=1)

    def mass_matrix(self, _q: Array) -> Any:
        """M = m l² + I."""
        wrong = {"wrong": 2.0, "mortal": 2.0, "moody": 4.0 if self.second else 3.0}.get(self.profile, 1.0)
        return np.array([[wrong * (MASS * LENGTH**2 + INERTIA)]])

    def coriolis_matrix(self, _q: Array, _v: Array) -> Any:
        """C = 0."""
        return np.zeros((1, 1))

    def gravity_vector(self, q: Array) -> Any:
        """G = m γ l sin q."""
        if self.profile == "nan" and q[0] > 0:
            return np.array([math.nan])
        if self.profile == "chatter":
            print("x" * 1000)  # noqa: T201 - on purpose
        before, self.weight_before = self.weight_before, self._weight(q)
        return np.array([before if self.profile == "stale" else self.weight_before])

    def inverse_dynamics(self, q: Array, _v: Array, a: Array) -> Any:
        """Tau = M a + g."""
        if self.profile == "crash" or (self.profile == "mortal" and self.second):
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.profile == "hang":
            if "PENDULUM_HANGS" in os.environ:
                Path(os.environ["PENDULUM_HANGS"]).touch()
            time.sleep(3600)
        return (MASS * LENGTH**2 + INERTIA) * a + self._weight(q)

    def kinetic_energy(self, _q: Array, v: Array) -> float:
        """K = ½ M v²."""
        return float(0.5 * (MASS * LENGTH**2 + INERTIA) * v[0] ** 2)

    def _weight(self, q: Array) -> float:
        return MASS * LENGTH * (self.gravity[0] * math.cos(q[0]) - self.gravity[2] * math.sin(q[0]))
