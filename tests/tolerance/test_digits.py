"""Digits kept: counted against the local scale, never more than a double has."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.faults.random_models import SMALL_GROUPS, random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.states import draw_states
from robodyn_check.tolerance import Scales, digits_kept, local_scale, scales
from robodyn_check.tolerance.digits import ALL_DIGITS

QUANTITIES = (
    "mass_matrix",
    "coriolis_matrix",
    "gravity_vector",
    "bias_force",
    "inverse_dynamics",
    "kinetic_energy",
    "potential_energy",
    "link_poses",
    "link_jacobians",
    "joint_torque_regressor",
)


def some_scales(group: str) -> Scales:
    mechanism = build_mechanism(random_robot(4, group=group))
    states = draw_states(mechanism, count=4, seed=0)
    return scales(mechanism, states, np.tile(np.eye(mechanism.nv), (4, 1, 1)))


@pytest.mark.parametrize("group", SMALL_GROUPS)
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_the_local_scale_is_never_larger_than_the_scale(quantity: str, group: str) -> None:
    size = some_scales(group)
    local = local_scale(quantity, size)
    assert (local >= 0.0).all()
    assert (local <= getattr(size, quantity) * (1.0 + 1e-12)).all()


def test_the_local_scale_of_a_last_joint_does_not_depend_on_where_the_arm_stands() -> None:
    mechanism = build_mechanism(random_robot(4, group="plain"))
    states = draw_states(mechanism, count=2, seed=0)
    size = scales(mechanism, states)
    last = [joint for joint in range(mechanism.nv) if size.tree.angular[joint]][-1]
    links = np.flatnonzero(size.tree.on[:, last])
    reach = size.lengths.end[:, links] - size.lengths.origin[:, last, None]
    expected = (size.tree.mass[links] * reach**2 + size.tree.inertia[links]).sum(axis=1)
    np.testing.assert_allclose(local_scale("mass_matrix", size)[:, last, last], expected, rtol=1e-9)


def test_forward_dynamics_has_a_local_scale_too() -> None:
    size = some_scales("plain")
    one = np.ones_like(size.abs_v)
    local = local_scale("forward_dynamics", size, answer=one, tau=one)
    assert (local <= size.forward_dynamics(one, one)).all()


@pytest.mark.parametrize(
    ("error", "digits"), [(0.0, ALL_DIGITS), (1e-12, 12.0), (1e-20, ALL_DIGITS), (3.0, 0.0), (np.nan, 0.0)]
)
def test_digits_are_the_logarithm_of_the_worst_share(error: float, digits: float) -> None:
    assert digits_kept(np.array([0.0, error]), np.ones(2)) == pytest.approx(digits)


def test_entries_without_a_scale_do_not_count() -> None:
    assert digits_kept(np.array([1e-9, 1.0]), np.array([1.0, 0.0])) == pytest.approx(9.0)
