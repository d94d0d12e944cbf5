"""Hypotheses about velocity-product terms: a share of them, another factorisation, friction and damping mixed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.forces import times
from robodyn_check.diagnosis.candidate import Candidate, answers_change, subject_changes
from robodyn_check.diagnosis.limits import beyond_limits
from robodyn_check.diagnosis.neat import neat
from robodyn_check.faults.fault import tampered, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence, Sample
    from robodyn_check.faults.fault import Answerer, FloatArray, Scene, Tamper
    from robodyn_check.requests import Request

_FORCES = frozenset({"coriolis_matrix", "coriolis_force", "bias_force", "inverse_dynamics", "forward_dynamics"})
_PASSIVE = frozenset({"bias_force", "inverse_dynamics", "forward_dynamics"})
_SHARES = {0.0: "velocity-product-lost", 0.5: "velocity-product-halved", 2.0: "velocity-product-doubled"}


def share(evidence: Evidence) -> Iterable[Candidate]:
    """A share of C v is there instead of all of it, in every quantity that holds it."""
    for name in ("coriolis_force", "bias_force", "inverse_dynamics", "coriolis_matrix", "forward_dynamics"):
        sample = evidence.sample(name)
        if sample is not None and sample in evidence.failing:
            break
    else:
        return
    force = values_of(evidence.scene.answer, sample.request, quantity="coriolis_force")
    lost = _lost(evidence, sample)
    kept = 1 - float((lost * force).sum() / max(float((force * force).sum()), np.finfo(float).tiny))
    kept = neat(kept, 1.0)
    yield Candidate(
        cause=_SHARES.get(kept, "velocity-product-scaled"),
        touches=_FORCES,
        apply=subject_changes(lambda scene: _sharing(scene, kept)),
        evidence=(f"the answers hold {kept:.6g} times the velocity-product force",),
    )


def _lost(evidence: Evidence, sample: Sample) -> FloatArray:
    """Return the force that is missing, (N, nv)."""
    off = sample.true - sample.got
    off = np.where(np.isfinite(off), off, 0.0)
    if sample.quantity == "coriolis_matrix":
        assert sample.request.v is not None, "C is asked with a velocity"
        return times(off, sample.request.v)
    if sample.quantity == "forward_dynamics":
        mass = values_of(evidence.scene.answer, sample.request, quantity="mass_matrix")
        return -times(mass, off)
    return off


def _sharing(scene: Scene, kept: float) -> Answerer:
    def force(request: Request) -> FloatArray:
        return (1 - kept) * values_of(scene.answer, request, quantity="coriolis_force")

    return tampered(
        scene.answer,
        {
            "coriolis_matrix": lambda _, values: kept * values,
            "coriolis_force": lambda _, values: kept * values,
            "bias_force": lambda request, values: values - force(request),
            "inverse_dynamics": lambda request, values: values - force(request),
            "forward_dynamics": lambda request, values: values + solved(scene, request, force(request)),
        },
    )


def solved(scene: Scene, request: Request, force: FloatArray) -> FloatArray:
    """Return M⁻¹ f; a singular M must not end a diagnosis."""
    mass = values_of(scene.answer, request, quantity="mass_matrix")
    inverse = np.asarray(np.linalg.pinv(mass, hermitian=True), dtype=np.float64)
    return times(inverse, force)


def factorisation(evidence: Evidence) -> Iterable[Candidate]:
    """C differs while everything else is right: transposed, damping inside, or another factorisation.

    The difference N to Christoffel's matrix tells which: N v = 0 where it is a factorisation at all, and then N is skew
    or not. The matrix itself is the parameter of the change.
    """
    sample = evidence.sample("coriolis_matrix")
    if sample is None or evidence.wrong - {"coriolis_matrix", "coriolis_force"}:
        return
    touches = frozenset({"coriolis_matrix"})
    yield Candidate(
        cause="coriolis-transposed",
        touches=touches,
        apply=answers_change({"coriolis_matrix": lambda _, values: values.transpose(0, 2, 1)}),
    )
    v = sample.request.v
    assert v is not None, "C is asked with a velocity"
    off = sample.got - sample.true
    if not np.isfinite(off).all():
        return
    middle = np.median(np.diagonal(off, axis1=1, axis2=2), axis=0)
    damping = np.array([neat(float(one), float(np.abs(middle).max(initial=0.0))) for one in middle])
    if np.abs(off - np.diag(damping)).max() <= evidence.limit("coriolis_matrix", sample.batch).max():
        yield Candidate(
            cause="damping-in-coriolis-matrix",
            touches=touches | {"coriolis_force"},
            apply=answers_change(
                {
                    "coriolis_matrix": lambda _, values: values + np.diag(damping),
                    "coriolis_force": lambda request, values: values + request.v * damping,
                }
            ),
            evidence=(_coefficients(evidence.scene, "the diagonal of C holds", damping, "N m s/rad"),),
        )
    rounding = 64 * np.finfo(float).eps * times(np.abs(off), np.abs(v))
    if (np.abs(times(off, v)) > evidence.limit("coriolis_force", sample.batch) + rounding).any():
        return
    size = evidence.limit("coriolis_matrix", sample.batch) + 4 * np.finfo(float).eps * np.abs(off)
    skew = bool((np.abs(off + off.transpose(0, 2, 1)) <= 2 * (size + size.transpose(0, 2, 1))).all())
    yield Candidate(
        cause="coriolis-not-christoffel" if skew else "coriolis-not-skew",
        touches=touches,
        apply=answers_change({"coriolis_matrix": lambda request, _: sample.got[: len(request)]}),
        evidence=(
            "C v is right at every state, so it is a factorisation of the same force",
            f"its difference to Christoffel's matrix is {'skew' if skew else 'not skew'}",
        ),
    )


def passive(evidence: Evidence) -> Iterable[Candidate]:
    """Damping and dry friction are counted in forces that the smooth rigid-body part must not hold.

    They are measured at states inside the joint limits, whose forces may be counted beside them.
    """
    wrong = evidence.wrong
    if not wrong or not wrong <= _PASSIVE:
        return
    sample = evidence.failing[0]
    force = -_lost(evidence, sample)
    v = sample.request.v
    assert v is not None, "these quantities are asked with a velocity"
    if sample.quantity == "forward_dynamics":
        mass = values_of(evidence.scene.answer, sample.request, quantity="mass_matrix")
        force = times(mass, sample.true - sample.got)
    free = ~beyond_limits(evidence.scene.mechanism, sample.request)
    if not free.any():
        free = ~free
    pairs = [_line(v[free, k], force[free, k]) for k in range(v.shape[1])]
    damping, friction = np.array([one[0] for one in pairs]), np.array([one[1] for one in pairs])
    told = tuple(
        _coefficients(evidence.scene, text, values, unit)
        for text, values, unit in (("damping", damping, "N m s/rad"), ("dry friction", friction, "N m"))
        if values.any()
    )

    def resisting(request: Request) -> FloatArray:
        assert request.v is not None, "these quantities are asked with a velocity"
        force: FloatArray = damping * request.v + friction * np.sign(request.v)
        return force

    def wrap(scene: Scene) -> Answerer:
        tampers: dict[str, Tamper] = {
            "bias_force": lambda request, values: values + resisting(request),
            "inverse_dynamics": lambda request, values: values + resisting(request),
            "forward_dynamics": lambda request, values: values - solved(scene, request, resisting(request)),
        }
        return tampered(scene.answer, {name: tamper for name, tamper in tampers.items() if name in wrong})

    yield Candidate(
        cause="passive-forces-in-forward-dynamics"
        if wrong == {"forward_dynamics"}
        else "passive-forces-in-inverse-dynamics",
        touches=_PASSIVE,
        apply=subject_changes(wrap),
        evidence=told,
    )


def _line(speed: FloatArray, force: FloatArray) -> tuple[float, float]:
    """Fit force = d v + f sign(v); coefficients that are rounding are zero."""
    columns = np.stack([speed, np.sign(speed)], axis=1)
    found = np.linalg.lstsq(columns, force, rcond=1e-10)[0]
    size = float(np.abs(found).max(initial=0.0))
    damping, friction = (neat(float(one), size) for one in found)
    return damping, friction


def _coefficients(scene: Scene, text: str, values: FloatArray, unit: str) -> str:
    names = scene.mechanism.dof_names
    if np.ptp(values) <= 1e-9 * np.abs(values).max():
        return f"{text} {values.mean():.6g} {unit} on every joint"
    shown = ", ".join(f"{name} {value:.6g}" for name, value in list(zip(names, values, strict=True))[:4])
    return f"{text} {shown} {unit}"


HYPOTHESES = (factorisation, share, passive)
