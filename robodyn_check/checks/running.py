"""From a declared check to its results: all that is alike for every check, done once.

An answer that the subject does not offer, or that a documented limit refuses, makes a skip with the reason; a crash,
a time-out or garbage makes an error with the library's own words. Rows that failed are NaN: the rest is judged, and
the failed rows of a request that only this check makes are an error of their own (those of the base requests are
reported once, by the hygiene family). Nothing that was computed is lost.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from robodyn_check.checks.definiteness import truth_is_singular
from robodyn_check.checks.judging import Given, Outcome, Outcomes, skip
from robodyn_check.checks.probing import NotHere, base_keys
from robodyn_check.quantities import not_offered
from robodyn_check.report.results import Result
from robodyn_check.requests import Answer, Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from robodyn_check.checks.context import JudgeContext, ProbeContext, SubjectView
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.checks.texts import CheckText
    from robodyn_check.requests import Request


#: Why accelerations are not judged, whatever a library returns: there is no right one.
SINGULAR = "the model's own mass matrix is singular, so accelerations are not determined: see RD203"


#: Why most checks say nothing about a robot whose joints are all fixed.
IMMOBILE = "the robot has no joint that moves"


class Rule(Protocol):
    """The two pure functions of a check, as its class has them.

    A class with ``partial = True`` is handed whatever is there, and `Given.obstacles` for the rest.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Name the requests, or say why the check does not apply."""

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Judge the answers."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Collected:
    """One subject's values by name, what kept others from being there, and rows that failed on the way."""

    values: dict[str, FloatArray]
    modified: dict[str, tuple[int, ...]]
    failures: dict[str, tuple[Failure, ...]]
    obstacles: dict[str, Outcome]
    losses: tuple[Outcome, ...]

    @property
    def obstacle(self) -> Outcome | None:
        """The first obstacle; a crash says more than an absence and comes before it."""
        return min(self.obstacles.values(), key=lambda outcome: outcome.verdict != "error", default=None)


def probes_of(rule: Rule, text: CheckText) -> Callable[[ProbeContext], tuple[Request, ...]]:
    """Return the check's requests, less those for quantities that the subject does not offer."""

    def probes(context: ProbeContext) -> tuple[Request, ...]:
        asked = _asked(rule, text, context)
        if isinstance(asked, str):
            return ()
        return tuple(request for request in asked.values() if request.quantity in context.subject.quantities)

    return probes


def _asked(rule: Rule, text: CheckText, context: ProbeContext) -> Probes:
    """Return the check's named requests, made once for all subjects in which it sees the same.

    A robot without moving joints has poses and nothing else.
    """
    code = text.code
    if code not in context.asked:
        subject = context.subject
        for seen, asked in context.alike.get(code, ()):
            if all(_same(getattr(subject, name), value) for name, value in seen.items()):
                context.asked[code] = asked
                return asked
        watched = _Watched(subject)
        try:
            immobile = context.mechanism.nv == 0 and text.quantities != ("link_poses",)
            asked = IMMOBILE if immobile else rule.probes(replace(context, subject=cast("SubjectView", watched)))
        except NotHere as error:
            asked = str(error)
        context.asked[code] = asked
        if "answers" not in watched.seen:
            context.alike.setdefault(code, []).append((watched.seen, asked))
    return context.asked[code]


class _Watched:
    """A subject that notes what is looked at in it."""

    def __init__(self, subject: SubjectView) -> None:
        self._subject = subject
        self.seen: dict[str, object] = {}

    def __getattr__(self, name: str) -> object:
        self.seen[name] = getattr(self._subject, name)
        return self.seen[name]


def _same(one: object, other: object) -> bool:
    """Compare what subjects declare; springs are arrays and the same only where they are one object."""
    return one is other or (isinstance(one, (str, bool, float, frozenset)) and one == other)


def judge_of(rule: Rule, text: CheckText) -> Callable[[JudgeContext], tuple[Result, ...]]:
    """Return the check's judgement as results with code, subject and coverage."""

    def judge(context: JudgeContext) -> tuple[Result, ...]:
        filed = text.quantities[0] if text.quantities else None
        return tuple(
            _result(text, context, outcome, filed=filed) for outcome in _outcomes(rule, text, context, filed=filed)
        )

    return judge


