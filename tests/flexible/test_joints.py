"""Elastic joints: forward and inverse dynamics are each other's inverse, and energy is accounted for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_check.faults.random_models import random_robot
from robodyn_check.flexible.joints import (
    ElasticJoints,
    Trajectory,
    _moments,
    dissipated_power,
    doubled_mass_matrix,
    exponential_steps,
    forward_dynamics,
    inverse_dynamics,
    kinetic_energy,
    potential_energy,
)
from robodyn_check.model.build import build_mechanism

N = 4


def robot(damping: float) -> ElasticJoints:
    mechanism = build_mechanism(random_robot(3, group="plain", dofs=N))
    return ElasticJoints(
        mechanism=mechanism,
        stiffness=np.array([2e3, 1e3, 8e2, 5e2]),
        damping=np.full(N, damping),
        motor_inertia=np.array([0.5, 0.4, 0.2, 0.1]),
    )


def swing(count: int, step: float) -> Trajectory:
    t = np.arange(count)[:, None] * step
    amplitude, phase, pace = np.array([0.5, 0.4, 0.6, 0.3]), np.arange(N), np.array([2.0, 3.0, 1.5, 2.5])
    return Trajectory(
        derivatives=np.array([amplitude * pace**k * np.sin(pace * t + phase + k * np.pi / 2) for k in range(5)]),
        step=step,
    )


@pytest.mark.parametrize("damping", [0.0, 0.3, 40.0], ids=["undamped", "damped", "stiffly damped"])
def test_the_inverse_torque_drives_the_links_along_the_trajectory(damping: float):
    elastic, path = robot(damping), swing(401, 1e-3)
    tau, theta, theta_dot = inverse_dynamics(elastic, path)
    x = path.derivatives
    links, motors = forward_dynamics(elastic, x[0], theta, x[1], theta_dot, tau)
    np.testing.assert_allclose(links, x[2], rtol=0, atol=1e-9 * np.abs(x[2]).max())
    # θ̈ of the equation of motion is the second derivative of θ: a five-point difference, once the start has decayed
    wanted = (-theta[4:] + 16 * theta[3:-1] - 30 * theta[2:-2] + 16 * theta[1:-3] - theta[:-4]) / (12 * path.step**2)
    np.testing.assert_allclose(motors[20:-2], wanted[18:], rtol=0, atol=2e-7 * np.abs(wanted).max() + 1e-6)


def test_exponential_steps_are_exact_for_polynomials_however_stiff():
    """D δ̇ + K δ = f with δ = t³ - t: f = D (3 t² - 1) + K (t³ - t)."""
    K, step, count = np.array([3.0, 3.0, 3.0]), 0.25, 9
    D = np.array([30.0, 0.4, 1e-6])
    t = np.arange(count)[:, None] * step
    delta = t**3 - t
    f = np.array(
        [
            D * (3 * t**2 - 1) + K * delta,
            D * 6 * t + K * (3 * t**2 - 1),
            D * 6 + K * 6 * t,
        ]
    )
    np.testing.assert_allclose(exponential_steps(K, D, f, step, delta[0]), delta + 0 * K, rtol=0, atol=1e-13)


@pytest.mark.parametrize("z", [1e-9, 0.3, 5.0, 11.9, 12.1, 300.0])
def test_moments_meet_their_integral(z: float):
    nodes, weights = np.polynomial.legendre.leggauss(200)
    s, w = (nodes + 1) / 2, weights / 2
    expected = [(w * np.exp(-z * (1 - s)) * s**p).sum() for p in range(6)]
    np.testing.assert_allclose(_moments(np.array([z]))[:, 0], expected, rtol=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.5], ids=["undamped", "damped"])
def test_free_energy_changes_by_what_the_dampers_take(damping: float):
    elastic = robot(damping)
    rng = np.random.default_rng(2)
    q, v, theta_dot = (rng.uniform(-1, 1, (6, N)) for _ in range(3))
    theta = q + 0.01 * rng.uniform(-1, 1, (6, N))
    a, motor = forward_dynamics(elastic, q, theta, v, theta_dot, np.zeros((6, N)))
    h = 1e-4

    def energy(sign: float) -> np.ndarray:
        shifted = (q + sign * h * v, theta + sign * h * theta_dot, v + sign * h * a, theta_dot + sign * h * motor)
        return kinetic_energy(elastic, shifted[0], shifted[2], shifted[3]) + potential_energy(elastic, *shifted[:2])

    rate = (energy(1) - energy(-1)) / (2 * h)
    size = np.abs((elastic.stiffness * (theta - q)) * v).sum(axis=1) + 1
    assert (np.abs(rate + dissipated_power(elastic, v, theta_dot)) < 1e-4 * size).all()


def test_the_doubled_mass_matrix_is_block_diagonal_and_positive_definite():
    elastic = robot(0.0)
    matrix = doubled_mass_matrix(elastic, np.zeros((1, N)))[0]
    assert not matrix[:N, N:].any()
    assert (np.linalg.eigvalsh(matrix) > 0).all()
    assert math.isclose(matrix[N, N], 0.5)
