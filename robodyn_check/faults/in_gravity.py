"""Faults in armature and gravity, energies included."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.faults.fault import (
    LibraryFault,
    Planted,
    Scene,
    asked_otherwise,
    reference_answerer,
    tampered,
    values_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.requests import Request

    Gravity = tuple[float, float, float]

#: kg m² that a library adds unasked.
INJECTED = 0.01
#: Gravity of ISO 80000-3 over the 9.81 of the default.
STANDARD_OVER_DEFAULT = 9.80665 / 9.81


def _with_armature(share: float, added: float = 0.0) -> Callable[[Scene], Planted | None]:
    """Return how to hold another armature in every quantity."""

    def plant(scene: Scene) -> Planted | None:
        armature = np.asarray(scene.mechanism.armature, dtype=float)
        if not added and not armature.any():
            return None
        wrong = replace(scene.mechanism, armature=share * armature + added)
        return Planted(answer=reference_answerer(wrong))

    return plant


def _armature_not_in_mass_matrix(scene: Scene) -> Planted | None:
    """Leave armature out of M alone."""
    armature = np.asarray(scene.mechanism.armature, dtype=float)
    if not armature.any():
        return None
    return Planted(answer=tampered(scene.answer, {"mass_matrix": lambda _, values: values - np.diag(armature)}))


def _armature_not_in_energy(scene: Scene) -> Planted | None:
    """Leave armature out of the kinetic energy alone."""
    armature = np.asarray(scene.mechanism.armature, dtype=float)
    if not armature.any():
        return None

    def less(request: Request, values: FloatArray) -> FloatArray:
        assert request.v is not None, "a kinetic energy is asked with a velocity"
        rotors: FloatArray = (request.v**2) @ armature
        return values - rotors / 2

    return Planted(answer=tampered(scene.answer, {"kinetic_energy": less}))


def _with_gravity(change: Callable[[Gravity], Gravity]) -> Callable[[Scene], Planted | None]:
    """Return how to compute with another field than the one asked for."""

    def plant(scene: Scene) -> Planted | None:
        x, y, z = (float(component) for component in scene.mechanism.gravity)
        if not (x or y or z):
            return None

        def wrong(request: Request) -> Request:
            return replace(request, gravity=change(request.gravity or (x, y, z)))

        return Planted(answer=asked_otherwise(scene.answer, wrong))

    return plant


def _fixed_inside(scene: Scene) -> Planted | None:
    """Ignore the field that is handed over."""
    if not np.asarray(scene.mechanism.gravity, dtype=float).any():
        return None
    return Planted(answer=asked_otherwise(scene.answer, lambda request: replace(request, gravity=None)))


def _generalised_force(scene: Scene) -> Planted | None:
    """Return the gravity vector as a force on the right-hand side."""
    if not np.asarray(scene.mechanism.gravity, dtype=float).any():
        return None
    return Planted(answer=tampered(scene.answer, {"gravity_vector": lambda _, values: -values}))


def _potential_sign(scene: Scene) -> Planted | None:
    """Return the potential energy with the other sign."""
    if not np.asarray(scene.mechanism.gravity, dtype=float).any():
        return None
    return Planted(answer=tampered(scene.answer, {"potential_energy": lambda _, values: -values}))


def _bias_without_gravity(scene: Scene) -> Planted | None:
    """Return the bias force without gravity."""
    if not np.asarray(scene.mechanism.gravity, dtype=float).any():
        return None

    def less(request: Request, values: FloatArray) -> FloatArray:
        return values - values_of(scene.answer, request, quantity="gravity_vector")

    return Planted(answer=tampered(scene.answer, {"bias_force": less}))


def _fault(name: str, cause: str, text: str, plant: Callable[[Scene], Planted | None], *on: str) -> LibraryFault:
    return LibraryFault(name=name, cause=cause, text=text, shows_on=on, plant=plant)


_ARMATURE = ("mass_matrix", "inverse_dynamics", "kinetic_energy", "forward_dynamics")
_GRAVITY = ("gravity_vector", "bias_force", "potential_energy", "joint_torque_regressor")

FAULTS: tuple[LibraryFault, ...] = (
    _fault("armature-dropped", "armature-dropped", "armature is not counted anywhere", _with_armature(0.0), *_ARMATURE),
    _fault("armature-doubled", "armature-doubled", "armature is counted twice", _with_armature(2.0), *_ARMATURE),
    _fault(
        "armature-injected",
        "armature-injected",
        f"armature of {INJECTED} kg m² is added to every joint",
        _with_armature(1.0, INJECTED),
        *_ARMATURE,
    ),
    _fault(
        "armature-not-in-mass-matrix",
        "armature-not-in-mass-matrix",
        "armature is missing in M alone",
        _armature_not_in_mass_matrix,
        "mass_matrix",
    ),
    _fault(
        "armature-not-in-energy",
        "armature-not-in-energy",
        "armature is missing in the kinetic energy alone",
        _armature_not_in_energy,
        "kinetic_energy",
    ),
    _fault(
        "gravity-sign",
        "gravity-sign",
        "gravity points up",
        _with_gravity(lambda g: (-g[0], -g[1], -g[2])),
        *_GRAVITY,
    ),
    _fault(
        "gravity-magnitude",
        "gravity-magnitude",
        "gravity is 9.80665 instead of 9.81",
        _with_gravity(
            lambda g: (STANDARD_OVER_DEFAULT * g[0], STANDARD_OVER_DEFAULT * g[1], STANDARD_OVER_DEFAULT * g[2])
        ),
        *_GRAVITY,
    ),
    _fault(
        "gravity-frame",
        "gravity-frame",
        "gravity is read in other axes: z is taken for x",
        _with_gravity(lambda g: (g[2], g[0], g[1])),
        *_GRAVITY,
    ),
    _fault(
        "gravity-only-vertical",
        "gravity-only-vertical",
        "only the z component of gravity is used",
        _with_gravity(lambda g: (0.0, 0.0, g[2])),
        *_GRAVITY,
    ),
    _fault(
        "gravity-fixed-inside",
        "gravity-fixed-inside",
        "the gravity that is handed over is ignored",
        _fixed_inside,
        *_GRAVITY,
    ),
    _fault(
        "gravity-vector-sign",
        "gravity-sign-convention",
        "the gravity vector is the generalised force, -g",
        _generalised_force,
        "gravity_vector",
    ),
    _fault(
        "potential-sign",
        "potential-sign",
        "the potential energy has the other sign",
        _potential_sign,
        "potential_energy",
    ),
    _fault(
        "bias-without-gravity",
        "bias-without-gravity",
        "the bias force holds no gravity",
        _bias_without_gravity,
        "bias_force",
    ),
)
