"""A library that eliminates mimic joints is held to Gᵀ M G, Gᵀ h and J G, and to nothing less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from robodyn_check.checks.registry import load
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference.engine import evaluate_many
from robodyn_check.requests import Answer, Request
from robodyn_check.run.budget import budget
from robodyn_check.run.reduction import Reduction, judge_reduced
from robodyn_check.run.subjects import Declared, Subject
from robodyn_check.run.truth import prepare
from robodyn_check.states import draw_states

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROBOT = build_mechanism(random_robot(3, group="branched", dofs=6, mimic=True))
NAMES = tuple(joint.name for joint in ROBOT.joints if joint.mimic is not None)
SETTING, REFERENCE, _ = prepare(ROBOT, draw_states(ROBOT, count=8, seed=1), seed=1)
ACCELERATION_LEFT_OUT = {"forward_dynamics", "joint_torque_regressor"}


def velocity_map() -> Any:
    """Return G from the file's relations, written down once more: v_mimic = k v_master."""
    kept = [joint for joint in ROBOT.joints if joint.name not in NAMES]
    G = np.zeros((ROBOT.nv, len(kept)))
    for column, joint in enumerate(kept):
        G[joint.v.start, column] = 1.0
    for joint in ROBOT.joints:
        if joint.mimic is not None:
            master = next(number for number, one in enumerate(kept) if one.name == joint.mimic[0])
            G[joint.v.start, master] = joint.mimic[1]
    return G


def eliminated(quantity: str, values: Any, G: Any) -> Any:
    """Return what a right library answers that keeps no mimic joint."""
    if quantity in {"mass_matrix", "coriolis_matrix"}:
        return np.einsum("ia,nij,jb->nab", G, values, G)
    if quantity == "link_jacobians":
        return values @ G
    return values @ G if values.ndim == 2 and values.shape[1] == ROBOT.nv else values


def library(spoil: Callable[[str, Any], Any] = lambda _name, values: values, G: Any = None) -> Subject:
    """Return a library that eliminates, by the reference."""
    by = velocity_map() if G is None else G

    def answer(requests: Sequence[Request]) -> dict[str, Answer]:
        told = {}
        for one in requests:
            values = evaluate_many(ROBOT, (one.quantity,), **one.inputs, gravity=one.gravity)[one.quantity]
            told[one.key] = Answer(values=spoil(one.quantity, eliminated(one.quantity, values, by)), reduced=NAMES)
        return told

    declared = Declared(
        name="library", quantities=frozenset(QUANTITIES) - ACCELERATION_LEFT_OUT, coriolis="christoffel"
    )
    return Subject(declared=declared, answer=answer, budget=budget(ROBOT, samples=8, cost=1.0))


def failed(subject: Subject) -> set[str | None]:
    results = judge_reduced(SETTING, subject, REFERENCE, NAMES, load(), without={})
    assert not [result for result in results if result.verdict == "error"]
    assert {result.quantity for result in results if result.verdict == "pass"}
    return {result.quantity for result in results if result.verdict == "fail"}


def test_the_robot_has_a_mimic_joint_that_is_no_copy():
    assert NAMES
    assert all(joint.mimic is None or joint.mimic[1] not in {0.0, 1.0} for joint in ROBOT.joints)


def test_a_right_elimination_agrees():
    assert failed(library()) == set()


@pytest.mark.parametrize("quantity", ["mass_matrix", "bias_force", "gravity_vector", "link_jacobians"])
def test_one_wrong_quantity_is_found(quantity: str):
    assert quantity in failed(library(lambda name, values: values * (1 + 1e-9 * (name == quantity))))


def test_joints_that_are_locked_instead_of_followed_are_found():
    locked = velocity_map()
    for joint in ROBOT.joints:
        if joint.name in NAMES:
            locked[joint.v.start] = 0.0
    assert {"mass_matrix", "bias_force"} <= failed(library(G=locked))


def test_the_map_is_the_files_relation():
    reduction = Reduction(mechanism=ROBOT, names=NAMES)
    assert reduction.map[:, reduction.kept] == pytest.approx(velocity_map(), abs=0)
    assert not reduction.map[:, [k for k in range(ROBOT.nv) if k not in reduction.kept]].any()
