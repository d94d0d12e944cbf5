"""Judging: the worst element by its own bound, what a message says, and what a missing answer becomes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.checks.judging import compare
from robodyn_check.checks.registry import load
from robodyn_check.requests import Answer, Answers, Failure, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.checks.context import JudgeContext
    from tests.checks.conftest import Bench


@pytest.fixture
def context(build_bench: Callable[[str], Bench]) -> JudgeContext:
    """Return the context of a robot with five joints."""
    bench = build_bench("vertical_root")
    return bench.context(bench.view(Answers(), name="library", coriolis="skew"))


def test_the_worst_element_exceeds_its_own_bound_most(context: JudgeContext):
    got = np.zeros((len(context.states), 5))
    scale = np.ones_like(got)
    got[2, 1], scale[2, 1] = 1.0, 1e16  # the largest error, inside its bound
    got[4, 3] = 1e-12
    outcome = compare(context, got, 0.0, quantity="gravity_vector", scale=scale, factor=2.0)
    assert outcome.verdict == "fail"
    assert outcome.worst is not None
    assert (outcome.worst.state, outcome.worst.index, outcome.worst.labels) == (4, (3,), ("joint3",))
    assert outcome.margin == pytest.approx(1e-12 / (2 * 2.0**-52))
    assert outcome.errors[4] == pytest.approx(1e-12 / 2.0**-52)


def test_a_fail_says_element_values_bound_and_state(context: JudgeContext):
    got = np.zeros((len(context.states), 5))
    got[4, 3] = 0.5
    outcome = compare(context, got, 0.0, quantity="gravity_vector", scale=1.0, factor=2.0)
    assert outcome.message == (
        "gravity_vector[joint3] is 0.5, expected 0: off by 0.5, 1.1e+15 times the bound 4.4e-16, at state 4."
    )


def test_an_exact_claim_allows_no_difference(context: JudgeContext):
    got = np.ones((len(context.states), 5))
    assert compare(context, got, 1.0, quantity="gravity_vector", scale=1.0, factor=0.0).margin == 0.0
    off = compare(context, got + 2.0**-52, 1.0, quantity="gravity_vector", scale=1.0, factor=0.0)
    assert (off.verdict, off.margin, off.bound) == ("fail", None, 0.0)
    assert "equal to the last bit" in (off.message or "")


def test_elements_without_a_value_are_left_out(context: JudgeContext):
    got = np.ones((len(context.states), 5))
    got[0], got[1, 2], got[1, 3] = np.nan, np.nan, np.inf
    outcome = compare(context, got, 1.0, quantity="gravity_vector", scale=1.0, factor=1.0)
    assert (outcome.verdict, outcome.errors[0], outcome.errors[1]) == ("pass", None, 0.0)
    nothing = compare(context, np.full_like(got, np.nan), 1.0, quantity="gravity_vector", scale=1.0, factor=1.0)
    assert nothing.verdict == "skip"


def test_a_bound_that_is_not_finite_allows_nothing(context: JudgeContext):
    got = np.ones((len(context.states), 5))
    outcome = compare(context, got, 0.0, quantity="gravity_vector", scale=np.nan, factor=1.0)
    assert (outcome.verdict, outcome.margin) == ("fail", None)


def test_a_failed_matrix_shows_every_element(context: JudgeContext):
    got = np.zeros((len(context.states), 5, 5))
    got[3, 1, 2] = 1.0
    outcome = compare(context, got, 0.0, quantity="mass_matrix", scale=1.0, factor=1.0)
    assert outcome.difference is not None
    assert outcome.difference.rows == outcome.difference.columns == context.mechanism.dof_names
    assert [value for row in outcome.difference.margins for value in row if value] == [2.0**52]


@pytest.mark.parametrize(
    ("failure", "verdict", "message"),
    [
        (Failure(kind="not_offered", message="no such call"), "skip", "library: no such call"),
        (Failure(kind="unsupported", message="serial chains only"), "skip", "library: serial chains only"),
        (Failure(kind="error", message="killed by signal 11"), "error", "library: killed by signal 11"),
    ],
    ids=["not-offered", "unsupported", "crash"],
)
def test_a_request_without_an_answer_keeps_the_library_s_words(
    failure: Failure, verdict: str, message: str, build_bench: Callable[[str], Bench]
):
    bench = build_bench("vertical_root")

    def answer(request: Request) -> Answer | Failure:
        return failure if request.quantity == "mass_matrix" else bench.scene.answer(request)

    results = bench.judge(answer, checks=load(["RD201", "RD301"]))
    assert [(result.verdict, result.message) for result in results] == [(verdict, message)] * 2


def test_a_quantity_that_is_not_offered_is_a_skip_and_never_asked(
    build_bench: Callable[[str], Bench], context: JudgeContext
):
    bench = build_bench("vertical_root")
    poor = replace(context.subject, quantities=frozenset({"gravity_vector"}))
    results = [result for check in load(["RD201", "RD402"]) for result in check.judge(replace(context, subject=poor))]
    assert [result.verdict for result in results] == ["skip", "skip"]
    assert [result.message for result in results] == [
        "library does not offer mass_matrix",
        "library does not offer coriolis_matrix",
    ]
    assert bench.scene.mechanism is context.mechanism


def test_lost_rows_of_a_check_s_own_probes_are_an_error_and_the_rest_is_judged(build_bench: Callable[[str], Bench]):
    bench = build_bench("vertical_root")

    def answer(request: Request) -> Answer | Failure:
        found = bench.scene.answer(request)
        if request.quantity != "potential_energy" or len(request) <= len(bench.states):
            return found
        assert isinstance(found, Answer)
        values = found.values.copy()
        values[0] = np.nan
        return Answer(values=values, failures=(Failure(kind="error", message="timed out", states=(0,)),))

    results = bench.judge(answer, checks=load(["RD410"]))
    assert [result.verdict for result in results] == ["pass", "error"]
    assert "timed out (1 of" in (results[1].message or "")


def test_agreement_with_a_certified_truth_is_twice_as_sharp(build_bench: Callable[[str], Bench]):
    bench = build_bench("vertical_root")
    check = load(["RD250"])
    subject = bench.gather(check, bench.scene.answer, name="library", coriolis="skew")
    context = bench.context(subject)
    bounds = [
        check[0].judge(replace(context, against=replace(subject, certified=certified)))[0].bound
        for certified in (True, False)
    ]
    assert bounds[1] == pytest.approx(2 * (bounds[0] or 0.0))
