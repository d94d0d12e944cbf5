"""The integrator is exact for cubics in time and of fourth order otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.flexible.integrate import runge_kutta

FloatArray = np.ndarray


def test_polynomials_of_time_up_to_the_third_degree_are_integrated_exactly():
    step = 0.25

    def rate(half: int, x: FloatArray) -> FloatArray:
        return np.full_like(x, (half * step / 2) ** 3)

    path = runge_kutta(rate, np.zeros(2), step=step, steps=8)
    np.testing.assert_allclose(path[:, 0], (step * np.arange(9)) ** 4 / 4, atol=1e-14)


def test_halving_the_step_divides_the_error_by_sixteen():
    def oscillator(_half: int, x: FloatArray) -> FloatArray:
        return np.stack([x[1], -x[0]])

    errors = [
        abs(runge_kutta(oscillator, np.array([1.0, 0.0]), step=2.0 / n, steps=n)[-1, 0] - np.cos(2.0)) for n in (20, 40)
    ]
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.1)
