"""Task space: identities of the task inertia, and J̇ v against the exact derivative of J."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.checks.derivatives import stencil
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.chunk import Chunk
from robodyn_check.reference.engine import evaluate
from robodyn_check.reference.taskspace import (
    effective_mass,
    mobility,
    schur_complement,
    task_inertia,
    velocity_product_accelerations,
)
from robodyn_check.reference.tree import build_tree
from robodyn_check.states import draw_states
from tests.published.arms import six_axis_arm


def seven_axes() -> tuple[np.ndarray, np.ndarray]:
    """M and J of the last link of a chain of seven joints, (n, n, B) and (6, n, B)."""
    mechanism = build_mechanism(random_robot(3, group="plain", dofs=7))
    q = draw_states(mechanism, count=20, seed=1).q
    M = evaluate(mechanism, "mass_matrix", q).transpose(1, 2, 0)
    return M, evaluate(mechanism, "link_jacobians", q)[:, -1].transpose(1, 2, 0)


def test_effective_mass_is_never_above_the_task_inertia_along_the_direction():
    M, J = seven_axes()
    W = mobility(M, J[:3])
    u = np.array([[0.48], [0.6], [0.64]])
    along = np.einsum("kb,kjb,jb->b", np.broadcast_to(u, W.shape[1:]), task_inertia(W), np.broadcast_to(u, W.shape[1:]))
    assert np.all(effective_mass(W, u) <= along * (1 + 1e-12))


def test_effective_mass_along_an_eigenvector_is_the_task_inertia():
    M, J = seven_axes()
    W = mobility(M, J[:3])
    values, vectors = np.linalg.eigh(W.transpose(2, 0, 1))
    np.testing.assert_allclose(effective_mass(W, vectors[:, :, 0].T), 1 / values[:, 0], rtol=1e-9)


def test_the_linear_task_inertia_is_the_schur_complement_of_the_whole():
    M, J = seven_axes()
    whole, linear = task_inertia(mobility(M, J)), task_inertia(mobility(M, J[:3]))
    np.testing.assert_allclose(schur_complement(whole, 3), linear, rtol=1e-6, atol=1e-8 * np.abs(linear).max())


def test_the_linear_block_of_the_whole_is_not_below_the_linear_task_inertia():
    M, J = seven_axes()
    whole, linear = task_inertia(mobility(M, J)), task_inertia(mobility(M, J[:3]))
    smallest = np.linalg.eigvalsh((whole[:3, :3] - linear).transpose(2, 0, 1))[:, 0]
    assert np.all(smallest >= -1e-9 * np.abs(whole[:3, :3]).max(axis=(0, 1)))


def test_with_a_square_jacobian_the_task_inertia_is_the_transformed_mass_matrix():
    mechanism = six_axis_arm()
    q = draw_states(mechanism, count=40, seed=1).q
    M = evaluate(mechanism, "mass_matrix", q).transpose(1, 2, 0)
    J = evaluate(mechanism, "link_jacobians", q)[:, -1].transpose(1, 2, 0)
    regular = np.linalg.cond(J.transpose(2, 0, 1)) < 1e4
    assert regular.sum() > 5
    M, J = M[..., regular], J[..., regular]
    inverse = np.linalg.inv(J.transpose(2, 0, 1))
    expected = np.einsum("bki,kjb,bjl->ilb", inverse, M, inverse)
    np.testing.assert_allclose(task_inertia(mobility(M, J)), expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("options", [{"dofs": 6}, {"dofs": 4, "floating": True}], ids=["fixed", "floating"])
def test_the_jacobian_s_rate_times_the_velocity_is_its_exact_derivative(options: dict[str, object]):
    mechanism = build_mechanism(
        random_robot(5, group="branched", **options),  # type: ignore[arg-type]
        base="floating" if options.get("floating") else "fixed",
    )
    states = draw_states(mechanism, count=5, seed=2)
    points = stencil(mechanism, states, degree=1)
    request = points.request("link_jacobians", states)
    values = evaluate(mechanism, "link_jacobians", request.q)
    rate = sum(states.v[:, k, None, None, None] * derivative for k, derivative in points.derivatives(values))
    expected = np.einsum("nlij,nj->nli", rate, states.v)
    tree = build_tree(mechanism)
    v = tree.to_nodes(states.v.T)
    chunk = Chunk(tree, states.q.T, v, v, v, gravity=mechanism.gravity)
    found = velocity_product_accelerations(tree, chunk.positions, chunk.motion, v).transpose(2, 0, 1)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-11 * np.abs(expected).max())
