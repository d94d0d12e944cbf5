"""Linearised elastic joints: the closed form of one joint, and identities that hold for any."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from robodyn_check.faults.random_models import random_robot
from robodyn_check.flexible.joints import ElasticJoints, forward_dynamics
from robodyn_check.flexible.linear import (
    Linearisation,
    antiresonances,
    linearise,
    locked_frequencies,
    natural_modes,
    poles,
    relative_degree,
    transfer,
)
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate

N = 4
POSE = np.array([0.3, -0.7, 1.1, 0.4])


def robot(damping: float = 0.0) -> ElasticJoints:
    return ElasticJoints(
        mechanism=build_mechanism(random_robot(3, group="plain", dofs=N)),
        stiffness=np.array([2e3, 1e3, 8e2, 5e2]),
        damping=np.full(N, damping),
        motor_inertia=np.array([0.5, 0.4, 0.2, 0.1]),
    )


def one_joint(mass: float, motor: float, stiffness: float, damping: float = 0.0) -> Linearisation:
    return Linearisation(
        mass=np.array([[mass]]),
        gravity_stiffness=np.zeros((1, 1)),
        stiffness=np.array([stiffness]),
        damping=np.array([damping]),
        motor_inertia=np.array([motor]),
    )


@pytest.mark.parametrize(("mass", "motor", "stiffness"), [(0.5, 0.2, 2000.0), (3.0, 0.01, 1e5), (1e-3, 0.4, 10.0)])
def test_one_joint_has_the_closed_forms(mass: float, motor: float, stiffness: float):
    linear = one_joint(mass, motor, stiffness)
    resonance = np.sqrt(stiffness * (motor + mass) / (motor * mass))
    locked = np.sqrt(stiffness / mass)
    assert natural_modes(linear).squared[0] == 0.0
    assert natural_modes(linear).elastic[0] == pytest.approx(resonance, rel=1e-14)
    assert locked_frequencies(linear)[0] == pytest.approx(locked, rel=1e-14)
    assert antiresonances(linear, 0)[0] == pytest.approx(locked, rel=1e-14)
    assert resonance / locked == pytest.approx(np.sqrt(1 + mass / motor), rel=1e-14)


@pytest.mark.parametrize("gravity", [True, False], ids=["gravity", "no gravity"])
def test_modes_solve_the_eigenproblem_and_are_orthonormal(gravity: bool):  # noqa: FBT001 - a parameter of the table
    linear = linearise(robot(), POSE, gravity=gravity)
    modes, K = natural_modes(linear), np.diag(linear.stiffness)
    mass = np.block([[linear.mass, np.zeros((N, N))], [np.zeros((N, N)), np.diag(linear.motor_inertia)]])
    stiffness = np.block([[K + linear.gravity_stiffness, -K], [-K, K]])
    np.testing.assert_allclose(modes.shapes.T @ mass @ modes.shapes, np.eye(2 * N), atol=1e-12)
    residual = stiffness @ modes.shapes - mass @ modes.shapes * modes.squared
    assert np.abs(residual).max() < 1e-11 * modes.squared[-1]
    assert (np.diff(modes.squared) >= 0).all()


def test_gravity_that_vanishes_gives_the_frequencies_without_it():
    linear = linearise(robot(), POSE, gravity=False)
    slight = dataclasses.replace(linear, gravity_stiffness=1e-9 * np.eye(N))
    np.testing.assert_allclose(natural_modes(slight).elastic, natural_modes(linear).elastic, rtol=1e-10)


def test_the_gravity_stiffness_is_the_gradient_of_gravity():
    elastic, step = robot(), 1e-6
    shifts = POSE + step * np.concatenate([np.eye(N), -np.eye(N)])
    g = evaluate(elastic.mechanism, "gravity_vector", shifts)
    np.testing.assert_allclose(linearise(elastic, POSE).gravity_stiffness, ((g[:N] - g[N:]) / (2 * step)).T, atol=1e-7)


def test_the_linear_model_is_the_derivative_of_the_forward_dynamics():
    elastic = robot(0.4)
    linear, h = linearise(elastic, POSE), 1e-6
    rest = POSE + evaluate(elastic.mechanism, "gravity_vector", POSE[None])[0] / elastic.stiffness
    hold = evaluate(elastic.mechanism, "gravity_vector", POSE[None])[0]
    steps = h * np.concatenate([np.eye(4 * N), -np.eye(4 * N)])
    q, theta, v, w = np.split(np.concatenate([POSE, rest, np.zeros(2 * N)]) + steps, 4, axis=1)
    rate = np.hstack([v, w, *forward_dynamics(elastic, q, theta, v, w, np.tile(hold, (8 * N, 1)))])
    found = ((rate[: 4 * N] - rate[4 * N :]) / (2 * h)).T
    eigenvalues = np.linalg.eigvals(found)
    for pole in poles(linear):
        assert np.abs(eigenvalues - pole).min() < 1e-4 * (1 + abs(pole))


def test_resonances_and_antiresonances_interlace():
    linear = linearise(robot(), POSE, gravity=False)
    resonances = natural_modes(linear).squared
    for joint in range(N):
        zeros = antiresonances(linear, joint) ** 2
        assert len(zeros) == N  # n - 1 free motions of the other joints are left out
        upper = resonances[N:]
        assert all(low <= zero * (1 + 1e-12) for low, zero in zip([0.0, *upper], zeros, strict=False))
        assert all(zero <= high * (1 + 1e-12) for zero, high in zip(zeros, upper, strict=True))


def test_the_transfer_function_vanishes_at_an_antiresonance_and_grows_at_a_resonance():
    linear = linearise(robot(), POSE)
    zero, pole = antiresonances(linear, 1)[1], natural_modes(linear).elastic[1]
    values = np.abs(transfer(linear, np.array([1j * zero, 1.01j * zero]), "motor")[:, 1, 1])
    assert values[0] < 1e-9 * values[1]
    near = np.abs(transfer(linear, pole * np.array([1j + 1e-9j, 1.01j]), "link")[:, 1, 1])
    assert near[0] > 1e5 * near[1]


@pytest.mark.parametrize(("damping", "degree"), [(0.0, 4), (0.5, 3)], ids=["spring", "spring and damper"])
@pytest.mark.parametrize("joint", range(N))
def test_the_relative_degree(damping: float, degree: int, joint: int):
    linear = linearise(robot(damping), POSE)
    assert relative_degree(linear, joint, "link") == degree
    assert relative_degree(linear, joint, "motor") == 2


def test_the_relative_degree_is_the_fall_at_high_frequency():
    for damping, degree in ((0.0, 4), (0.5, 3)):
        linear = one_joint(0.5, 0.2, 2000.0, damping)
        high = np.abs(transfer(linear, np.array([1e6j, 1e7j]), "link")[:, 0, 0])
        assert np.log10(high[0] / high[1]) == pytest.approx(degree, abs=1e-3)
