"""A 6R arm with rotors behind gears: what its regressor, mass matrix and gravity torques must show."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from robodyn_check.analysis.parameters import parameter_study
from robodyn_check.checks.labels import PARAMETERS
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states
from robodyn_check.tolerance.uniform import uniform_bounds
from tests.published.arms import six_axis_arm

POSES = 2000


@cache
def poses() -> np.ndarray:
    return draw_states(six_axis_arm(), count=POSES, seed=1).q


@cache
def mass_matrices() -> np.ndarray:
    return evaluate(six_axis_arm(), "mass_matrix", poses())


def test_the_masses_sum_to_the_published_one():
    assert float(six_axis_arm().mass.sum()) == pytest.approx(17.15)


def test_exactly_nine_regressor_columns_of_the_first_link_are_zero():
    study = parameter_study(six_axis_arm(), poses=40, seed=0)
    of_the_first = {f"l1.{name}" for name in PARAMETERS if name != "zz"}
    held = {name for name in study.without_effect if not name.startswith("base.")}
    assert held == of_the_first


def test_thirty_six_parameters_are_identifiable_from_forty_poses():
    study = parameter_study(six_axis_arm(), poses=40, seed=0)
    assert study.rank == 36
    assert len(study.base_parameters) == 36


def test_the_vertical_axis_carries_no_gravity_torque():
    g = evaluate(six_axis_arm(), "gravity_vector", poses())
    assert np.abs(g[:, 0]).max() == pytest.approx(0.0, abs=1e-14 * np.abs(g).max())


def test_the_last_inertia_is_constant_and_as_published():
    last = mass_matrices()[:, 5, 5]
    np.testing.assert_allclose(last, 0.3 + 2.8e-4, rtol=1e-15)


def test_the_mass_matrix_is_positive_definite_and_inside_its_bound():
    eigenvalues = np.linalg.eigvalsh(mass_matrices())
    assert eigenvalues[:, 0].min() >= 0.3  # the rotors: M - diag(N² J) is positive semidefinite
    assert eigenvalues[:, -1].max() <= uniform_bounds(six_axis_arm()).inertia


def test_gravity_torques_are_inside_their_bound():
    g = evaluate(six_axis_arm(), "gravity_vector", poses())
    assert np.linalg.norm(g, axis=1).max() <= uniform_bounds(six_axis_arm()).gravity
