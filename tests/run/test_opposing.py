"""Where most libraries contradict the reference, the run says so and shows the roundest state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_check import check
from robodyn_check.report.render import render
from robodyn_check.report.results import Result, Worst
from robodyn_check.run.opposing import oppositions
from robodyn_check.states import StateBatch

ADAPTER = Path(__file__).parent / "pendulum_adapter.py"
MODEL = Path(__file__).parents[2] / "models" / "pendulum" / "model.urdf"
#: State 1 has the roundest velocity, state 2 the roundest position.
STATES = StateBatch(
    q=np.array([[0.1234], [0.77], [1.0]]),
    v=np.array([[0.1], [0.0], [0.333]]),
    a=np.zeros((3, 1)),
    tau=np.zeros((3, 1)),
)


def judged(subject: str, verdict: str, errors: tuple[float | None, ...] = (9e9, 8e9, 7e9), **fields: object) -> Result:
    largest = max(error or 0.0 for error in errors)
    given = {
        "against": "reference",
        "quantity": "mass_matrix",
        "margin": largest / 10,
        "worst": Worst(index=(0, 0), labels=(), got=1.0, expected=2.0, bound=1e-16, state=errors.index(largest)),
    }
    return Result(code="RD250", slug="same", verdict=verdict, subject=subject, errors=errors, **{**given, **fields})  # type: ignore[arg-type]


def test_two_of_three_against_the_reference_are_most() -> None:
    (found,) = oppositions([judged("a", "fail"), judged("b", "pass"), judged("c", "fail")], STATES)
    assert (found.quantity, found.wrong, found.right) == ("mass_matrix", ("a", "c"), ("b",))
    assert found.finding == "RD250:a:mass_matrix"


@pytest.mark.parametrize(
    "verdicts", [("fail",), ("fail", "pass"), ("pass", "pass"), ("fail", "skip"), ("fail", "error")]
)
def test_one_against_one_or_one_alone_is_not(verdicts: tuple[str, ...]) -> None:
    assert oppositions([judged(name, verdict) for name, verdict in zip("ab", verdicts, strict=False)], STATES) == ()


def test_the_state_is_the_roundest_of_those_that_all_fail_at() -> None:
    (found,) = oppositions([judged("a", "fail"), judged("b", "fail")], STATES)
    assert (found.state, found.inputs) == (2, {"q": (1.0,)})
    (found,) = oppositions([judged("a", "fail"), judged("b", "fail", (9e9, 8e9, 5.0))], STATES)
    assert (found.state, found.inputs) == (1, {"q": (0.77,)})


def test_rounding_is_shown_where_nothing_fails_clearly() -> None:
    (found,) = oppositions([judged("a", "fail", (5.0, 20.0, None)), judged("b", "fail", (40.0, 30.0, 1.0))], STATES)
    assert found.state == 1


def test_no_state_is_shown_where_none_is_out_of_bounds_for_all() -> None:
    (found,) = oppositions([judged("a", "fail", (50.0, 0.0, 0.0)), judged("b", "fail", (0.0, 50.0, 0.0))], STATES)
    assert (found.state, found.inputs) == (None, {})


@pytest.mark.parametrize(("verdict", "agreed"), [("pass", True), ("fail", False)])
def test_whether_those_against_it_agree_is_told(verdict: str, agreed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    pair = judged("a", verdict, against="b")
    (found,) = oppositions([judged("a", "fail"), judged("b", "fail"), pair], STATES)
    assert found.agreed is agreed


def test_a_run_says_plainly_that_most_libraries_oppose_the_reference() -> None:
    report = check(
        MODEL, libraries=["pendulum:wrong", "pendulum", "pendulum:mortal"], adapters=[ADAPTER], samples=6, certify=2
    )
    (found,) = [one for one in report.models[0].oppositions if one.quantity == "mass_matrix"]
    assert found.wrong == ("pendulum:wrong", "pendulum:mortal")
    assert found.agreed
    assert found.inputs == {"q": (0.0,)}
    text = " ".join(render(report, "terminal").split())
    assert (
        "most libraries oppose the reference on mass_matrix: pendulum:wrong and pendulum:mortal against pendulum"
        in text
    )
    assert "certificate: the reference is proven at 2 states by two derivations in ball arithmetic" in text
    assert f"state {found.state}, q = (0)" in text
    assert "robodyn-check shrink REPORT RD250:pendulum:wrong:mass_matrix" in text
