"""Planar 2R with unit point masses: Lynch and Park, Modern Robotics (2017), figures 8.3 and 8.4."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.reference.engine import evaluate
from robodyn_check.reference.taskspace import mobility, task_inertia
from tests.published.arms import at, unit_arm


def closed_form(angle: float) -> np.ndarray:
    """M of the arm (Modern Robotics, equation 8.9, all parameters 1)."""
    c = np.cos(angle)
    return np.array([[3 + 2 * c, 1 + c], [1 + c, 1.0]])


@pytest.mark.parametrize("degrees", [0, 30, 90, 150, 180])
def test_the_mass_matrix_is_the_closed_form(degrees: float):
    angle = np.radians(degrees)
    M = evaluate(unit_arm(), "mass_matrix", np.array([[0.7, angle]]))[0]
    np.testing.assert_allclose(M, closed_form(angle), rtol=0, atol=2e-15)


@pytest.mark.parametrize(("degrees", "published"), [(90, (3, 1, 1)), (150, (1.27, 0.13, 1))])
def test_the_mass_matrix_is_as_in_figure_8_3(degrees: float, published: tuple[float, ...]):
    M = evaluate(unit_arm(), "mass_matrix", np.array([[0.0, np.radians(degrees)]]))[0]
    assert (round(M[0, 0], 2), round(M[0, 1], 2), round(M[1, 1], 2)) == published


@pytest.mark.parametrize(("degrees", "published"), [(90, (1, 0, 2)), (150, (4, -1.73, 2))])
def test_the_task_inertia_is_as_in_figure_8_4(degrees: float, published: tuple[float, ...]):
    Lambda = task_inertia(tip_mobility(degrees))[..., 0]
    found = (Lambda[0, 0], Lambda[0, 1], Lambda[1, 1])
    assert found == pytest.approx(published, abs=5e-3)


def test_the_inverse_of_the_task_inertia_at_150_degrees_is_the_published_one():
    W = tip_mobility(150)[..., 0]
    assert (W[0, 0], W[0, 1], W[1, 1]) == pytest.approx((0.4, 0.3464, 0.8), abs=5e-5)


def tip_mobility(degrees: float) -> np.ndarray:
    """W of the tip in the plane, (2, 2, 1)."""
    state = at(unit_arm(), 0.0, np.radians(degrees))
    tip = state.tree.link_body.size - 1
    jacobians = evaluate(unit_arm(), "link_jacobians", state.q.T)[:, tip, :2].transpose(1, 2, 0)
    M = evaluate(unit_arm(), "mass_matrix", state.q.T).transpose(1, 2, 0)
    return mobility(M, jacobians)
