"""Hypotheses about armature: left out, counted twice, added unasked, or missing in one quantity alone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.diagnosis.candidate import (
    INERTIAL,
    MECHANISM,
    WEIGHT,
    Candidate,
    answers_change,
    mechanism_changes,
)
from robodyn_check.diagnosis.neat import neat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.faults.fault import FloatArray, Scene
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request

_TOUCHES = INERTIAL - (WEIGHT - {"inverse_dynamics", "forward_dynamics", "bias_force"})


def in_one_quantity(evidence: Evidence) -> Iterable[Candidate]:
    """Armature is missing in M alone, or in the kinetic energy alone."""
    armature = np.asarray(evidence.scene.mechanism.armature, dtype=float)
    if not armature.any():
        return
    told = (_listed(evidence.scene.mechanism, armature),)
    yield Candidate(
        cause="armature-not-in-mass-matrix",
        touches=frozenset({"mass_matrix"}),
        apply=answers_change({"mass_matrix": lambda _, values: values - np.diag(armature)}),
        evidence=told,
    )

    def less(request: Request, values: FloatArray) -> FloatArray:
        assert request.v is not None, "a kinetic energy is asked with a velocity"
        rotors: FloatArray = (request.v**2) @ armature
        return values - rotors / 2

    yield Candidate(
        cause="armature-not-in-energy",
        touches=frozenset({"kinetic_energy"}),
        apply=answers_change({"kinetic_energy": less}),
        evidence=told,
    )


def everywhere(evidence: Evidence) -> Iterable[Candidate]:
    """Another armature is held; where M is offered, its diagonal shows which."""
    mechanism = evidence.scene.mechanism
    armature = np.asarray(mechanism.armature, dtype=float)
    if armature.any():
        yield _candidate("armature-dropped", 0 * armature, _listed(mechanism, armature))
        yield _candidate("armature-doubled", 2 * armature, _listed(mechanism, armature))
    added = _added(evidence)
    if added is None or not added.any():
        return
    told = f"the diagonal of M is off by the same at every state: {_listed(mechanism, added)}"
    extended = _reflected(evidence.scene)
    if extended.any() and np.allclose(added, extended, rtol=1e-9, atol=0):
        geared = [joint.name for joint in mechanism.joints if extended[joint.v].any()]
        yield _candidate(
            "reflected-rotor-inertia",
            armature + extended,
            f"{told}: gear ratio² × rotor inertia",
            element=geared[0] if len(geared) == 1 else None,
        )
    nonzero = added[added != 0]
    if len(nonzero) == len(added) > 1 and np.ptp(nonzero) <= 1e-9 * np.abs(nonzero).max():
        yield _candidate("armature-injected", armature + nonzero.mean(), told)
        return


def otherwise(evidence: Evidence) -> Iterable[Candidate]:
    """Some joints have another armature than the file says."""
    mechanism = evidence.scene.mechanism
    added = _added(evidence)
    if added is None or not added.any():
        return
    single = [joint.name for joint in mechanism.joints if added[joint.v].any()]
    yield _candidate(
        "armature-differs",
        np.asarray(mechanism.armature, dtype=float) + added,
        f"the diagonal of M is off by the same at every state: {_listed(mechanism, added)}",
        element=single[0] if len(single) == 1 else None,
    )
    if len(added) == 1:
        yield _candidate("armature-injected", np.asarray(mechanism.armature, dtype=float) + added, "on the only joint")


def _added(evidence: Evidence) -> FloatArray | None:
    """Return what the diagonal of M has too much, (nv,), where that is the same at every state."""
    sample = evidence.sample("mass_matrix")
    if sample is None or "mass_matrix" not in evidence.wrong or not np.isfinite(sample.got).all():
        return None
    limit = np.diagonal(evidence.limit("mass_matrix", sample.batch), axis1=1, axis2=2)
    off = np.diagonal(sample.got - sample.true, axis1=1, axis2=2)
    mean = np.median(off, axis=0)
    if (np.abs(off - mean) > 2 * limit).any():
        return None
    size = float(np.abs(mean).max(initial=0.0))
    kept = [
        neat(float(one), size) if abs(one) > least else 0.0 for one, least in zip(mean, limit.max(axis=0), strict=True)
    ]
    return np.array(kept)


def _reflected(scene: Scene) -> FloatArray:
    """Return what Drake's extension tags add, gear ratio² × rotor inertia, (nv,)."""
    rotors, ratios = (_tagged(scene, tag) for tag in ("drake:rotor_inertia", "drake:gear_ratio"))
    added = np.zeros(scene.mechanism.nv)
    for joint in scene.mechanism.joints:
        added[joint.v] = rotors.get(joint.name, 0.0) * ratios.get(joint.name, 1.0) ** 2
    return added


def _tagged(scene: Scene, tag: str) -> dict[str, float]:
    """Return the value of an extension tag by the joint that owns it."""
    found = {}
    for element in scene.robot.extensions:
        match = re.search(rf"<{tag}\s+value\s*=\s*[\"']\s*([-+.0-9eE]+)", element.text)
        if element.owner is not None and match is not None:
            found[element.owner] = float(match.group(1))
    return found


def _candidate(cause: str, armature: FloatArray, told: str, *, element: str | None = None) -> Candidate:
    return Candidate(
        cause=cause,
        touches=_TOUCHES | {"coriolis_matrix", "coriolis_force", "bias_force"},
        apply=mechanism_changes(lambda mechanism: replace(mechanism, armature=armature)),
        level=MECHANISM,
        element=element,
        evidence=(told,),
    )


def _listed(mechanism: Mechanism, values: FloatArray) -> str:
    named = [f"{name} {value:.6g}" for name, value in zip(mechanism.dof_names, values, strict=True) if value]
    more = f" and {len(named) - 4} more" if len(named) > 4 else ""
    return f"{', '.join(named[:4])}{more} (kg m² or kg)"


HYPOTHESES = (in_one_quantity, everywhere)
#: What comes after every hypothesis about inertias, which may look like this.
LAST = (otherwise,)
