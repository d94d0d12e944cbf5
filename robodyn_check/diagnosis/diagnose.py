"""From a library's wrong answers to named causes, quantity by quantity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from robodyn_check.diagnosis.causes import CAUSES, UNEXPLAINED
from robodyn_check.diagnosis.locate import locate
from robodyn_check.diagnosis.pairs import explained_alone, pair
from robodyn_check.diagnosis.prove import Tally, before, single
from robodyn_check.diagnosis.upstream import upstream
from robodyn_check.report.results import Cause

if TYPE_CHECKING:
    from robodyn_check.diagnosis.candidate import Candidate
    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.diagnosis.prove import Proof

#: Names of causes that were ruled out, as many as a reader can take in.
_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another cause, or the same at another link or joint, that no answer tells from the one that was named."""

    cause: str
    element: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The causes of one library's fails: of each wrong quantity, and of everything else (``general``).

    ``alternatives``: what explains the answers just as well; the evidence of the cause says so too.
    """

    general: Cause
    of: dict[str, Cause] = field(default_factory=dict)
    alternatives: tuple[Alternative, ...] = ()

    def cause(self, quantity: str | None) -> Cause:
        """Return the cause of a fail that is filed under a quantity."""
        return self.of.get(quantity or "", self.general)


def diagnose(evidence: Evidence, *, library: str, version: str | None) -> Diagnosis | None:
    """Return the proven causes of what is wrong, or the finding that there is no explanation.

    Args:
        evidence: The library's answers beside the truth.
        library: Its name, for public reports of the same fault.
        version: Its version, for the same.

    Returns:
        None where every answer is inside its bound, so that there is nothing to explain.
    """
    if not evidence.failing:
        return None
    tally = Tally()
    proof = single(evidence, tally) or pair(evidence, tally)
    if proof is None:
        return Diagnosis(general=_unexplained(evidence, tally))
    causes = [_cause(evidence, candidate, proof, library, version) for candidate in proof.candidates]
    if len(causes) == 1:
        return Diagnosis(general=causes[0], alternatives=_alternatives(proof))
    both = _joined(causes)
    of: dict[str, Cause] = {}
    for candidate, cause in zip(proof.candidates, causes, strict=True):
        for quantity in explained_alone(evidence, candidate):
            of.setdefault(quantity, cause)
    return Diagnosis(general=both, of=of)


def _cause(evidence: Evidence, candidate: Candidate, proof: Proof, library: str, version: str | None) -> Cause:
    text, advice = CAUSES[candidate.cause]
    together = (
        ""
        if len(proof.candidates) == 1
        else " together with " + " and ".join(other.cause for other in proof.candidates if other is not candidate)
    )
    wrong = len(evidence.wrong)
    noun = "quantity that is" if wrong == 1 else "quantities that are"
    proven = (
        f"proven{together}: the truth changed like this reproduces all {len(evidence.samples)} answers at "
        f"{proof.states} states, the {wrong} {noun} wrong included; largest error / bound {proof.before:.2g} before, "
        f"{proof.after:.2g} after"
    )
    others = [one.cause if one.element is None else f"{one.cause} at {one.element}" for one in _alternatives(proof)]
    twins = (f"no answer tells it from: {', '.join(others)}",) if others else ()
    return Cause(
        name=candidate.cause,
        text=text,
        evidence=(proven, *candidate.evidence, *twins),
        element=candidate.element,
        where=locate(evidence.scene.robot, candidate.cause, candidate.element),
        advice=advice,
        link=upstream(library, candidate.cause, version),
    )


def _alternatives(proof: Proof) -> tuple[Alternative, ...]:
    """Return what explains the answers as well as a single cause does, each once."""
    if len(proof.candidates) > 1:
        return ()
    (found,) = proof.candidates
    same = [Alternative(cause=found.cause, element=link) for link in found.elsewhere]
    others = [
        Alternative(cause=one.cause, element=element) for one in proof.also for element in (one.element, *one.elsewhere)
    ]
    return tuple(dict.fromkeys([*same, *others]))


def _joined(causes: list[Cause]) -> Cause:
    """Return one cause for what only several together explain."""
    elements = [cause.element for cause in causes if cause.element is not None]
    return Cause(
        name=" + ".join(dict.fromkeys(cause.name for cause in causes)),
        text="; ".join(dict.fromkeys(cause.text for cause in causes)),
        evidence=tuple(dict.fromkeys(line for cause in causes for line in cause.evidence)),
        element=" and ".join(dict.fromkeys(elements)) or None,
        where=next((cause.where for cause in causes if cause.where is not None), None),
        advice=" ".join(dict.fromkeys(cause.advice for cause in causes if cause.advice)),
        link=next((cause.link for cause in causes if cause.link is not None), None),
    )


def _unexplained(evidence: Evidence, tally: Tally) -> Cause:
    text, advice = CAUSES[UNEXPLAINED]
    right = sorted({sample.quantity for sample in evidence.samples} - evidence.wrong)
    names = list(tally.ruled_out)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return Cause(
        name=UNEXPLAINED,
        text=text,
        evidence=(
            f"wrong: {', '.join(sorted(evidence.wrong))}; largest error / bound {before(evidence):.2g}",
            f"right: {', '.join(right) or 'nothing'}",
            f"ruled out, {tally.tried} candidates: {', '.join(names[:_SHOWN])}{more}",
        ),
        advice=advice,
    )
