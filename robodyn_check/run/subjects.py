"""A subject of one run: what it declares, which states it gets, how to ask it, and all that it has said so far.

The reference and every library are the same here; only the function behind ``answer`` differs.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from robodyn_check.checks.context import JudgeContext, ProbeContext, SubjectView
from robodyn_check.quantities import EPSILON
from robodyn_check.requests import Answers
from robodyn_check.run.motions import answer_motion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from robodyn_check.checks.registry import Check
    from robodyn_check.model.elastic import Springs
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Answer, Failure, Request
    from robodyn_check.run.budget import Budget
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance import Scales

    Answering = Callable[[Sequence[Request]], Mapping[str, Answer | Failure]]

#: Rounds of questions of one check: values, then what depends on them, then what depends on that.
MOST_ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a subject says about itself before it answers anything."""

    name: str
    quantities: frozenset[str]
    precision: str = "double"
    coriolis: str = "skew"
    symmetric_by_construction: bool = False
    certified: bool = False
    springs: Springs | None = None
    cost: float = 0.0


@dataclass(slots=True, kw_only=True, eq=False)
class Subject:
    """One subject with its memory: ``ask`` adds answers; a certificate changes what it is declared to be.

    ``integrates``: ``answer`` knows what to do with a motion; else its stages are asked one by one.
    """

    declared: Declared
    answer: Answering
    budget: Budget
    integrates: bool = False
    answers: Answers = field(default_factory=Answers)
    batches: list[tuple[Request, ...]] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    seen: tuple[Declared, SubjectView] | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def name(self) -> str:
        """The name that results carry."""
        return self.declared.name

    def ask(self, requests: Sequence[Request]) -> bool:
        """Put the requests that were not put before, all in one batch; return whether there were any."""
        with self.lock:
            new = {request.key: request for request in requests if request.key not in self.asked}
            if not new:
                return False
            self.asked.update(new)
            self.batches.append(tuple(new.values()))
            whole = tuple(one for one in new.values() if one.motion is None or self.integrates)
            answers = dict(self.answer(whole)) if whole else {}
            for key in new.keys() - {one.key for one in whole}:
                answers[key] = answer_motion(new[key], self.answer)
            self.answers = self.answers.merged(answers)
            return True

    def view(self) -> SubjectView:
        """Return what a check may know of it: the same object until it answers more, or is declared something else."""
        with self.lock:
            seen = self.seen
            if seen is None or seen[0] is not self.declared or seen[1].answers is not self.answers:
                self.seen = seen = (self.declared, self._view())
            return seen[1]

    def _view(self) -> SubjectView:
        """Make the view."""
        return SubjectView(
            name=self.declared.name,
            quantities=self.declared.quantities,
            eps=EPSILON[self.declared.precision],
            coriolis=self.declared.coriolis,
            answers=self.answers,
            certified=self.declared.certified,
            symmetric_by_construction=self.declared.symmetric_by_construction,
            springs=self.declared.springs,
            cost=self.declared.cost,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setting:
    """What all subjects of a run share: robot, gravity, states; scales and contexts are made once and kept."""

    mechanism: Mechanism
    gravity: tuple[float, float, float]
    states: StateBatch
    seed: int
    subset: Callable[[StateBatch, int], StateBatch]
    scales: Callable[[StateBatch], Scales]
    batches: dict[int, StateBatch] = field(default_factory=dict)
    known_scales: dict[int, Scales] = field(default_factory=dict)
    alike: dict[tuple[int, int], Any] = field(default_factory=dict)
    probing: dict[tuple[int, int, SubjectView], ProbeContext] = field(default_factory=dict)
    judging: dict[tuple[int, int, SubjectView, SubjectView | None], JudgeContext] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def batch(self, count: int) -> StateBatch:
        """Return the same ``count`` of the run's states whoever asks, so that subjects can be compared."""
        with self.lock:
            if count >= len(self.states):
                return self.states
            if count not in self.batches:
                self.batches[count] = self.subset(self.states, count)
            return self.batches[count]

    def scales_of(self, count: int) -> Scales:
        """Return the scales of `batch` of that size."""
        with self.lock:
            size = min(count, len(self.states))
            if size not in self.known_scales:
                self.known_scales[size] = self.scales(self.batch(size))
            return self.known_scales[size]

    def probe_context(self, check: Check, subject: Subject, budget: Budget) -> ProbeContext:
        """Return what the check's probes get to see."""
        return self._probing(budget.states_for(check.text.quantities), budget.few, subject.view())

    def judge_context(
        self, check: Check, subject: Subject, budget: Budget, against: Subject | None = None
    ) -> JudgeContext:
        """Return what the check's judge gets to see."""
        count, view = budget.states_for(check.text.quantities), subject.view()
        other = None if against is None else against.view()
        with self.lock:
            key = (count, budget.few, view, other)
            if key not in self.judging:
                probing = self._probing(count, budget.few, view)
                self.judging[key] = JudgeContext(
                    **{field.name: getattr(probing, field.name) for field in fields(ProbeContext)},
                    scales=self.scales_of(count),
                    few_scales=self.scales_of(budget.few),
                    against=other,
                )
            return self.judging[key]

    def _probing(self, count: int, few: int, view: SubjectView) -> ProbeContext:
        """Return one context for all checks that look at the same states of the same answers."""
        with self.lock:
            key = (count, few, view)
            if key not in self.probing:
                self.probing[key] = ProbeContext(
                    mechanism=self.mechanism,
                    gravity=self.gravity,
                    states=self.batch(count),
                    few=self.batch(few),
                    subject=view,
                    seed=self.seed,
                    alike=self.alike.setdefault((count, few), {}),
                )
            return self.probing[key]
