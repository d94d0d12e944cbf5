"""Jets are Taylor series, also through the reference engine."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from robodyn_check.faults.random_models import random_robot
from robodyn_check.flexible.jets import Jet, derivatives, jets
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate

Function = Callable[[np.ndarray], np.ndarray]
T = np.array([0.1, 0.7, 1.3])


def series(function: Function, order: int = 4) -> list[np.ndarray]:
    """Derivatives of sin(2 t) + 2 composed with a function, by the Cauchy integral formula."""
    count = 64
    circle = 0.05 * np.exp(2j * np.pi * np.arange(count) / count)
    values = function(np.sin(2 * (T[:, None] + circle)) + 2)
    return [(math.factorial(k) * (values / circle**k).mean(axis=1)).real for k in range(order + 1)]


X = Jet(np.array([value / math.factorial(k) for k, value in enumerate(series(lambda x: x))]))


@pytest.mark.parametrize(
    ("jet", "function"),
    [
        (X * X + 3, lambda x: x * x + 3),
        (1.5 - X, lambda x: 1.5 - x),
        (np.float64(2.0) * X - np.float64(1.0), lambda x: 2 * x - 1),
        (1 / X, lambda x: 1 / x),
        (X / (X * X), lambda x: 1 / x),
        (X.sin(), np.sin),
        (X.cos(), np.cos),
        (X.sqrt(), np.sqrt),
    ],
    ids=["square", "difference", "numpy scalar", "reciprocal", "quotient", "sine", "cosine", "root"],
)
def test_each_operation_is_that_of_the_series(jet: Jet, function: Function):
    for k, expected in enumerate(series(function)):
        np.testing.assert_allclose(math.factorial(k) * jet.c[k], expected, rtol=1e-9, atol=1e-9)


def test_the_reference_differentiates_along_a_trajectory():
    """d/dt of inverse dynamics by jets against a central difference of the same."""
    mechanism = build_mechanism(random_robot(3, group="plain", dofs=4))
    rng = np.random.default_rng(1)
    amplitude, phase = rng.uniform(0.2, 1.0, 4), rng.uniform(0, 6, 4)

    def motion(t: np.ndarray) -> list[np.ndarray]:
        return [amplitude * np.sin(t[:, None] + phase + k * np.pi / 2) for k in range(5)]

    x = motion(T)
    torque = evaluate(mechanism, "inverse_dynamics", jets(x[0:3]), jets(x[1:4]), jets(x[2:5]))
    found = derivatives(torque[0], 2, len(T))
    step = 1e-4
    low, middle, high = (evaluate(mechanism, "inverse_dynamics", *motion(T + shift)[:3]) for shift in (-step, 0, step))
    size = np.abs(found).max(axis=(1, 2))
    np.testing.assert_allclose(found[0], middle, atol=1e-12 * size[0])
    np.testing.assert_allclose(found[1], (high - low) / (2 * step), atol=1e-6 * size[1])
    np.testing.assert_allclose(found[2], (high - 2 * middle + low) / step**2, atol=1e-5 * size[2])