def _outcomes(rule: Rule, text: CheckText, context: JudgeContext, *, filed: str | None) -> tuple[Outcome, ...]:
    """Gather the answers of both sides and judge, or say what is in the way."""
    asked = _asked(rule, text, context)
    if isinstance(asked, str):
        if asked and filed is not None and filed not in context.subject.quantities:
            asked = not_offered(context.subject.name, filed)
        return (skip(asked, quantity=filed),) if asked else ()
    mine = _collect(asked, context.subject, context)
    theirs = _collect(asked, context.against, context) if context.against is not None else None
    obstacle = mine.obstacle or (theirs.obstacle if theirs else None)
    if obstacle is not None and not getattr(rule, "partial", False):
        return (obstacle, *mine.losses)
    given = Given(
        mine=mine.values,
        theirs=theirs.values if theirs else {},
        modified=mine.modified,
        failures=mine.failures,
        obstacles=mine.obstacles,
    )
    judged = rule.judge(context, given)
    return (*((judged,) if isinstance(judged, Outcome) else judged), *mine.losses)


def _collect(asked: Mapping[str, Request], subject: SubjectView, context: JudgeContext) -> _Collected:
    """Look up every named request in one subject's answers."""
    values: dict[str, FloatArray] = {}
    modified: dict[str, tuple[int, ...]] = {}
    failures: dict[str, tuple[Failure, ...]] = {}
    obstacles: dict[str, Outcome] = {}
    losses: list[Outcome] = []
    for name, request in asked.items():
        answer = subject.answers.get(request) if request.quantity in subject.quantities else None
        if request.quantity == "forward_dynamics" and answer is not None and truth_is_singular(context.scales):
            obstacles[name] = skip(SINGULAR, quantity=request.quantity)
        elif isinstance(answer, Answer):
            values[name] = answer.values
            modified[name] = answer.inputs_modified
            failures[name] = answer.failures
            if request.key not in base_keys(context):
                losses.extend(_lost_rows(request, answer))
        else:
            obstacles[name] = _obstacle(request, answer, subject)
    return _Collected(values=values, modified=modified, failures=failures, obstacles=obstacles, losses=tuple(losses))


def _obstacle(request: Request, answer: Failure | None, subject: SubjectView) -> Outcome:
    """Say why a whole request has no answer."""
    if request.quantity not in subject.quantities:
        return skip(not_offered(subject.name, request.quantity), quantity=request.quantity)
    if answer is None:
        return skip(f"{subject.name} was not asked for {request.quantity} here", quantity=request.quantity)
    if answer.kind in {"not_offered", "unsupported"}:
        return skip(f"{subject.name}: {answer.message}", quantity=request.quantity)
    return Outcome(verdict="error", message=f"{subject.name}: {answer.message}", quantity=request.quantity)


def _lost_rows(request: Request, answer: Answer) -> list[Outcome]:
    """Report the rows of a check's own request that failed: an error with the library's words."""
    failures = [failure for failure in answer.failures if failure.kind == "error"]
    if failures:
        rows = sum(len(failure.states) or len(request) for failure in failures)
        text = f"{failures[0].message} ({rows} of {len(request)} probes of {request.quantity} have no answer)"
        return [Outcome(verdict="error", message=text, quantity=request.quantity)]
    if not answer.failures and not np.isfinite(answer.values).all():
        rows = int((~np.isfinite(answer.values.reshape(len(request), -1))).any(axis=1).sum())
        text = f"{request.quantity} is not finite at {rows} of {len(request)} probes"
        return [Outcome(verdict="error", message=text, quantity=request.quantity)]
    return []


def _result(text: CheckText, context: JudgeContext, outcome: Outcome, *, filed: str | None) -> Result:
    """Give an outcome its code and its subject."""
    return Result(
        code=text.code,
        slug=text.slug,
        verdict=outcome.verdict,
        subject=context.subject.name,
        against=None if context.against is None else context.against.name,
        quantity=outcome.quantity or filed,
        message=outcome.message,
        errors=outcome.errors,
        error=outcome.error,
        bound=outcome.bound,
        margin=outcome.margin,
        worst=outcome.worst,
        difference=outcome.difference,
        step_errors=outcome.step_errors,
    )
