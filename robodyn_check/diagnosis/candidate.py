"""A candidate explanation: one change of the truth, with all its parameters fixed, that can be held against answers.

Changes compose. Those of the mechanism come first, then those of questions and answers, which wrap whatever answers
below them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from robodyn_check.faults.fault import Scene, asked_otherwise, reference_answerer, tampered
from robodyn_check.quantities import QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.faults.fault import Answerer, Tamper
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request

EVERYTHING = frozenset(QUANTITIES)
#: What kinematics alone decides.
KINEMATIC = frozenset({"link_poses", "link_jacobians", "joint_torque_regressor"})
#: What masses and inertias enter.
INERTIAL = EVERYTHING - KINEMATIC
#: What gravity enters.
WEIGHT = frozenset({"gravity_vector", "bias_force", "inverse_dynamics", "forward_dynamics", "potential_energy"})
MECHANISM, ANSWER = range(2)

Change = Callable[[Scene], Scene | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """One change with its name.

    ``touches``: quantities that it can change at most (Y is touched by gravity as well). ``element``: the link or joint
    that it sits on; None: all of the robot. ``elsewhere``: other links on which the same cause would show in the same
    answers. ``evidence``: the parameters that were found, in words. ``widen``: how much larger than the truth's its
    terms are. ``level``: `MECHANISM` or `ANSWER`.
    """

    cause: str
    touches: frozenset[str]
    apply: Change
    level: int = ANSWER
    element: str | None = None
    elsewhere: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    widen: float = 1.0


#: From the evidence to the candidates of one family, the simplest first.
Hypothesis = Callable[["Evidence"], Iterable[Candidate]]


def answers_change(tampers: Mapping[str, Tamper]) -> Change:
    """Return the change of some quantities' answers."""
    return lambda scene: replace(scene, answer=tampered(scene.answer, tampers))


def question_changes(change: Callable[[Request], Request]) -> Change:
    """Return the change of what is heard."""
    return lambda scene: replace(scene, answer=asked_otherwise(scene.answer, change))


def subject_changes(wrap: Callable[[Scene], Answerer | None]) -> Change:
    """Return the change that a function of the scene makes of its subject; None where it does not apply."""

    def apply(scene: Scene) -> Scene | None:
        answer = wrap(scene)
        return None if answer is None else replace(scene, answer=answer)

    return apply


def mechanism_changes(change: Callable[[Mechanism], Mechanism]) -> Change:
    """Return the change of the mechanism in numbers."""

    def apply(scene: Scene) -> Scene:
        mechanism = change(scene.mechanism)
        return replace(scene, mechanism=mechanism, answer=reference_answerer(mechanism))

    return apply
