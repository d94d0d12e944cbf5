"""How small a change of one written number is seen: by the bounds, by the readback, by the tolerances people use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from robodyn_check.diagnosis.readback import differences, largest_change
from robodyn_check.harness.describe import describe
from robodyn_check.run.exam_observable import moves_like
from robodyn_check.run.exam_rules import RULES, broken_by
from robodyn_check.run.truth import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from robodyn_check.faults.file_faults import FileFault
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.run.exam_class import ExamClass
    from robodyn_check.sdk.readback import Readback

#: Relative sizes, half a decade apart, largest first.
SIZES = tuple(10.0 ** (-k / 2) for k in range(2, 31))
BOUNDS, READBACK, BOTH = "bounds", "readback", "bounds and readback"
#: Every change of at least this share of what a library holds must be seen in its readback.
HELD = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """One number of one file: the smallest relative change that each rule saw (None: none of the sizes).

    ``observable`` False: the number provably moves nothing on this robot (the mass of a welded link). ``held``: the
    largest relative change of what a library holds that its readback did not show; 0 where it showed all sizes.
    """

    model: str
    kind: str
    element: str
    smallest: Mapping[str, float | None]
    observable: bool
    held: float = 0.0

    @property
    def kept_promise(self) -> bool:
        """True where the readback showed every change of at least `HELD`."""
        return self.held < HELD


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Reading:
    """What one pupil holds and says; None: the changed file is no robot, which everybody sees."""

    held: Mechanism | None
    rules: frozenset[str]
    readback: Readback | None = None
    shown: bool = True


def threshold(pupils: ExamClass, fault: FileFault) -> Threshold:
    """Find the smallest size that each rule sees, by bisection: what is seen small is seen large."""
    readings: dict[float, _Reading] = {}
    verdicts: dict[float, bool] = {}

    def reading(size: float) -> _Reading:
        if size not in readings:
            readings[size] = _read(pupils, fault, size)
        return readings[size]

    def bounds(size: float) -> bool:
        if size not in verdicts:
            held = reading(size).held
            verdicts[size] = held is None or bool(pupils.paper(partial(answer, held), agreement_only=True).wrong)
        return verdicts[size]

    smallest: dict[str, float | None] = {BOUNDS: _smallest(bounds)}
    for rule in RULES:
        smallest[rule] = _smallest(lambda size, rule=rule: rule in reading(size).rules)  # type: ignore[misc]
    smallest[READBACK] = shown = _smallest(lambda size: reading(size).shown)
    smallest[BOTH] = min((size for size in (shown, smallest[BOUNDS]) if size is not None), default=None)
    observable = smallest[BOUNDS] is not None or not moves_like(pupils, fault.change(pupils.robot, SIZES[0]))
    unseen = SIZES[0] if shown is None else next((size for size in SIZES if size < shown), None)
    hidden = None if unseen is None else reading(unseen).readback
    return Threshold(
        model=pupils.name,
        kind=fault.kind,
        element=fault.element,
        smallest=smallest,
        observable=observable,
        held=0.0 if hidden is None else largest_change(pupils.written, hidden),
    )


def _read(pupils: ExamClass, fault: FileFault, size: float) -> _Reading:
    changed = fault.change(pupils.robot, size)
    held = pupils.reading(changed)
    if held is None:
        return _Reading(held=None, rules=frozenset(RULES))
    readback = describe(changed, held)
    shown = bool(differences(pupils.robot, pupils.written, readback))
    return _Reading(held=held, rules=broken_by(pupils, partial(answer, held)), readback=readback, shown=shown)


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
