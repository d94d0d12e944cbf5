"""Robots whose equations stand in textbooks: the bundled models that have a closed form, and the form.

Each function returns what it knows at N states; the parameters are those of models/NAME/model.urdf, the sources stand
in models/NAME/MODEL.toml. g = 9.81 m/s².
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from robodyn_check.quantities import STANDARD_GRAVITY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Form = Callable[[Array, Array], dict[str, Array]]

_G = -STANDARD_GRAVITY[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedForm:
    """A bundled model, its base, and (q, v) -> quantity -> values."""

    model: str
    base: Literal["fixed", "floating"]
    form: Form


def pendulum(q: Array, v: Array) -> dict[str, Array]:
    """M = m l² + I, g = m g l sin q."""
    m, l, I = 2.0, 0.5, 0.25
    inertia = m * l**2 + I
    return {
        "mass_matrix": np.full((len(q), 1, 1), inertia),
        "coriolis_matrix": np.zeros((len(q), 1, 1)),
        "gravity_vector": m * _G * l * np.sin(q),
        "kinetic_energy": 0.5 * inertia * v[:, 0] ** 2,
    }


def planar_2r(q: Array, v: Array) -> dict[str, Array]:
    """Two links in a vertical plane."""
    m1, m2, l1, c1, c2, I1, I2 = 3.0, 2.0, 1.0, 0.5, 0.25, 0.25, 0.0625
    alpha, beta, gamma = m1 * c1**2 + I1 + m2 * l1**2, m2 * c2**2 + I2, m2 * l1 * c2
    c, s = np.cos(q[:, 1]), np.sin(q[:, 1])
    both = _G * m2 * c2 * np.cos(q[:, 0] + q[:, 1])
    return {
        "mass_matrix": _matrix([[alpha + beta + 2 * gamma * c, beta + gamma * c], [beta + gamma * c, beta + 0 * c]]),
        "coriolis_matrix": _matrix(
            [[-gamma * s * v[:, 1], -gamma * s * (v[:, 0] + v[:, 1])], [gamma * s * v[:, 0], 0 * s]]
        ),
        "gravity_vector": np.stack([_G * (m1 * c1 + m2 * l1) * np.cos(q[:, 0]) + both, both], axis=-1),
    }


def rp_arm(q: Array, v: Array) -> dict[str, Array]:
    """A rotating arm with a sliding mass."""
    m1, l1, I1, m2, I2 = 1.25, 0.3, 0.0625, 2.0, 0.03125
    c, s, d = np.cos(q[:, 0]), np.sin(q[:, 0]), q[:, 1]
    return {
        "mass_matrix": _matrix([[m1 * l1**2 + I1 + I2 + m2 * d**2, 0 * d], [0 * d, m2 + 0 * d]]),
        "coriolis_matrix": _matrix([[m2 * d * v[:, 1], m2 * d * v[:, 0]], [-m2 * d * v[:, 0], 0 * d]]),
        "gravity_vector": _G * np.stack([(m1 * l1 + m2 * d) * c, m2 * s], axis=-1),
    }


def cart_pole(q: Array, v: Array) -> dict[str, Array]:
    """A pole on a cart."""
    M, m, l, I = 2.0, 0.3, 0.5, 0.005
    c, s = np.cos(q[:, 1]), np.sin(q[:, 1])
    return {
        "mass_matrix": _matrix([[M + m + 0 * c, m * l * c], [m * l * c, m * l**2 + I + 0 * c]]),
        "coriolis_matrix": _matrix([[0 * s, -m * l * s * v[:, 1]], [0 * s, 0 * s]]),
        "gravity_vector": np.stack([0 * s, m * _G * l * s], axis=-1),
    }


def free_body(q: Array, v: Array) -> dict[str, Array]:
    """Euler's equations in body axes, with the transport term of a velocity in body axes."""
    m, I = 1.75, np.array([0.25, 0.5, 0.625])
    x, y, z, w = q[:, 3:].T
    up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), w**2 - x**2 - y**2 + z**2], axis=-1)  # Rᵀ z
    up = up / (q[:, 3:] ** 2).sum(axis=1, keepdims=True)
    linear, angular = v[:, :3], v[:, 3:]
    return {
        "mass_matrix": np.broadcast_to(np.diag([m, m, m, *I]), (len(q), 6, 6)),
        "coriolis_force": np.hstack([m * np.cross(angular, linear), np.cross(angular, I * angular)]),
        "gravity_vector": np.hstack([m * _G * up, 0 * up]),
        "kinetic_energy": 0.5 * (m * (linear**2).sum(axis=1) + (I * angular**2).sum(axis=1)),
    }


def _matrix(rows: list[list[Array]]) -> Array:
    """Return (N, r, c) from rows of (N,)."""
    return np.moveaxis(np.array(rows), -1, 0)


#: Every bundled model that has a closed form.
CLOSED_FORMS: Mapping[str, ClosedForm] = MappingProxyType(
    {
        **{
            form.__name__: ClosedForm(model=form.__name__, base="fixed", form=form)
            for form in (pendulum, planar_2r, rp_arm, cart_pole)
        },
        "free_body": ClosedForm(model="free_body", base="floating", form=free_body),
    }
)
