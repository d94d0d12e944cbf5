"""The engine's boundary: layouts, chunks, order, refusals, large robots."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from robodyn_check.errors import EvaluationError
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference import engine
from robodyn_check.reference.cholesky import cholesky, forward_dynamics_by_cholesky
from robodyn_check.reference.chunk import Chunk
from robodyn_check.reference.engine import evaluate, evaluate_many, evaluate_rows
from robodyn_check.reference.tree import build_tree
from tests.reference.random_models import mechanism_of, random_states
from tests.reference.robots import joint, link, pendulum_chain, robot


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_result_has_the_documented_shape(quantity: str, count: int) -> None:
    mechanism = mechanism_of(7, ("ball",))
    sizes = {"nv": mechanism.nv, "nl": mechanism.nl, "10*nl": 10 * mechanism.nl}
    shape = tuple(sizes.get(entry) or int(entry) for entry in QUANTITIES[quantity].shape)
    states = random_states(mechanism, count)
    assert evaluate(mechanism, quantity, **states).shape == (count, *shape)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_result_does_not_depend_on_chunks_or_company(quantity: str) -> None:
    mechanism = mechanism_of(4, ("planar",))
    states = random_states(mechanism, 600)
    together = evaluate_many(mechanism, tuple(QUANTITIES), **states)[quantity]
    row = {name: array[431:432] for name, array in states.items()}
    np.testing.assert_array_equal(evaluate(mechanism, quantity, **row)[0], together[431])


@pytest.mark.parametrize("count", [1, 999, 1001, 2500])
def test_states_are_cut_into_chunks_of_one_size(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    class Watched(Chunk):
        def __init__(self, tree: Any, q: Any, *rest: Any, gravity: Any) -> None:
            sizes.append(q.shape[1])
            super().__init__(tree, q, *rest, gravity=gravity)

    monkeypatch.setattr(engine, "Chunk", Watched)
    mechanism = mechanism_of(4)
    value = evaluate(mechanism, "gravity_vector", random_states(mechanism, count)["q"])
    assert len(sizes) == -(-count // 1000)
    assert max(sizes) - min(sizes) < len(sizes)
    assert value.shape[0] == count


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_mechanism_without_joints_has_poses_and_no_coordinates(quantity: str) -> None:
    mechanism = build_mechanism(
        robot([link("base", 1.0), link("tool", 2.0, (0, 0, 1))], [joint("weld", "fixed", "base", "tool", (0, 0, 0.5))])
    )
    value = evaluate(mechanism, quantity, np.zeros((2, 0)))
    assert value.shape[0] == 2
    if quantity == "potential_energy":
        np.testing.assert_allclose(value, 2.0 * 9.81 * 1.5)
    if quantity == "link_poses":
        np.testing.assert_allclose(value[0, 1, :, 3], [0, 0, 0.5])


def test_order_of_joints_in_the_file_changes_only_the_order_of_results() -> None:
    model = random_robot(11, group="branched", dofs=7)
    backwards = random_robot(11, group="branched", dofs=7)
    object.__setattr__(backwards, "joints", backwards.joints[::-1])
    straight, turned = build_mechanism(model), build_mechanism(backwards)
    assert build_tree(straight).order is None
    assert build_tree(turned).order is not None
    states = random_states(straight, 5)
    place = [straight.joint_names.index(name) for name in turned.joint_names]
    permuted = {name: array[:, place] for name, array in states.items()}
    one, two = (evaluate_many(m, tuple(QUANTITIES), **s) for m, s in ((straight, states), (turned, permuted)))
    for quantity, value in one.items():
        expected = value
        for axis, entry in enumerate(QUANTITIES[quantity].shape, start=1):
            if entry == "nv":
                expected = np.take(expected, place, axis=axis)
        np.testing.assert_allclose(two[quantity], expected, rtol=1e-10, atol=1e-11 * np.abs(value).max())


def test_quaternion_of_any_length_is_read_as_a_rotation() -> None:
    mechanism = mechanism_of(3, ("ball",))
    states = random_states(mechanism, 2)
    longer = states["q"].copy()
    longer[:, 3:7] *= 2.5
    for quantity, value in evaluate_many(mechanism, tuple(QUANTITIES), **states).items():
        again = evaluate(mechanism, quantity, longer, states["v"], states["a"], states["tau"])
        np.testing.assert_allclose(again, value, rtol=1e-9, atol=1e-11 * max(1.0, np.abs(value).max()))


def test_far_floating_base_costs_no_digits() -> None:
    mechanism = build_mechanism(random_robot(5, group="plain"), base="floating")
    states = random_states(mechanism, 3)
    far = states["q"].copy()
    far[:, :3] += 1e6
    for quantity in ("mass_matrix", "coriolis_matrix", "gravity_vector", "inverse_dynamics"):
        near, away = (evaluate(mechanism, quantity, q, states["v"], states["a"]) for q in (states["q"], far))
        np.testing.assert_array_equal(near, away)


def test_gravity_of_the_call_replaces_the_mechanism_s() -> None:
    mechanism = mechanism_of(2)
    states = random_states(mechanism, 3)
    other = build_mechanism(random_robot(2, group="branched", armature=True), gravity=(1.0, -2.0, 3.0))
    np.testing.assert_array_equal(
        evaluate(mechanism, "gravity_vector", states["q"], gravity=(1.0, -2.0, 3.0)),
        evaluate(other, "gravity_vector", states["q"]),
    )


@pytest.mark.parametrize("seed", range(8))
def test_forward_dynamics_inverts_inverse_dynamics(seed: int) -> None:
    mechanism = build_mechanism(random_robot(seed, group="plain", kinds=("ball", "planar"), armature=True))
    s = random_states(mechanism, 5)
    tau = evaluate(mechanism, "inverse_dynamics", s["q"], s["v"], s["a"])
    value = evaluate_many(mechanism, ("forward_dynamics", "mass_matrix", "bias_force"), s["q"], s["v"], None, tau)
    np.testing.assert_allclose(value["forward_dynamics"], s["a"], rtol=1e-6, atol=1e-8)
    second = forward_dynamics_by_cholesky(value["mass_matrix"].transpose(1, 2, 0), value["bias_force"].T, tau.T).T
    np.testing.assert_allclose(second, value["forward_dynamics"], rtol=1e-6, atol=1e-8)


def test_cholesky_of_an_indefinite_matrix_is_not_a_number() -> None:
    assert np.isnan(cholesky(np.array([[1.0, 2.0], [2.0, 1.0]])[:, :, None])[1, 1, 0])


def massless_elbow() -> Any:
    links = [link("base"), link("arm", 1.0, (0, 0, 0.3), (0.1, 0.1, 0.1)), link("tip")]
    joints = [
        joint("shoulder", "revolute", "base", "arm", axis=(0, 1, 0)),
        joint("elbow", "revolute", "arm", "tip", (0, 0, 0.5), axis=(1, 0, 0)),
    ]
    return build_mechanism(robot(links, joints))


def test_joint_without_inertia_is_named() -> None:
    with pytest.raises(
        EvaluationError, match=r"not defined at state 0: joint 'elbow' feels no inertia .*Give the links"
    ):
        evaluate(massless_elbow(), "forward_dynamics", np.zeros((2, 2)))


def test_rows_without_an_answer_hold_nan_and_the_joint() -> None:
    values, singular = evaluate_rows(massless_elbow(), ("forward_dynamics", "bias_force"), np.zeros((2, 2)))
    assert np.isnan(values["forward_dynamics"]).all()
    assert np.isfinite(values["bias_force"]).all()
    assert singular == {0: "elbow", 1: "elbow"}


@pytest.mark.parametrize("quantity", ["mass_matrix", "coriolis_matrix", "joint_torque_regressor", "link_jacobians"])
def test_matrices_of_very_large_robots_are_refused_with_the_reason(quantity: str) -> None:
    mechanism = build_mechanism(pendulum_chain(301))
    with pytest.raises(EvaluationError, match=f"{quantity} is not computed above 300 degrees of freedom.*has 301"):
        evaluate(mechanism, quantity, np.zeros((1, 301)))


def test_chain_of_1500_links_answers_and_inverts() -> None:
    started = time.process_time()
    mechanism = build_mechanism(pendulum_chain(1500))
    states = random_states(mechanism, 2)
    q, v = states["q"] * 0.01, states["v"] * 0.01
    tau = evaluate(mechanism, "inverse_dynamics", q, v, states["a"])
    a = evaluate(mechanism, "forward_dynamics", q, v, None, tau)
    again = evaluate(mechanism, "inverse_dynamics", q, v, a)
    assert np.abs(again - tau).max() <= 1e-9 * np.abs(tau).max()
    assert evaluate(mechanism, "link_poses", q).shape == (2, 1501, 3, 4)
    assert time.process_time() - started < 60
