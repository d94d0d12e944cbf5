"""The hypothesis of dry friction that holds with whatever force it takes, up to what the file states.

    tau = M a + h + D v + f,    |f_j| ≤ the file's friction of joint j

How f changes with the speed is the library's affair (a sign, a smoothed sign, a constraint), so its own answers give f;
what is proven is that nothing beyond the file's numbers is needed at any state. D is the file's damping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.forces import times
from robodyn_check.diagnosis.candidate import Candidate, subject_changes
from robodyn_check.diagnosis.in_springs import stated_resistance
from robodyn_check.diagnosis.in_velocity import solved
from robodyn_check.diagnosis.own_answers import own_answer
from robodyn_check.faults.fault import Scene, tampered, values_of
from robodyn_check.model.quote import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.faults.fault import Answerer, FloatArray, Tamper
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request

_TOUCHED = frozenset({"inverse_dynamics", "forward_dynamics"})


def holding(evidence: Evidence) -> Iterable[Candidate]:
    """Dry friction and damping act, the friction up to what the file states."""
    wrong, robot, mechanism = evidence.wrong, evidence.scene.robot, evidence.scene.mechanism
    friction = stated_resistance(robot, mechanism, "friction")
    if not wrong or not wrong <= _TOUCHED or not friction.any():
        return
    damping = stated_resistance(robot, mechanism, "damping")
    own = {sample.quantity: sample for sample in evidence.failing}

    def held(request: Request, total: FloatArray) -> FloatArray:
        """Return the passive force nearest to the one that is needed, (N, nv)."""
        assert request.v is not None, "these quantities are asked with a velocity"
        viscous = damping * request.v
        return np.asarray(viscous + np.clip(total - viscous, -friction, friction), dtype=np.float64)

    def resisted(request: Request, values: FloatArray) -> FloatArray:
        said = own_answer(own[request.quantity], request)
        return values if said is None else values + held(request, said - values)

    def wrap(scene: Scene) -> Answerer:
        def slowed(request: Request, values: FloatArray) -> FloatArray:
            said = own_answer(own[request.quantity], request)
            if said is None:
                return values
            mass = values_of(scene.answer, request, quantity="mass_matrix")
            return values - solved(scene, request, held(request, times(mass, values - said)))

        tampers: dict[str, Tamper] = {"inverse_dynamics": resisted, "forward_dynamics": slowed}
        return tampered(scene.answer, {name: tamper for name, tamper in tampers.items() if name in own})

    yield Candidate(
        cause="passive-forces-in-inverse-dynamics"
        if "inverse_dynamics" in wrong
        else "passive-forces-in-forward-dynamics",
        touches=_TOUCHED,
        apply=subject_changes(wrap),
        evidence=(
            "damping acts as the file states it, and what is left stays within the dry friction that it states: "
            + _listed(mechanism, friction),
        ),
    )


def _listed(mechanism: Mechanism, friction: FloatArray) -> str:
    told = [f"{name} {value:g}" for name, value in zip(mechanism.dof_names, friction.tolist(), strict=True) if value]
    return shortened(told, shown=4)


HYPOTHESES = (holding,)
