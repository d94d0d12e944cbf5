"""One robot with its states and truth, before which pupils (subjects with a planted fault) are examined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.certify.certificate import Question, recursive
from robodyn_check.certify.exact import disjoint
from robodyn_check.checks.registry import load
from robodyn_check.errors import RobodynCheckError
from robodyn_check.faults.fault import batched, reference_answerer
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.run.judgement import judge_agreement, judge_properties
from robodyn_check.run.questions import question
from robodyn_check.run.subjects import MOST_ROUNDS, Declared, Subject
from robodyn_check.run.truth import prepare
from robodyn_check.states.draw import draw_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.checks.registry import Check
    from robodyn_check.faults.fault import Answerer
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Result
    from robodyn_check.run.subjects import Setting

#: States per pupil: faults that show at few states only are those of hygiene, which asks its own.
SAMPLES = 12
#: States at which two robots are compared in balls.
PROVEN = 2
PUPIL = "pupil"
WRONG = frozenset({"fail", "error"})
#: Elastic joints have drives of their own and are no part of this exam; nor are integrations, which take hundreds of
#: rounds to see what the power balances see in one.
ELASTIC = "RD8"
_CANONICAL = {"quantities": frozenset(QUANTITIES), "coriolis": "christoffel"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamClass:
    """One robot, ready for pupils; ``without`` are the quantities that are not judged on it."""

    name: str
    robot: RobotModel
    base: Literal["fixed", "floating"]
    setting: Setting
    reference: Subject
    without: Mapping[str, str]
    checks: tuple[Check, ...]

    def findings(self, answer: Answerer, *, agreement_only: bool = False) -> list[Result]:
        """Return the fails and errors of one pupil."""
        pupil = Subject(
            declared=Declared(name=PUPIL, **_CANONICAL),  # type: ignore[arg-type]
            answer=batched(answer),
            budget=self.reference.budget,
        )
        results: list[Result] = []
        if not agreement_only:
            broken = question(self.setting, pupil, self.checks)
            results += judge_properties(self.setting, pupil, self.checks, broken=broken, without=self.without)
        checks: Sequence[Check] = [check for check in self.checks if check.is_agreement]
        results += judge_agreement(self.setting, pupil, self.reference, [], checks, standings={}, without=self.without)
        return [result for result in results if result.verdict in WRONG]

    def reading(self, robot: RobotModel) -> Answerer | None:
        """Return a pupil that read another robot; None where that is no robot at all."""
        try:
            return reference_answerer(build_mechanism(robot, base=self.base, gravity=self.setting.gravity))
        except (RobodynCheckError, ZeroDivisionError):
            return None

    def moves_like(self, robot: RobotModel) -> bool:
        """Say whether another robot provably may move like this one: no two balls of any quantity are apart.

        Potential energies are compared as differences between the states, since a constant does not move anything.
        """
        states = self.setting.states
        inputs = (states.q[:PROVEN], states.v[:PROVEN], states.a[:PROVEN], states.tau[:PROVEN])
        names = tuple(name for name in QUANTITIES if name not in self.without)
        mine, other = (
            recursive(Question(robot=one, base=self.base, gravity=self.setting.gravity, inputs=inputs), names)
            for one in (self.robot, robot)
        )
        for name in set(mine) & set(other):
            pair = [answers[name] for answers in (mine, other)]
            if name == "potential_energy":
                pair = [values - values[0] for values in pair]
            if disjoint(*(np.asarray(values) for values in pair)):
                return False
        return set(mine) == set(other)


def exam_class(robot: RobotModel, *, base: Literal["fixed", "floating"], seed: int) -> ExamClass:
    """Prepare one robot: states, scales, the truth's answers."""
    mechanism = build_mechanism(robot, base=base)
    states = draw_states(mechanism, count=SAMPLES, seed=seed)
    setting, reference, without = prepare(mechanism, states, seed=seed)
    # the exam is about libraries: the reference is the truth here, as with a certificate
    reference.declared = Declared(name=reference.name, certified=True, **_CANONICAL)  # type: ignore[arg-type]
    checks = tuple(
        check
        for check in load()
        if not check.code.startswith(ELASTIC) and getattr(check.text, "rounds", MOST_ROUNDS) <= MOST_ROUNDS
    )
    question(setting, reference, checks)
    return ExamClass(
        name=robot.name if base == "fixed" else f"{robot.name}, floating",
        robot=robot,
        base=base,
        setting=setting,
        reference=reference,
        without=without,
        checks=checks,
    )
