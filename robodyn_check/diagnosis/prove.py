"""Holding candidates against the evidence: tried on a few states, then proven on all of them.

Proven means: the transformed truth reproduces every answer of the library, wrong ones and right ones, inside the bound
that two right answers must keep to each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from robodyn_check.diagnosis.evidence import COARSE, FIRST, predicted
from robodyn_check.diagnosis.library import HYPOTHESES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from robodyn_check.diagnosis.candidate import Candidate
    from robodyn_check.diagnosis.evidence import Evidence, Sample
    from robodyn_check.faults.fault import Scene


#: What is left must be this much smaller than what there was: near the bound, rounding alone fits many causes.
CLEARER = 10.0
#: Robots of at most this many coordinates tell little of where a wrong inertia sits.
_FEW_DOFS = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proof:
    """What was proven: candidates that together reproduce everything, and the worst error / bound before and after.

    ``also``: other single candidates that reproduce it just as well. ``tried``: how many were held against it.
    """

    candidates: tuple[Candidate, ...]
    before: float
    after: float
    states: int
    also: tuple[Candidate, ...] = ()
    tried: int = 0


@dataclass(slots=True, kw_only=True, eq=False)
class Tally:
    """What was tried on the way; ``ruled_out`` in the order of trial, each name once."""

    tried: int = 0
    ruled_out: dict[str, None] = field(default_factory=dict)


def single(evidence: Evidence, tally: Tally) -> Proof | None:
    """Return the first single cause that is proven, with others that no answer tells from it."""
    for number, hypothesis in enumerate(HYPOTHESES):
        family = iter(hypothesis(evidence))
        for candidate in family:
            tally.tried += 1
            after = _proven(evidence, candidate)
            if after is None:
                tally.ruled_out[candidate.cause] = None
                continue
            later = HYPOTHESES[number + 1 :] if _tells_little(evidence) else ()
            rest = chain(family, chain.from_iterable(one(evidence) for one in later))
            return Proof(
                candidates=(candidate,),
                before=before(evidence),
                after=after,
                states=states(evidence),
                also=tuple(one for one in rest if _is_other(one, candidate) and _proven(evidence, one) is not None),
                tried=tally.tried,
            )
    return None


def _tells_little(evidence: Evidence) -> bool:
    """Tell whether causes of other families may show in the same answers: few coordinates, or one wrong answer.

    Elsewhere only the candidates of one family are that much alike, and trying all would cost as much as finding none.
    """
    return evidence.scene.mechanism.nv <= _FEW_DOFS or len(evidence.failing) == 1


def _is_other(one: Candidate, found: Candidate) -> bool:
    """Tell whether a candidate says something else than the one that was found."""
    return (one.cause, one.element) != (found.cause, found.element)


def _proven(evidence: Evidence, candidate: Candidate) -> float | None:
    """Return the largest error / bound that is left under a candidate; None where it is ruled out."""
    if not evidence.wrong <= candidate.touches or not fits_first(evidence, candidate):
        return None
    after = excess_of(evidence, (candidate,))
    return after if after <= 1 and after * CLEARER <= before(evidence) else None


def candidates(evidence: Evidence) -> Iterator[Candidate]:
    """Yield every candidate of every hypothesis."""
    for hypothesis in HYPOTHESES:
        yield from hypothesis(evidence)


def fits_first(evidence: Evidence, candidate: Candidate, sample: Sample | None = None) -> bool:
    """Tell whether a candidate comes near the answers at the first states of one failing request."""
    scene = candidate.apply(evidence.scene)
    if scene is None:
        return False
    tried = evidence.trial if sample is None else sample.first(FIRST)
    assert tried is not None, "only evidence of something wrong is diagnosed"
    return _excess(evidence, evidence.scene, scene, tried, widen=candidate.widen, rough=True) <= COARSE


def excess_of(evidence: Evidence, chosen: Iterable[Candidate], samples: Iterable[Sample] | None = None) -> float:
    """Return the largest error / bound that is left under some candidates, over all states and quantities."""
    scene, widen = evidence.scene, 1.0
    for candidate in sorted(chosen, key=lambda one: one.level):
        changed = candidate.apply(scene)
        if changed is None:
            return float("inf")
        scene, widen = changed, widen * candidate.widen
    worst = 0.0
    for sample in samples or (*evidence.failing, *evidence.samples):
        worst = max(worst, _excess(evidence, scene, scene, sample, widen=widen))
        if worst > 1:
            break
    return worst


def _excess(
    evidence: Evidence, sized: Scene, scene: Scene, sample: Sample, *, widen: float, rough: bool = False
) -> float:
    values = predicted(scene, sample.request)
    if values.shape != sample.got.shape:
        return float("inf")
    size = evidence.scales_of(sized.mechanism, sample.batch)
    return evidence.excess(sample, values, size, rough=rough) / widen


def before(evidence: Evidence) -> float:
    """Return the largest error / bound of the truth itself."""
    scene = evidence.scene
    return max(
        evidence.excess(one, one.true, evidence.scales_of(scene.mechanism, one.batch)) for one in evidence.failing
    )


def states(evidence: Evidence) -> int:
    """Return the number of states that are reproduced."""
    return max(len(sample.request) for sample in evidence.samples)
