"""Questions are made once for all subjects in which a check sees the same, and for nobody else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from robodyn_check.checks.probing import ask
from robodyn_check.checks.running import probes_of
from robodyn_check.checks.texts import texts
from robodyn_check.requests import Answer, Answers
from tests.checks.conftest import bench

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.checks.context import ProbeContext
    from robodyn_check.requests import Request

TEXT = next(text for text in texts() if text.code == "RD250")


class Counting:
    """A check whose probes are counted and look where they are told to."""

    def __init__(self, look: Callable[[Any], object]) -> None:
        """Take what the probes look at."""
        self.look = look
        self.made = 0

    def probes(self, context: ProbeContext) -> dict[str, Request]:
        self.made += 1
        turned = context.states.q + (1.0 if self.look(context.subject) else 0.0)
        return {"M": ask("mass_matrix", context.states, q=turned)}

    def judge(self, *_: object) -> Any:
        raise AssertionError


def asked_of(rule: Any, *changes: dict[str, Any]) -> list[Request]:
    """Let subjects that differ in one thing be asked in one run."""
    robot = bench("vertical_root")
    view = robot.view(Answers(), name="one", coriolis="skew")
    context = robot.context(view)
    probes = probes_of(rule, TEXT)
    return [probes(replace(context, subject=replace(view, **change), asked={}))[0] for change in ({}, *changes)]


def test_a_check_that_looks_at_no_subject_is_asked_once_for_all() -> None:
    rule = Counting(lambda _subject: False)
    one, other = asked_of(rule, {"name": "other", "coriolis": "any", "eps": 1.0})
    assert (one is other, rule.made) == (True, 1)


@pytest.mark.parametrize("change", [{"coriolis": "christoffel"}, {"springs": object()}], ids=["coriolis", "springs"])
def test_a_check_that_looks_at_what_differs_is_asked_of_each(change: dict[str, Any]) -> None:
    (name,) = change
    rule = Counting(lambda subject: getattr(subject, name) is change[name])
    one, other, again = asked_of(rule, change, {**change, "name": "third"})
    assert (one is other, other is again, rule.made) == (False, True, 2)


def test_a_check_that_goes_on_from_answers_is_asked_of_each() -> None:
    rule = Counting(lambda subject: len(subject.answers) > 1)
    robot = bench("vertical_root")
    answers = Answers({str(k): Answer(values=robot.states.q) for k in range(2)})
    one, other, again = asked_of(rule, {"answers": answers}, {"name": "third"})
    assert (one.key == other.key, one.key == again.key, rule.made) == (False, True, 3)
