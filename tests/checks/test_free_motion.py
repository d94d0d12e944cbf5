"""Motions: order four where dynamics and energies belong together, no order where they do not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from robodyn_check.checks.context import JudgeContext, ProbeContext, SubjectView
from robodyn_check.checks.registry import load
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Answers
from robodyn_check.run.subjects import MOST_ROUNDS
from robodyn_check.states import draw_states
from robodyn_check.tolerance import scales
from tests.checks.conftest import answered
from tests.reference.robots import chain, link

if TYPE_CHECKING:
    from robodyn_check.report.results import Result
    from robodyn_check.requests import Request

M, L, I = 1.3, 0.7, 0.05
ABOUT = I + M * L**2
PENDULUM = chain(("continuous", (0, 1, 0), (0, 0, 0), link("bob", M, (0, 0, -L), (0, I, 0))))
STATES = draw_states(PENDULUM, count=12, seed=1)


def judged(
    code: str,
    *,
    damping: float = 0.0,
    share: float = 1.0,
    cost: float = 2.0,
    name: str = "library",
    more: tuple[float, ...] = (0.0, 0.0, 0.0),
    motions: slice = slice(None),
) -> Result:
    """Ask a pendulum in closed form, with damping, a share of the torque, or ``more`` energy at the ends of motions.

    ``more`` has a number for each step.
    """

    def answer(request: Request) -> Answer:
        q = request.q
        load_torque = M * 9.81 * L * np.sin(q)
        v = np.zeros_like(q) if request.v is None else request.v
        tau = np.zeros_like(q) if request.tau is None else request.tau
        values: dict[str, Any] = {
            "forward_dynamics": (share * tau - damping * v - load_torque) / ABOUT,
            "mass_matrix": np.full((len(q), 1, 1), ABOUT),
            "kinetic_energy": ABOUT * v[:, 0] ** 2 / 2,
            "potential_energy": -M * 9.81 * L * np.cos(q[:, 0]),
        }
        if request.quantity == "kinetic_energy":
            added = np.zeros((4, len(q) // 4))
            added[1:, motions] = np.array(more)[:, None]
            values["kinetic_energy"] += added.ravel()
        return Answer(values=values[request.quantity])

    (check,) = load([code])
    answers, rounds = Answers(), 0
    common: dict[str, Any] = {
        "mechanism": PENDULUM,
        "gravity": (0.0, 0.0, -9.81),
        "states": STATES,
        "few": STATES,
        "seed": 1,
    }
    while True:
        view = SubjectView(
            name=name, quantities=frozenset(QUANTITIES), eps=2.0**-52, coriolis="skew", answers=answers, cost=cost
        )
        new = {
            request.key: answered(request, answer)
            for request in check.probes(ProbeContext(subject=view, **common))
            if answers.get(request) is None
        }
        if not new:
            break
        answers, rounds = answers.merged(new), rounds + 1
    assert rounds <= MOST_ROUNDS
    size = scales(PENDULUM, STATES)
    results = check.judge(JudgeContext(subject=view, scales=size, few_scales=size, **common))
    return results[0] if results else None  # type: ignore[return-value]


@pytest.mark.parametrize("code", ["RD505", "RD506"])
def test_a_right_subject_loses_energy_with_the_fourth_order(code: str):
    result = judged(code)
    assert result.verdict == "pass"
    (ratio,) = re.findall(r"falls by ([\d.]+) where", result.message or "")
    assert float(ratio) == pytest.approx(16, abs=2)


def test_damping_in_free_motion_has_no_order():
    result = judged("RD505", damping=0.1)
    assert result.verdict == "fail"
    assert "falls by 1 where the step is halved; a fourth-order method falls by 16" in (result.message or "")


def test_an_error_that_changes_its_sign_between_two_steps_proves_nothing():
    result = judged("RD505", more=(3e-2, 1e-6, 1e-5))
    assert (result.verdict, "not settled" in (result.message or "")) == ("skip", True)
    assert judged("RD505", more=(3e-2, 2e-2, 2e-2)).verdict == "fail"


def test_one_motion_that_is_too_fast_does_not_speak_for_the_others():
    one = slice(3, 4)
    for unsettled in ((-4e-2, 3e-3, -8e-4), (4e-2, 1e-3, 1e-4)):
        assert judged("RD505", more=unsettled, motions=one).verdict == "pass"
        assert judged("RD505", more=unsettled, motions=one, damping=1e-3).verdict == "fail"
    assert judged("RD505", more=(8e-4, 8e-4, 8e-4), motions=one).verdict == "fail"


def test_a_torque_that_is_lost_shows_under_springs_and_not_in_free_motion():
    assert judged("RD506", share=0.5).verdict == "fail"
    assert judged("RD505", share=0.5).verdict == "pass"


def test_a_slow_library_is_skipped_with_the_reason():
    result = judged("RD505", cost=30e3)
    assert (result.verdict, result.message) == (
        "skip",
        "400 stages are too many for a library that takes 30 ms a state",
    )


def test_a_dear_library_follows_one_motion():
    assert judged("RD505", cost=2e3).verdict in {"pass", "skip"}


def test_the_reference_is_not_asked():
    assert judged("RD505", name="reference") is None
