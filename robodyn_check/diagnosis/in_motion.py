"""Hypotheses about units of mass, torques that arrive in part, and velocities that are clamped on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.forces import times
from robodyn_check.diagnosis.candidate import (
    INERTIAL,
    MECHANISM,
    Candidate,
    answers_change,
    mechanism_changes,
    question_changes,
)
from robodyn_check.diagnosis.limits import beyond_limits
from robodyn_check.diagnosis.masses import merged
from robodyn_check.diagnosis.neat import neat
from robodyn_check.diagnosis.own_answers import own_answer
from robodyn_check.faults.fault import values_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence, Sample
    from robodyn_check.faults.fault import FloatArray, Scene
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request

#: Quantities that velocity products enter.
_VELOCITY = frozenset({"coriolis_matrix", "coriolis_force", "bias_force", "inverse_dynamics", "forward_dynamics"})
#: Quantities that are proportional to mass, once rotors are taken away.
_OF_MASS = ("gravity_vector", "mass_matrix")
#: Ratios of masses that are a matter of units.
_UNITS = (1e3, 1e-3, 1e6, 1e-6, 0.45359237, 1 / 0.45359237)
#: Points of one zoom into a bracket, and zooms: (points / 2)^zooms is beyond a double's digits.
_POINTS, _ZOOMS = 48, 12


def mass_unit(evidence: Evidence) -> Iterable[Candidate]:
    """All masses and inertias are larger or smaller by one factor."""
    mechanism = evidence.scene.mechanism
    sample = next((one for name in _OF_MASS if (one := evidence.sample(name)) in evidence.failing), None)
    if sample is None or not np.isfinite(sample.got).all():
        return
    rotors = np.diag(np.asarray(mechanism.armature, dtype=float)) if sample.quantity == "mass_matrix" else 0.0
    got, true = sample.got - rotors, sample.true - rotors
    square = float((true * true).sum())
    ratio = neat(float((got * true).sum()) / square, 1e-6) if square else 1.0
    if ratio == 0.0 and np.count_nonzero(mechanism.link_mass) == 1:
        return  # the only link with mass has lost it, which says more
    cause = "mass-unit" if any(abs(ratio / unit - 1) < 1e-9 for unit in _UNITS) else "mass-scaled"

    def scaled(held: Mechanism) -> Mechanism:
        return merged(replace(held, link_mass=ratio * held.link_mass, link_inertia=ratio * held.link_inertia))

    yield Candidate(
        cause=cause,
        touches=INERTIAL,
        apply=mechanism_changes(scaled),
        level=MECHANISM,
        evidence=(f"all masses and inertias are {ratio:.9g} times those of the file",),
    )


def torque_share(evidence: Evidence) -> Iterable[Candidate]:
    """A share of the given torques arrives in forward dynamics."""
    sample = evidence.sample("forward_dynamics")
    if sample is None or evidence.wrong != {"forward_dynamics"} or not np.isfinite(sample.got).all():
        return
    tau = sample.request.tau
    assert tau is not None, "forward dynamics is asked with torques"
    mass = values_of(evidence.scene.answer, sample.request, quantity="mass_matrix")
    arrived = times(mass, sample.got) + values_of(evidence.scene.answer, sample.request, quantity="bias_force")
    share = neat(float((arrived * tau).sum()) / max(float((tau * tau).sum()), np.finfo(float).tiny), 1.0)
    yield Candidate(
        cause="torque-scaled",
        touches=frozenset({"forward_dynamics"}),
        apply=question_changes(
            lambda request: (
                request
                if request.tau is None or request.quantity != "forward_dynamics"
                else replace(request, tau=share * request.tau)
            )
        ),
        evidence=(f"{share:.9g} times the given torque arrives",),
    )


def clamped_velocity(evidence: Evidence) -> Iterable[Candidate]:
    """Velocities beyond one limit are cut before the velocity products are computed."""
    wrong = evidence.wrong
    if not wrong <= _VELOCITY:
        return
    limit = _limit(evidence, evidence.failing[0])
    if limit is None:
        return

    def heard(request: Request) -> Request:
        if request.quantity not in wrong or request.v is None:
            return request
        return replace(request, v=np.clip(request.v, -limit, limit))

    yield Candidate(
        cause="velocity-clamped",
        touches=_VELOCITY,
        apply=question_changes(heard),
        evidence=(f"speeds are cut at {limit:.9g} rad/s or m/s",),
    )


def joint_limits(evidence: Evidence) -> Iterable[Candidate]:
    """Forces of joint limits act in forward or inverse dynamics: wrong outside the limits, right inside.

    How strong they are is the library's affair, so its own answers at the states outside are the parameter of the
    change; what is proven is where they act.
    """
    if not evidence.wrong <= {"forward_dynamics", "inverse_dynamics"}:
        return
    own = {sample.quantity: sample for sample in evidence.failing}
    mechanism = evidence.scene.mechanism

    def forced(request: Request, values: FloatArray) -> FloatArray:
        said = own_answer(own[request.quantity], request)
        if said is None:
            return values
        held: FloatArray = np.where(beyond_limits(mechanism, request)[:, None], said, values)
        return held

    if any(beyond_limits(mechanism, sample.request).all() for sample in evidence.failing):
        return
    yield Candidate(
        cause="joint-limits-in-dynamics",
        touches=frozenset({"forward_dynamics", "inverse_dynamics"}),
        apply=answers_change(dict.fromkeys(own, forced)),
        evidence=("wrong only at states with a joint at or beyond its limits, right at all others",),
    )


def _limit(evidence: Evidence, sample: Sample) -> float | None:
    """Return the limit that explains the state with the largest error, between speeds that are right and wrong."""
    v = sample.request.v
    assert v is not None, "these quantities are asked with a velocity"
    fastest = np.abs(v).max(axis=1)
    off = np.abs(sample.got - sample.true).reshape(len(v), -1).max(axis=1)
    size = np.abs(sample.true).reshape(len(v), -1).max(axis=1) + np.finfo(float).tiny
    wrong = np.isfinite(off) & (off > 1e-9 * size)
    if not wrong.any() or not fastest[wrong].min():
        return None
    right = fastest[~wrong & (fastest < fastest[wrong].min())].max(initial=0.0)
    row = int(np.argmax(np.where(wrong, off, 0.0)))
    low, high = float(right), float(fastest[wrong].min())
    for _ in range(_ZOOMS):
        tried = np.linspace(low, high, _POINTS)
        rest = _rest(evidence.scene, sample, row, tried)
        best, step = int(np.argmin(rest)), tried[1] - tried[0]
        low, high = max(low, float(tried[best] - step)), min(high, float(tried[best] + step))
    return neat((low + high) / 2, 1.0)


def _rest(scene: Scene, sample: Sample, row: int, limits: FloatArray) -> FloatArray:
    """Return the error that is left at one state under each limit."""
    one = sample.request
    assert one.v is not None, "these quantities are asked with a velocity"
    count = len(limits)
    asked = replace(
        one,
        q=np.repeat(one.q[row : row + 1], count, axis=0),
        v=np.clip(one.v[row], -limits[:, None], limits[:, None]),
        a=None if one.a is None else np.repeat(one.a[row : row + 1], count, axis=0),
        tau=None if one.tau is None else np.repeat(one.tau[row : row + 1], count, axis=0),
    )
    left = values_of(scene.answer, asked) - sample.got[row]
    rest: FloatArray = np.abs(left).reshape(count, -1).max(axis=1)
    return rest


HYPOTHESES = (torque_share, joint_limits, mass_unit, clamped_velocity)
