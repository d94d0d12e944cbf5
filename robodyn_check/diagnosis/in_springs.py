"""The hypothesis that what an MJCF states beside the rigid-body part acts: springs, weight that is held up, damping.

    tau = M a + h + D v + K (q - q0) - Σ_b s_b g_b(q),    V = V_gravity + ½ (q - q0)ᵀ K (q - q0)

with g_b the gravity vector of body b alone and s_b its share that is held up (``gravcomp``). All numbers are those of
the file, so that nothing is fitted.

Source: MuJoCo documentation, Computation, Passive forces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.diagnosis.candidate import Candidate, subject_changes
from robodyn_check.diagnosis.in_velocity import solved
from robodyn_check.diagnosis.masses import with_links
from robodyn_check.faults.fault import Scene, reference_answerer, tampered, values_of
from robodyn_check.model.placements import MassProperties
from robodyn_check.model.quote import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.faults.fault import Answerer, FloatArray, Tamper
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.requests import Request

_TOUCHED = frozenset({"bias_force", "inverse_dynamics", "forward_dynamics", "potential_energy"})
_STIFFNESS, _REST, _HELD_UP = "joint@stiffness", "joint@springref", "body@gravcomp"


def stated(evidence: Evidence) -> Iterable[Candidate]:
    """Springs and weight that is held up act as the file states them, with its damping or without."""
    wrong, robot = evidence.wrong, evidence.scene.robot
    named = {element.tag for element in robot.outside}
    if not wrong or not wrong <= _TOUCHED or not named & {_STIFFNESS, _HELD_UP}:
        return
    mechanism = evidence.scene.mechanism
    # springref is in the file's unit of angles, which the answers tell
    for unit in (1.0, np.pi / 180) if _REST in named else (1.0,):
        yield _acting(evidence, _by_joint(robot, mechanism, _REST) * unit)


def _acting(evidence: Evidence, rest: FloatArray) -> Candidate:
    """Return the candidate with springs that rest at these coordinates, (nv,)."""
    wrong, robot, mechanism = evidence.wrong, evidence.scene.robot, evidence.scene.mechanism
    stiffness, damping = _by_joint(robot, mechanism, _STIFFNESS), stated_resistance(robot, mechanism, "damping")
    shares = {element.owner: _number(element.text) for element in robot.outside if element.tag == _HELD_UP}
    lighter = _lighter(mechanism, {owner: share for owner, share in shares.items() if owner in mechanism.links})

    def force(scene: Scene, request: Request) -> FloatArray:
        pushing: FloatArray = stiffness * (_single(mechanism, request.q) - rest)
        if request.v is not None:
            pushing = pushing + damping * request.v
        if lighter is not None:
            weight = values_of(scene.answer, request, quantity="gravity_vector")
            pushing = pushing + values_of(reference_answerer(lighter), request, quantity="gravity_vector") - weight
        return pushing

    def wrap(scene: Scene) -> Answerer:
        tampers: dict[str, Tamper] = {
            "bias_force": lambda request, values: values + force(scene, request),
            "inverse_dynamics": lambda request, values: values + force(scene, request),
            "forward_dynamics": lambda request, values: values - solved(scene, request, force(scene, request)),
            "potential_energy": lambda request, values: values + _stored(mechanism, request, stiffness, rest),
        }
        return tampered(scene.answer, {name: tamper for name, tamper in tampers.items() if name in wrong})

    return Candidate(
        cause="passive-forces-in-inverse-dynamics"
        if "inverse_dynamics" in wrong
        else "passive-forces-in-forward-dynamics",
        touches=_TOUCHED,
        apply=subject_changes(wrap),
        evidence=(f"what the file states beside the rigid-body part acts: {_listed(robot)}",),
    )


def _number(text: str) -> float:
    """Return the first number of an attribute, 0 where it is none."""
    try:
        return float(text.split(maxsplit=1)[0])
    except (ValueError, IndexError):
        return 0.0


def _by_joint(robot: RobotModel, mechanism: Mechanism, tag: str) -> FloatArray:
    """Return an attribute of joints with one coordinate, (nv,); 0 for all others."""
    values = {element.owner: _number(element.text) for element in robot.outside if element.tag == tag}
    found = np.zeros(mechanism.nv)
    for joint in mechanism.joints:
        if joint.v.stop - joint.v.start == 1:
            found[joint.v] = values.get(joint.name, 0.0)
    return found


def stated_resistance(robot: RobotModel, mechanism: Mechanism, kind: Literal["damping", "friction"]) -> FloatArray:
    """Return the file's damping, or its dry friction, of every coordinate, (nv,)."""
    stated = {joint.name: getattr(joint, kind) for joint in robot.joints}
    values = {name: value.value for name, value in stated.items() if value is not None}
    found = np.zeros(mechanism.nv)
    for joint in mechanism.joints:
        found[joint.v] = values.get(joint.name, 0.0)
    return found


def _single(mechanism: Mechanism, q: FloatArray) -> FloatArray:
    """Return the coordinate of joints that have one, (N, nv); 0 for all others."""
    found = np.zeros((len(q), mechanism.nv))
    for joint in mechanism.joints:
        if joint.v.stop - joint.v.start == 1:
            found[:, joint.v] = q[:, joint.q]
    return found


def _stored(mechanism: Mechanism, request: Request, stiffness: FloatArray, rest: FloatArray) -> FloatArray:
    """Return the energy of the springs, (N,)."""
    stored: FloatArray = 0.5 * (stiffness * (_single(mechanism, request.q) - rest) ** 2).sum(axis=1)
    return stored


def _lighter(mechanism: Mechanism, shares: dict[str, float]) -> Mechanism | None:
    """Return the mechanism without the weight that is held up; None where none is."""
    if not any(shares.values()):
        return None
    changed = {}
    for name, share in shares.items():
        link = mechanism.links.index(name)
        changed[name] = MassProperties(
            mass=float(mechanism.link_mass[link]) * (1.0 - share),
            com=np.asarray(mechanism.link_com[:, link], dtype=float),
            inertia=np.asarray(mechanism.link_inertia[:, :, link], dtype=float),
        )
    return with_links(mechanism, changed)


def _listed(robot: RobotModel) -> str:
    """Say what is meant, with lines, as many as one can take in."""
    told = [
        f"{element.tag.partition('@')[2]} {element.text} of {element.owner!r} (line {element.line})"
        for element in robot.outside
        if element.tag in {_STIFFNESS, _REST, _HELD_UP}
    ]
    return shortened(told, shown=4)


HYPOTHESES = (stated,)
