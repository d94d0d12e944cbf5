"""The tool's own exam: plant faults, ask the checks, count what they found, named, and cried about for nothing.

Each robot gives pupils: two without a fault (any finding is a false alarm), the reference wrapped in every library
fault, and the reference on a file with one thing changed. A fault that is not found is "not observable" only
where that is proven: every answer is the same bit for bit, or the changed robot moves alike in ball arithmetic.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from robodyn_check.faults.fault import Scene, batched
from robodyn_check.faults.file_faults import sized_faults, whole_faults
from robodyn_check.faults.library import LIBRARY_FAULTS
from robodyn_check.run.exam_class import exam_class
from robodyn_check.run.exam_marks import Mark, file_mark, library_mark
from robodyn_check.run.exam_rules import broken_by, rounding_twin
from robodyn_check.run.exam_sizes import threshold

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.exam_sizes import Threshold

#: Of the whole file faults of a robot every third is planted; the seed says which.
WHOLE_STRIDE = 3
#: Relative sizes at which changed numbers have to be named and located, in turn.
NAMED_SIZES = (1e-1, 1e-3, 1e-6)


@dataclass(slots=True, kw_only=True)
class Exam:
    """All marks, thresholds, and the false alarms on the unfaulted twins; grows robot by robot.

    ``sized``: marks of changed numbers, which need not be found when they are small, but rightly named when they are.
    ``broken``: robots whose exam an error of ours ended. ``rule_alarms``: fixed tolerance -> robots on which it takes a
    right answer, rounded otherwise, for wrong.
    """

    marks: list[Mark] = field(default_factory=list)
    sized: list[Mark] = field(default_factory=list)
    thresholds: list[Threshold] = field(default_factory=list)
    false_alarms: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    rule_alarms: Counter[str] = field(default_factory=Counter)
    twins: int = 0

    @property
    def went_wrong(self) -> bool:
        """True where a fault was missed, a right robot accused, a change of what is held not shown, or we broke."""
        missed = any(mark.outcome == "missed" or not mark.on_expected for mark in self.marks)
        return missed or bool(self.false_alarms or self.broken) or not all(one.kept_promise for one in self.thresholds)


def examine(
    exam: Exam,
    robot: RobotModel,
    *,
    base: Literal["fixed", "floating"] = "fixed",
    seed: int = 0,
    numbers: int = 12,
    say: Callable[[str], None] = lambda _text: None,
) -> None:
    """Hold the exam on one robot and add the outcome to ``exam``.

    Args:
        exam: Where the marks go.
        robot: The robot.
        base: As in `build_mechanism`.
        seed: Of the states and of the faults' places.
        numbers: How many numbers of the file are changed at falling sizes.
        say: Called with a line at every step.
    """
    pupils = exam_class(robot, base=base, seed=seed)
    say(f"{pupils.name}: two twins without a fault")
    for twin in (batched(pupils.honest), rounding_twin(pupils)):
        exam.twins += 1
        exam.false_alarms += [f"{pupils.name}: {one.code} {one.message}" for one in pupils.paper(twin).wrong]
    exam.rule_alarms.update(broken_by(pupils, twin))
    scene = Scene(robot=robot, mechanism=pupils.setting.mechanism, answer=pupils.honest, seed=seed, base=base)
    for fault in LIBRARY_FAULTS:
        say(f"{pupils.name}: {fault.name}")
        exam.marks.append(library_mark(pupils, fault, scene))
    for whole in whole_faults(robot)[seed % WHOLE_STRIDE :: WHOLE_STRIDE]:
        say(f"{pupils.name}: {whole.kind} of {whole.element}")
        exam.marks.append(file_mark(pupils, whole))
    for number, sized in enumerate(sized_faults(robot, seed=seed, count=numbers)):
        say(f"{pupils.name}: {sized.kind} of {sized.element} at falling sizes")
        exam.thresholds.append(threshold(pupils, sized))
        exam.sized.append(file_mark(pupils, sized, NAMED_SIZES[number % len(NAMED_SIZES)]))
