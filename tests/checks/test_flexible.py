"""The kill table of elastic joints: the reference passes every check, and each check finds a planted fault."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.checks.registry import load
from robodyn_check.faults.random_models import random_robot
from robodyn_check.flexible.double import rigid_double
from robodyn_check.flexible.joints import ElasticJoints
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.elastic import Springs
from robodyn_check.requests import Answer, Request
from robodyn_check.run.budget import budget
from robodyn_check.run.elastic_subjects import (
    ELASTIC_QUANTITIES,
    ElasticRobot,
    elastic_states,
    reference_answer,
    with_springs,
)
from robodyn_check.run.judgement import judge_agreement, judge_properties
from robodyn_check.run.questions import question
from robodyn_check.run.subjects import Declared, Setting, Subject
from robodyn_check.run.truth import answer as rigid_answer
from robodyn_check.run.truth import true_scales
from robodyn_check.states.mix import subset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.report.results import Result
    from robodyn_check.requests import Failure
    from robodyn_check.run.subjects import Answering

N, COUNT = 4, 10
CHECKS = load(["RD8"])
Change = Callable[[Request, Answer], np.ndarray]


@cache
def robot(*, damped: bool = True) -> ElasticRobot:
    rigid = random_robot(3, group="plain", dofs=N)
    springs = Springs(
        stiffness=np.array([2e3, 1e3, 8e2, 5e2]),
        damping=np.array([1.0, 0.5, 0.0, 0.2]) * damped,
        motor_inertia=np.array([0.5, 0.4, 0.2, 0.1]),
    )
    joints = ElasticJoints(
        mechanism=build_mechanism(rigid),
        stiffness=springs.stiffness,
        damping=springs.damping,
        motor_inertia=springs.motor_inertia,
    )
    double = build_mechanism(rigid_double(rigid, springs.motor_inertia.tolist()))
    return ElasticRobot(joints=joints, double=double, springs=springs)


def subject(name: str, answer: Answering, *, elastic: ElasticRobot) -> Subject:
    return Subject(
        declared=Declared(name=name, quantities=frozenset(ELASTIC_QUANTITIES), springs=elastic.springs),
        answer=answer,
        budget=budget(elastic.double, samples=COUNT, cost=5.0),
    )


def judge(answer: Answering, *, elastic: ElasticRobot | None = None) -> dict[str, Result]:
    """Return the results of one subject, alone and against the reference, by code."""
    elastic = elastic or robot()
    setting = Setting(
        mechanism=elastic.double,
        gravity=(0.0, 0.0, -9.81),
        states=elastic_states(elastic, count=COUNT, seed=1),
        seed=1,
        subset=subset,
        scales=partial(true_scales, elastic.double, matrix=True),
    )
    truth = subject("reference", partial(reference_answer, elastic), elastic=elastic)
    asked = subject("library", answer, elastic=elastic)
    for one in (truth, asked):
        assert not question(setting, one, CHECKS)
    results = judge_properties(setting, asked, CHECKS, broken={}, without={})
    results += judge_agreement(setting, asked, truth, [], CHECKS, standings={}, without={})
    return {result.code: result for result in results}


def rigid_with(springs: Springs) -> Answering:
    return with_springs(springs, partial(rigid_answer, robot().double))


def changed(change: Change, quantity: str) -> Answering:
    """Return the right subject with its answers to one quantity changed."""

    def answer(requests: Sequence[Request]) -> Mapping[str, Answer | Failure]:
        right = reference_answer(robot(), requests)
        for request in requests:
            value = right[request.key]
            if request.quantity == quantity and isinstance(value, Answer):
                right[request.key] = dataclasses.replace(value, values=change(request, value))
        return right

    return answer


def rotor_on_link(_request: Request, answer: Answer) -> np.ndarray:
    values = answer.values.copy()
    values[:, 0, N] = values[:, N, 0] = 1e-9
    return values


SPRINGS = robot().springs
FAULTS: dict[str, tuple[Answering, set[str]]] = {
    "a spring one percent too stiff": (
        rigid_with(dataclasses.replace(SPRINGS, stiffness=SPRINGS.stiffness * np.array([1, 1.01, 1, 1]))),
        {"RD803", "RD804", "RD850", "RD851", "RD853"},
    ),
    "a damper too weak by one part in a thousand": (
        rigid_with(dataclasses.replace(SPRINGS, damping=SPRINGS.damping * np.array([0.999, 1, 1, 1]))),
        {"RD802", "RD803", "RD850"},
    ),
    "springs left out of the energy": (
        changed(lambda request, answer: answer.values - SPRINGS.energy(request.q), "potential_energy"),
        {"RD802", "RD851"},
    ),
    "a motor coupled to a link": (changed(rotor_on_link, "mass_matrix"), {"RD801"}),
    "kinetic energy without the rotors": (
        changed(
            lambda request, answer: (
                answer.values - 0.5 * (SPRINGS.motor_inertia * np.asarray(request.v)[:, N:] ** 2).sum(axis=1)
            ),
            "kinetic_energy",
        ),
        {"RD802", "RD852"},
    ),
    "noise of one part in 1e9 in the accelerations": (
        changed(lambda _request, answer: answer.values * (1 + 1e-9 * np.cos(answer.values)), "forward_dynamics"),
        {"RD850"},
    ),
}


@pytest.mark.parametrize("damped", [True, False], ids=["damped", "undamped"])
def test_the_elastic_model_and_its_rigid_double_pass_every_check(damped: bool):  # noqa: FBT001 - a parameter of the table
    elastic = robot(damped=damped)
    subjects: dict[str, Answering] = {
        "reference": partial(reference_answer, elastic),
        "double": with_springs(elastic.springs, partial(rigid_answer, elastic.double)),
    }
    for name, answer in subjects.items():
        results = judge(answer, elastic=elastic)
        assert set(results) == {check.code for check in CHECKS}, name
        assert {result.verdict for result in results.values()} == {"pass"}, name


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_the_checks_that_it_shows_on(fault: str):
    answer, expected = FAULTS[fault]
    failed = {code for code, result in judge(answer).items() if result.verdict == "fail"}
    assert expected <= failed


def test_every_check_finds_a_fault():
    assert set().union(*(codes for _, codes in FAULTS.values())) == {check.code for check in CHECKS}


def test_a_mass_matrix_that_is_not_definite_is_found():
    def change(_request: Request, answer: Answer) -> np.ndarray:
        values = answer.values.copy()
        values[:, 0, 0] = -values[:, 0, 0]
        return values

    found = judge(changed(change, "mass_matrix"))["RD801"]
    assert found.verdict == "fail"
    assert "not positive definite" in (found.message or "")


def test_the_checks_are_silent_where_no_springs_act():
    elastic = robot()
    setting = Setting(
        mechanism=elastic.joints.mechanism,
        gravity=(0.0, 0.0, -9.81),
        states=subset(elastic_states(elastic, count=COUNT, seed=1), 2),
        seed=1,
        subset=subset,
        scales=partial(true_scales, elastic.joints.mechanism, matrix=True),
    )
    rigid = subject("rigid", partial(rigid_answer, elastic.joints.mechanism), elastic=elastic)
    rigid.declared = dataclasses.replace(rigid.declared, springs=None)
    assert all(not check.probes(setting.probe_context(check, rigid, rigid.budget)) for check in CHECKS)
