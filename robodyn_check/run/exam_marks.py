"""The mark of one planted fault: found or not, on which quantities, how it was named, where it was put."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from robodyn_check.faults.fault import batched
from robodyn_check.harness.describe import describe
from robodyn_check.run.exam_naming import Key
from robodyn_check.run.exam_observable import moves_like, observable
from robodyn_check.run.truth import answer

if TYPE_CHECKING:
    from robodyn_check.faults.fault import LibraryFault, Scene
    from robodyn_check.faults.file_faults import FileFault
    from robodyn_check.run.exam_class import ExamClass, Paper
    from robodyn_check.run.exam_naming import Naming

Outcome = Literal["found", "missed", "not observable", "not applicable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One planted fault: was it found, and on which quantities? ``expected``: where it had to show.

    ``naming``: of a fault that was found, by its answers alone; ``with_readback``: the same where the library shows
    what it holds, None where nothing that is held is wrong.
    """

    model: str
    fault: str
    cause: str
    element: str | None
    outcome: Outcome
    quantities: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    naming: Naming | None = None
    with_readback: Naming | None = None

    @property
    def on_expected(self) -> bool:
        """True when it showed on a quantity that it must show on."""
        return not self.expected or bool(set(self.expected) & set(self.quantities))


def library_mark(pupils: ExamClass, fault: LibraryFault, scene: Scene) -> Mark:
    """Return the mark of a fault in a library, planted into the reference."""
    planted = fault.plant(scene)
    if planted is None:
        return Mark(model=pupils.name, fault=fault.name, cause=fault.cause, element=None, outcome="not applicable")
    key = Key(causes=frozenset({fault.cause}), element=planted.element)
    mark = Mark(
        model=pupils.name, fault=fault.name, cause=fault.cause, element=planted.element, outcome="not observable"
    )
    answering = batched(planted.answer)
    paper = pupils.paper(answering, agreement_only=True)
    named = pupils.naming(paper, key) if paper.wrong else None
    if named is None or (named.name, named.place) != ("right", "right"):
        # what the answers show by themselves adds findings, and names to what the comparison left without one
        paper = pupils.paper(answering)
        named = pupils.naming(paper, key) if paper.wrong else None
    quantities = _quantities(paper)
    if quantities is None:
        return replace(mark, outcome="missed") if observable(pupils, fault, scene) else mark
    return replace(mark, outcome="found", quantities=quantities, expected=fault.shows_on, naming=named)


def file_mark(pupils: ExamClass, fault: FileFault, size: float = 0.0) -> Mark:
    """Return the mark of a fault in the file that a library reads; ``size`` is for those that have one."""
    changed = fault.change(pupils.robot, size)
    held = pupils.reading(changed)
    title = f"{fault.kind} by {size:.0e}" if size else fault.kind
    key = Key(causes=frozenset(fault.causes), element=fault.element)
    nothing = Mark(
        model=pupils.name, fault=title, cause=fault.causes[0], element=fault.element, outcome="not applicable"
    )
    if held is None:
        return nothing
    paper = pupils.paper(partial(answer, held), agreement_only=True)
    quantities = _quantities(paper)
    if quantities is None:
        return replace(nothing, outcome="not observable" if moves_like(pupils, changed) else "missed")
    return replace(
        nothing,
        outcome="found",
        quantities=quantities,
        naming=pupils.naming(paper, key),
        with_readback=pupils.naming(paper, key, describe(changed, held)),
    )


def _quantities(paper: Paper) -> tuple[str, ...] | None:
    """Return the quantities on which a pupil is found wrong, in the order of the checks; None: not found at all."""
    return tuple(dict.fromkeys(one.quantity for one in paper.wrong if one.quantity)) if paper.wrong else None
