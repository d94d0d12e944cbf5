"""The tool's own exam: plant faults, ask the checks, count what they found and what they cried about for nothing.

Each robot gives pupils: the reference without a fault (any finding is a false alarm), the reference wrapped in every
library fault, and the reference on a file with one thing changed. A fault that is not found is "not observable" only
where that is proven: every answer is the same bit for bit, or the changed robot moves alike in ball arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.faults.fault import Scene, reference_answerer
from robodyn_check.faults.file_faults import sized_faults, whole_faults
from robodyn_check.faults.library import LIBRARY_FAULTS
from robodyn_check.requests import Answer, Failure, Request
from robodyn_check.run.exam_class import exam_class
from robodyn_check.run.exam_sizes import threshold

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.faults.fault import Answerer, Planted
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.exam_class import ExamClass
    from robodyn_check.run.exam_sizes import Threshold

Outcome = Literal["found", "missed", "not observable", "not applicable"]
#: Of the whole file faults of a robot every third is planted; the seed says which.
WHOLE_STRIDE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One planted fault: was it found, and on which quantities? ``expected``: where it had to show."""

    model: str
    fault: str
    cause: str
    element: str | None
    outcome: Outcome
    quantities: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()

    @property
    def on_expected(self) -> bool:
        """True when it showed on a quantity that it must show on."""
        return not self.expected or bool(set(self.expected) & set(self.quantities))


@dataclass(slots=True, kw_only=True)
class Exam:
    """All marks, thresholds, and the false alarms on the unfaulted twins; grows robot by robot."""

    marks: list[Mark] = field(default_factory=list)
    thresholds: list[Threshold] = field(default_factory=list)
    false_alarms: list[str] = field(default_factory=list)
    twins: int = 0


def examine(
    exam: Exam,
    robot: RobotModel,
    *,
    base: Literal["fixed", "floating"] = "fixed",
    seed: int = 0,
    numbers: int = 12,
    library: bool = True,
    say: Callable[[str], None] = lambda _text: None,
) -> None:
    """Hold the exam on one robot and add the outcome to ``exam``.

    Args:
        exam: Where the marks go.
        robot: The robot.
        base: As in `build_mechanism`.
        seed: Of the states and of the faults' places.
        numbers: How many numbers of the file are changed at falling sizes.
        library: Plant the library faults and the whole file faults as well.
        say: Called with a line at every step.
    """
    pupils = exam_class(robot, base=base, seed=seed)
    say(f"{pupils.name}: the twin without a fault")
    honest = reference_answerer(pupils.setting.mechanism)
    exam.twins += 1
    exam.false_alarms += [f"{pupils.name}: {one.code} {one.message}" for one in pupils.findings(honest)]
    if library:
        scene = Scene(robot=robot, mechanism=pupils.setting.mechanism, answer=honest, seed=seed, base=base)
        for fault in LIBRARY_FAULTS:
            say(f"{pupils.name}: {fault.name}")
            exam.marks.append(_library_mark(pupils, fault.name, fault.cause, fault.shows_on, fault.plant(scene)))
        for whole in whole_faults(robot)[seed % WHOLE_STRIDE :: WHOLE_STRIDE]:
            say(f"{pupils.name}: {whole.kind} of {whole.element}")
            exam.marks.append(_file_mark(pupils, whole.kind, whole.element, whole.change(robot, 0.0)))
    for sized in sized_faults(robot, seed=seed, count=numbers):
        say(f"{pupils.name}: {sized.kind} of {sized.element} at falling sizes")
        exam.thresholds.append(threshold(pupils, sized))


def _library_mark(pupils: ExamClass, name: str, cause: str, expected: tuple[str, ...], planted: Planted | None) -> Mark:
    if planted is None:
        return Mark(model=pupils.name, fault=name, cause=cause, element=None, outcome="not applicable")
    quantities = _quantities(pupils, planted.answer)
    outcome: Outcome = "found"
    if quantities is None:
        outcome = "missed" if _differs(pupils, planted.answer) else "not observable"
    return Mark(
        model=pupils.name,
        fault=name,
        cause=cause,
        element=planted.element,
        outcome=outcome,
        quantities=quantities or (),
        expected=expected if quantities else (),
    )


def _file_mark(pupils: ExamClass, kind: str, element: str, changed: RobotModel) -> Mark:
    answer = pupils.reading(changed)
    quantities: tuple[str, ...] | None = None
    outcome: Outcome = "not applicable"
    if answer is not None:
        quantities = _quantities(pupils, answer)
        outcome = "found" if quantities is not None else "missed"
        if outcome == "missed" and pupils.moves_like(changed):
            outcome = "not observable"
    return Mark(
        model=pupils.name, fault=kind, cause=kind, element=element, outcome=outcome, quantities=quantities or ()
    )


def _quantities(pupils: ExamClass, answer: Answerer) -> tuple[str, ...] | None:
    """Return the quantities on which a pupil is found wrong, in the order of the checks; None: not found at all."""
    found = pupils.findings(answer)
    return tuple(dict.fromkeys(one.quantity for one in found if one.quantity)) if found else None


def _differs(pupils: ExamClass, answer: Answerer) -> bool:
    """Say whether a pupil's answers differ from honest ones in any bit, to anything that the checks ask."""
    honest = reference_answerer(pupils.setting.mechanism)
    differences = []

    def compared(request: Request) -> Answer | Failure:
        mine, right = answer(request), honest(request)
        if isinstance(mine, Answer) and isinstance(right, Answer):
            same = np.array_equal(mine.values, right.values, equal_nan=True) and not mine.inputs_modified
        else:
            same = type(mine) is type(right)
        differences.append(not same)
        return mine

    pupils.findings(compared)
    return any(differences)
