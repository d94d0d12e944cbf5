"""Every hypothesis, in the order in which they are preferred: what is simpler, or seen more often, comes first."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from robodyn_check.diagnosis import (
    held,
    identify,
    in_answers,
    in_armature,
    in_coordinates,
    in_friction,
    in_gravity,
    in_inertials,
    in_kinematics,
    in_motion,
    in_springs,
    in_velocity,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.candidate import Candidate, Hypothesis
    from robodyn_check.diagnosis.evidence import Evidence


def numbers(evidence: Evidence) -> Iterable[Candidate]:
    """Other numbers than the file's, of rotors or of links: one family, since both may show in the same answers."""
    return chain.from_iterable(hypothesis(evidence) for hypothesis in (*in_armature.LAST, *identify.HYPOTHESES))


HYPOTHESES: tuple[Hypothesis, ...] = (
    *held.FIRST,
    *in_answers.HYPOTHESES,
    *in_gravity.HYPOTHESES,
    *in_armature.HYPOTHESES,
    *in_velocity.HYPOTHESES,
    *in_springs.HYPOTHESES,
    *in_motion.HYPOTHESES,
    *in_inertials.HYPOTHESES,
    *in_kinematics.HYPOTHESES,
    *in_coordinates.HYPOTHESES,
    *held.LAST,
    numbers,
    *in_friction.HYPOTHESES,  # it leaves most open, so everything else comes first
)
