"""One robot with its states and truth, before which pupils (subjects with a planted fault) are examined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import load
from robodyn_check.errors import RobodynCheckError
from robodyn_check.faults.fault import batched, reference_answerer, remembering
from robodyn_check.harness.describe import describe
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer
from robodyn_check.run.exam_naming import naming
from robodyn_check.run.explaining import diagnosis_of, with_causes
from robodyn_check.run.judgement import judge_agreement, judge_properties
from robodyn_check.run.questions import question
from robodyn_check.run.subjects import Declared, Subject
from robodyn_check.run.truth import prepare
from robodyn_check.states.draw import draw_states

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.checks.registry import Check
    from robodyn_check.faults.fault import Answerer
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Result
    from robodyn_check.requests import Failure
    from robodyn_check.run.exam_naming import Key, Naming
    from robodyn_check.run.subjects import Answering, Setting
    from robodyn_check.sdk.readback import Readback

#: States per pupil: faults that show at few states only are those of hygiene, which asks its own.
SAMPLES = 12
PUPIL = "pupil"
WRONG = frozenset({"fail", "error"})
#: Elastic joints have drives of their own and are no part of this exam; nor are integrations, which take hundreds of
#: rounds to see what the power balances see in one.
ELASTIC = "RD8"
#: Compares ranks of regressors, which cost more than all the rest, and differ only where the regressors do.
RANKS = frozenset({"RD353"})
_CANONICAL = {"quantities": frozenset(QUANTITIES), "coriolis": "christoffel"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paper:
    """What one pupil handed in: all that it said, and the fails and errors that it got for it."""

    pupil: Subject
    wrong: tuple[Result, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamClass:
    """One robot, ready for pupils; ``without`` are the quantities that are not judged on it.

    ``honest`` answers rightly, from memory where it was asked the same by the twin without a fault. ``written``: the
    file's robot in the shape of a readback.
    """

    name: str
    robot: RobotModel
    base: Literal["fixed", "floating"]
    setting: Setting
    reference: Subject
    without: Mapping[str, str]
    checks: tuple[Check, ...]
    honest: Answerer
    written: Readback

    def paper(self, answer: Answering, *, agreement_only: bool = False) -> Paper:
        """Ask one pupil and judge what it says.

        Args:
            answer: How it answers.
            agreement_only: Compare with the truth alone: another robot has all properties that a robot has.
        """
        pupil = Subject(
            declared=Declared(name=PUPIL, **_CANONICAL),  # type: ignore[arg-type]
            answer=answer,
            budget=self.reference.budget,
        )
        results: list[Result] = []
        if not agreement_only:
            broken = question(self.setting, pupil, self.checks)
            results += judge_properties(self.setting, pupil, self.checks, broken=broken, without=self.without)
        ranks = set() if self._has_other_columns(pupil) else RANKS
        checks = [check for check in self.checks if check.is_agreement and check.code not in ranks]
        results += judge_agreement(self.setting, pupil, self.reference, [], checks, standings={}, without=self.without)
        return Paper(pupil=pupil, wrong=tuple(result for result in results if result.verdict in WRONG))

    def _has_other_columns(self, pupil: Subject) -> bool:
        """Say whether a pupil's regressors are others than the right ones, in any bit."""
        request = ask("joint_torque_regressor", self.setting.states)
        pupil.ask([request])
        mine, right = pupil.answers.get(request), self.honest(request)
        if not isinstance(mine, Answer) or not isinstance(right, Answer):
            return True
        return not np.array_equal(mine.values, right.values, equal_nan=True)

    def naming(self, paper: Paper, key: Key, readback: Readback | None = None) -> Naming:
        """Diagnose what was found, as a real run does, and compare it with the right answer."""
        setting, robot = self.setting, self.robot
        diagnosis = diagnosis_of(
            paper.pupil, setting, robot, library=PUPIL, version=None, readback=readback, truth=self.honest
        )
        results = with_causes(paper.wrong, PUPIL, diagnosis, setting=setting, robot=robot)
        return naming(key, [one.cause for one in results if one.cause is not None], diagnosis, robot)

    def reading(self, robot: RobotModel) -> Mechanism | None:
        """Return what a pupil holds that read another robot; None where that is no robot at all."""
        try:
            return build_mechanism(robot, base=self.base, gravity=self.setting.gravity)
        except (RobodynCheckError, ZeroDivisionError):
            return None


def exam_class(robot: RobotModel, *, base: Literal["fixed", "floating"], seed: int) -> ExamClass:
    """Prepare one robot: states, scales, the truth's answers."""
    mechanism = build_mechanism(robot, base=base)
    states = draw_states(mechanism, count=SAMPLES, seed=seed)
    setting, reference, without = prepare(mechanism, states, seed=seed)
    # the exam is about libraries: the reference is the truth here, as with a certificate
    reference.declared = Declared(name=reference.name, certified=True, **_CANONICAL)  # type: ignore[arg-type]
    checks = tuple(check for check in load() if not check.code.startswith(ELASTIC) and not check.text.integrates)
    memory: dict[str, Answer | Failure] = {}
    right = reference_answerer(mechanism)
    reference.answer = batched(remembering(right, memory, learn=True))
    question(setting, reference, checks)
    return ExamClass(
        name=robot.name if base == "fixed" else f"{robot.name}, floating",
        robot=robot,
        base=base,
        setting=setting,
        reference=reference,
        without=without,
        checks=checks,
        honest=remembering(right, memory, learn=False),
        written=describe(robot, mechanism),
    )
