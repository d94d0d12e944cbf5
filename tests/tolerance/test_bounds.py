"""Bounds: K, eps and S are multiplied as the design page says, and every quantity has its row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_check.errors import EvaluationError
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.states import StateBatch
from robodyn_check.tolerance import FACTORS, Scales, bound, factor, scales

EPS = 2.0**-52
EPS_SINGLE = 2.0**-23


def some_scales() -> Scales:
    mechanism = build_mechanism(random_robot(1, group="plain"))
    draw = np.random.default_rng(0)
    q, v, a, tau = (draw.uniform(-1.0, 1.0, (2, mechanism.nv)) for _ in range(4))
    return scales(mechanism, StateBatch(q=q, v=v, a=a, tau=tau), np.tile(np.eye(mechanism.nv), (2, 1, 1)))


@pytest.mark.parametrize("quantity", sorted(set(QUANTITIES) - {"forward_dynamics", "potential_energy"}))
def test_a_bound_is_factor_times_eps_times_scale(quantity: str) -> None:
    S = some_scales()
    expected = FACTORS[quantity].value * EPS * getattr(S, quantity)
    np.testing.assert_array_equal(bound(quantity, S, EPS), expected)


def test_two_uncertified_subjects_add_their_eps() -> None:
    S = some_scales()
    np.testing.assert_array_equal(bound("mass_matrix", S, EPS, EPS_SINGLE), 64 * (EPS + EPS_SINGLE) * S.mass_matrix)


def test_potential_energy_is_bounded_as_a_difference_from_the_first_state() -> None:
    S = some_scales()
    expected = 16 * EPS * (S.potential_energy + S.potential_energy[0])
    np.testing.assert_array_equal(bound("potential_energy", S, EPS), expected)


def test_forward_dynamics_asks_for_its_answer() -> None:
    S = some_scales()
    with pytest.raises(EvaluationError, match="depends on the answer and on tau; give both"):
        bound("forward_dynamics", S, EPS)
    answer = np.ones((2, S.mechanism.nv))
    expected = 16 * EPS * S.forward_dynamics(answer, answer)
    np.testing.assert_array_equal(bound("forward_dynamics", S, EPS, answer=answer, tau=answer), expected)


def test_deep_trees_get_twice_the_factor_of_mass_matrix_and_gravity_only() -> None:
    assert factor("mass_matrix", dofs=15) == 64
    assert factor("mass_matrix", dofs=16) == 128
    assert factor("gravity_vector", dofs=16) == 64
    assert factor("coriolis_matrix", dofs=30) == 64


@pytest.mark.parametrize("name", FACTORS)
def test_every_factor_is_above_what_right_libraries_showed(name: str) -> None:
    row = FACTORS[name]
    assert row.value >= 1.25 * row.measured
    assert row.source.startswith(("calibration, ", "study rounding, "))


@pytest.mark.parametrize("name", FACTORS)
def test_no_factor_is_a_thousand_times_wider_than_what_was_seen(name: str) -> None:
    row = FACTORS[name]
    assert row.value <= 1000 * row.measured


def test_every_factor_is_used() -> None:
    folder = Path(__file__).parents[2] / "robodyn_check"
    text = "".join(path.read_text() for path in folder.glob("checks/*.py"))
    assert [name for name in FACTORS if name not in QUANTITIES and f'"{name}"' not in text] == []


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_every_quantity_has_a_factor(quantity: str) -> None:
    assert quantity in FACTORS
