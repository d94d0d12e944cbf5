"""Derivatives from a subject's own answers are exact: no truncation error, whatever the joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.checks.derivatives import LARGEST_DERIVED, moved_along, rotation, shifted_states, stencil, turned
from robodyn_check.checks.probing import NotHere
from robodyn_check.checks.tree import must_vanish, on_path
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.checks.conftest import Bench


def test_the_mass_matrix_s_rate_is_that_of_the_christoffel_matrix(any_bench: Bench):
    mechanism, few = any_bench.scene.mechanism, any_bench.few
    points = stencil(mechanism, few, degree=2)
    asked = points.request("mass_matrix", few)
    rate = sum(
        few.v[:, k, None, None] * derivative
        for k, derivative in points.derivatives(evaluate(mechanism, "mass_matrix", asked.q))
    )
    coriolis = evaluate(mechanism, "coriolis_matrix", few.q, few.v)
    size = any_bench.few_scales.mass_matrix_rate() + 1e-300
    assert np.max(np.abs(rate - coriolis - coriolis.transpose(0, 2, 1)) / size) < 1e-13


def test_the_potential_s_gradient_is_the_gravity_vector(any_bench: Bench):
    mechanism, few = any_bench.scene.mechanism, any_bench.few
    points = stencil(mechanism, few, degree=1)
    values = evaluate(mechanism, "potential_energy", points.request("potential_energy", few).q)
    gradient = np.stack([derivative for _, derivative in points.derivatives(values)], axis=1)
    size = np.stack([any_bench.few_scales.potential_derivative(k) for k in range(mechanism.nv)], axis=1)
    assert np.max(np.abs(gradient - evaluate(mechanism, "gravity_vector", few.q)) / size) < 1e-14


def test_riesz_differentiates_a_polynomial_of_degree_two_exactly(build_bench: Callable[[str], Bench]):
    bench = build_bench("vertical_root")
    points = stencil(bench.scene.mechanism, bench.few, degree=2)
    angle = points.q[:, :, 0].reshape(-1)
    found = points.derivative(3 + np.sin(angle) - 2 * np.cos(2 * angle), 0)
    expected = np.cos(bench.few.q[:, 0]) + 4 * np.sin(2 * bench.few.q[:, 0])
    assert found == pytest.approx(expected, abs=1e-14)


def test_a_slide_is_differentiated_by_a_wide_central_difference(build_bench: Callable[[str], Bench]):
    bench = build_bench("sliding_root")
    joint = bench.scene.mechanism.joints[0]
    assert joint.kind == "prismatic"
    points = stencil(bench.scene.mechanism, bench.few, degree=2)
    q = points.q[:, :, joint.q.start].reshape(-1)
    assert points.derivative(5 * q**2 - q, joint.v.start) == pytest.approx(10 * bench.few.q[:, joint.q.start] - 1)


def test_turning_about_a_body_axis_multiplies_from_the_right():
    quaternion = np.array([[0.1, -0.7, 0.5, 0.5]])
    quaternion /= np.linalg.norm(quaternion)
    angle = np.array([0.8])
    c, s = np.cos(0.8), np.sin(0.8)
    about_y = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    assert rotation(turned(quaternion, 1, angle)) == pytest.approx((rotation(quaternion)[0] @ about_y)[None])


def test_a_free_joint_moves_along_its_body_axes(build_bench: Callable[[str], Bench]):
    bench = build_bench("floating")
    joint = bench.scene.mechanism.joints[0]
    assert joint.kind == "floating"
    moved = moved_along(joint, bench.few.q, 2, np.full(len(bench.few), 0.5))
    step = (moved - bench.few.q)[:, joint.q][:, :3]
    assert step == pytest.approx(0.5 * rotation(bench.few.q[:, joint.q][:, 3:])[:, :, 2])


def test_a_large_robot_gets_fewer_states_and_a_huge_one_none(build_bench: Callable[[str], Bench]):
    bench = build_bench("deep")
    nv = bench.scene.mechanism.nv
    assert shifted_states(bench.scene.mechanism, bench.few, doubles=nv**2) is bench.few
    assert len(shifted_states(bench.scene.mechanism, bench.few, doubles=100_000)) < len(bench.few)
    assert len(shifted_states(bench.scene.mechanism, bench.few, doubles=10**9)) == 0


def test_what_must_vanish_vanishes_and_much_of_the_rest_does_not(any_bench: Bench):
    mechanism, few = any_bench.scene.mechanism, any_bench.few
    vanish = must_vanish(mechanism)
    points = stencil(mechanism, few, degree=2)
    values = evaluate(mechanism, "mass_matrix", points.request("mass_matrix", few).q)
    largest = np.stack([np.abs(derivative).max(axis=0) for _, derivative in points.derivatives(values)])
    size = np.stack([any_bench.few_scales.mass_matrix_derivative(k).max(axis=0) for k in range(mechanism.nv)])
    assert np.all(largest[vanish] <= 1e-13 * size[vanish].max())
    assert np.mean(largest[~vanish] > 1e-12 * size[~vanish]) > 0.5


def test_on_a_chain_k_up_to_the_upper_joint_must_vanish(build_bench: Callable[[str], Bench]):
    mechanism = build_bench("vertical_root").scene.mechanism
    assert on_path(mechanism).tolist() == np.tril(np.ones((5, 5), dtype=bool)).tolist()
    i, j, k = np.meshgrid(range(5), range(5), range(5), indexing="ij")
    assert must_vanish(mechanism).transpose(1, 2, 0).tolist() == (k <= np.minimum(i, j)).tolist()


def test_of_a_very_large_robot_no_derivatives_are_taken_and_the_reason_says_how_large():
    mechanism = build_mechanism(random_robot(1, group="deep", dofs=LARGEST_DERIVED + 1))
    with pytest.raises(NotHere, match="not taken above 300 degrees of freedom; this robot has 301"):
        stencil(mechanism, draw_states(mechanism, count=2, seed=0), degree=1)
