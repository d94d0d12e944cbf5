"""Two causes at once: the second is sought in what the first leaves unexplained.

First causes that explain some wrong quantity altogether come first, then changes of the whole robot. None of them may
make wrong what is right: the second cause would have to undo that. How many are followed is fixed, so that an
unexplained robot costs a bounded amount of work.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.diagnosis.candidate import ANSWER
from robodyn_check.diagnosis.evidence import predicted
from robodyn_check.diagnosis.prove import Proof, before, candidates, excess_of, fits_first, single, states

if TYPE_CHECKING:
    from robodyn_check.diagnosis.candidate import Candidate
    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.diagnosis.prove import Tally

#: How many first causes are followed.
MOST = 6
#: Right answers that a first cause must leave right before it is followed.
_LEFT_RIGHT = 2
#: Samples on which a first cause may show that it explains one.
_TRIED_ON = 4
#: What is left of an error that is explained, as a share of it.
_SETTLED = 1e-6
#: Above this many coordinates only those are followed that explain a quantity altogether.
_MOST_DOFS = 10


def pair(evidence: Evidence, tally: Tally) -> Proof | None:
    """Return the first two causes that together are proven."""
    for first in _firsts(evidence):
        scene = first.apply(evidence.scene)
        if scene is None:
            continue
        rest = evidence.under(scene)
        if not rest.failing:
            continue
        rest = replace(rest, eps=evidence.eps * first.widen)
        second = single(rest, tally)
        if second is None:
            continue
        chosen = (first, *second.candidates)
        after = excess_of(evidence, chosen)
        if after <= 1:
            return Proof(
                candidates=chosen,
                before=before(evidence),
                after=after,
                states=states(evidence),
                tried=tally.tried,
            )
    return None


def explained_alone(evidence: Evidence, candidate: Candidate) -> frozenset[str]:
    """Return the wrong quantities that one cause reproduces by itself, at all states."""
    return frozenset(
        quantity
        for quantity in evidence.wrong & candidate.touches
        if excess_of(evidence, (candidate,), [one for one in evidence.failing if one.quantity == quantity]) <= 1
    )


def _firsts(evidence: Evidence) -> list[Candidate]:
    """Return the candidates worth following, those that explain most first."""
    telling: list[tuple[int, Candidate]] = []
    general: list[Candidate] = []
    samples = evidence.failing[:_TRIED_ON]
    right = [sample for sample in evidence.samples if sample.quantity not in evidence.wrong]
    for candidate in candidates(evidence):
        kept = [sample for sample in right if sample.quantity in candidate.touches][:_LEFT_RIGHT]
        if not all(fits_first(evidence, candidate, sample) for sample in kept):
            continue
        count = sum(
            sample.quantity in candidate.touches and fits_first(evidence, candidate, sample) for sample in samples
        )
        if count:
            telling.append((count, candidate))
        elif candidate.element is None and (candidate.level < ANSWER or _settles_most(evidence, candidate)):
            general.append(candidate)
    telling.sort(key=lambda one: -one[0])
    more = general if evidence.scene.mechanism.nv <= _MOST_DOFS else []
    return ([candidate for _, candidate in telling] + more)[:MOST]


def _settles_most(evidence: Evidence, candidate: Candidate) -> bool:
    """Tell whether a change of answers explains all wrong quantities at more than half of the first states."""
    scene, trial = candidate.apply(evidence.scene), evidence.trial
    if scene is None or trial is None or not evidence.wrong <= candidate.touches:
        return False
    values = predicted(scene, trial.request)
    if values.shape != trial.got.shape:
        return False
    left, before = (np.abs(trial.got - one).reshape(len(values), -1).max(axis=1) for one in (values, trial.true))
    wrong = before > 0
    return bool(np.count_nonzero(left[wrong] <= _SETTLED * before[wrong]) * 2 > np.count_nonzero(wrong))
