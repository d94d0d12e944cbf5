"""Every hypothesis, in the order in which they are preferred: what is simpler, or seen more often, comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.diagnosis import (
    held,
    identify,
    in_answers,
    in_armature,
    in_coordinates,
    in_gravity,
    in_inertials,
    in_kinematics,
    in_motion,
    in_velocity,
)

if TYPE_CHECKING:
    from robodyn_check.diagnosis.candidate import Hypothesis

HYPOTHESES: tuple[Hypothesis, ...] = (
    *held.FIRST,
    *in_answers.HYPOTHESES,
    *in_gravity.HYPOTHESES,
    *in_armature.HYPOTHESES,
    *in_velocity.HYPOTHESES,
    *in_motion.HYPOTHESES,
    *in_inertials.HYPOTHESES,
    *in_kinematics.HYPOTHESES,
    *in_coordinates.HYPOTHESES,
    *held.LAST,
    *in_armature.LAST,
    *identify.HYPOTHESES,
)
