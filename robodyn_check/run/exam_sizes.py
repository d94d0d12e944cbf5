"""How small a change of one written number is seen: by the bounds, and by the tolerances that people use instead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.checks.probing import ask
from robodyn_check.faults.fault import reference_answerer
from robodyn_check.requests import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    from robodyn_check.faults.fault import Answerer
    from robodyn_check.faults.file_faults import FileFault
    from robodyn_check.run.exam_class import ExamClass

    FloatArray = npt.NDArray[np.float64]

#: Relative sizes, half a decade apart, largest first.
SIZES = tuple(10.0 ** (-k / 2) for k in range(2, 31))
BOUNDS = "bounds"
#: Fixed tolerances, on the quantities that people compare.
RULES: dict[str, Callable[[Any, Any], bool]] = {
    "absolute 1e-6": lambda a, b: bool((np.abs(a - b) > 1e-6).any()),
    "absolute 1e-9": lambda a, b: bool((np.abs(a - b) > 1e-9).any()),
    "allclose(1e-7, 1e-9)": lambda a, b: not np.allclose(a, b, rtol=1e-7, atol=1e-9),
}
RULED = ("mass_matrix", "coriolis_matrix", "gravity_vector", "bias_force", "forward_dynamics")


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """One number of one file: the smallest relative change that each rule saw (None: none of the sizes).

    ``observable`` False: the number provably moves nothing on this robot (the mass of a welded link).
    """

    model: str
    kind: str
    element: str
    smallest: Mapping[str, float | None]
    observable: bool


def threshold(pupils: ExamClass, fault: FileFault) -> Threshold:
    """Find the smallest size that each rule sees, by bisection: what is seen small is seen large."""
    answers: dict[float, Answerer | None] = {}
    verdicts: dict[tuple[str, float], bool] = {}

    def seen(rule: str, size: float) -> bool:
        if (rule, size) not in verdicts:
            if size not in answers:
                answers[size] = pupils.reading(fault.change(pupils.robot, size))
            answer = answers[size]
            verdicts[rule, size] = answer is None or _sees(pupils, answer, rule)
        return verdicts[rule, size]

    smallest = {rule: _smallest(partial(seen, rule)) for rule in (BOUNDS, *RULES)}
    observable = smallest[BOUNDS] is not None or not pupils.moves_like(fault.change(pupils.robot, SIZES[0]))
    return Threshold(
        model=pupils.name, kind=fault.kind, element=fault.element, smallest=smallest, observable=observable
    )


def _smallest(seen: Callable[[float], bool]) -> float | None:
    """Return the last of the falling sizes that is seen."""
    if not seen(SIZES[0]):
        return None
    low, high = 0, len(SIZES)  # SIZES[low] is seen; SIZES[high] is not, or is beyond the list
    while high - low > 1:
        middle = (low + high) // 2
        if seen(SIZES[middle]):
            low = middle
        else:
            high = middle
    return float(SIZES[low])


def _sees(pupils: ExamClass, answer: Answerer, rule: str) -> bool:
    if rule == BOUNDS:
        return bool(pupils.findings(answer, agreement_only=True))
    honest = reference_answerer(pupils.setting.mechanism)
    for quantity in RULED:
        if quantity in pupils.without:
            continue
        request = ask(quantity, pupils.setting.states)
        mine, right = answer(request), honest(request)
        if isinstance(mine, Answer) and isinstance(right, Answer) and RULES[rule](mine.values, right.values):
            return True
    return False
