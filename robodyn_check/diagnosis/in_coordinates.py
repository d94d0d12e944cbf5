"""Hypotheses about coordinates: order, sign, unit and limits of joints, quaternions, mimic joints, the base's frame."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.diagnosis.candidate import EVERYTHING, Candidate, question_changes, subject_changes
from robodyn_check.faults.fault import asked_otherwise
from robodyn_check.faults.in_coordinates import in_velocity_coordinates
from robodyn_check.faults.library import library_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.faults.fault import Answerer, FloatArray, Scene
    from robodyn_check.model.mechanism import MovingJoint
    from robodyn_check.requests import Request

_ANGLES = ("revolute", "continuous")
#: Joints of one coordinate up to which every exchange of two is tried.
_MOST_EXCHANGED = 40


def whole_robot(evidence: Evidence) -> Iterable[Candidate]:
    """All joints alike: degrees, clamped to limits; or what the planted faults themselves do to the whole robot."""
    joints = evidence.scene.mechanism.joints
    angles = [joint for joint in joints if joint.kind in _ANGLES]
    limited = [joint for joint in joints if joint.kind in {"revolute", "prismatic"}]
    if angles:
        yield _moved("joint-angle-unit", angles, lambda _, q: np.deg2rad(q), None)
    if limited:
        yield _moved("limits-clamp", limited, lambda joint, q: np.clip(q, joint.lower, joint.upper), None)
    for joint in joints:
        if joint.kind in {"ball", "floating"}:
            yield _moved("quaternion-order", [joint], _rolled, joint.name)
    for name in ("mimic-reduced", "base-velocity-frame"):
        yield from _planted(evidence, name)


def _rolled(_joint: MovingJoint, q: FloatArray) -> FloatArray:
    """Read x y z w as w x y z."""
    return np.concatenate([q[:, :-4], np.roll(q[:, -4:], -1, axis=1)], axis=1)


def _planted(evidence: Evidence, name: str) -> Iterable[Candidate]:
    """Take the change from the planted fault of that name."""
    fault = library_fault(name)
    tried = fault.plant(evidence.scene)
    if tried is not None:

        def wrap(scene: Scene) -> Answerer | None:
            planted = fault.plant(scene)
            return None if planted is None else planted.answer

        yield Candidate(cause=fault.cause, touches=EVERYTHING, apply=subject_changes(wrap), element=tried.element)


def order(evidence: Evidence) -> Iterable[Candidate]:
    """Joints of one coordinate come in another order: two exchanged, all reversed, or by name."""
    singles = [joint for joint in evidence.scene.mechanism.joints if joint.v.stop - joint.v.start == 1]
    count = len(singles)
    if count < 2:
        return
    orders = [sorted(range(count), key=lambda k: singles[k].name), list(range(count))[::-1]]
    if count <= _MOST_EXCHANGED:
        for i, j in combinations(range(count), 2):
            swapped = list(range(count))
            swapped[i], swapped[j] = j, i
            orders.append(swapped)
    for sequence in orders:
        moved = [k for k in range(count) if sequence[k] != k]
        if moved:
            yield _ordered(evidence, singles, sequence, singles[moved[0]].name)


def _ordered(evidence: Evidence, singles: list[MovingJoint], sequence: list[int], element: str) -> Candidate:
    """Joint k hears what is meant for joint sequence[k]."""
    matrix = np.eye(evidence.scene.mechanism.nv)
    v = [joint.v.start for joint in singles]
    matrix[v] = matrix[[v[k] for k in sequence]]
    q = [joint.q.start for joint in singles]

    def heard(request: Request) -> Request:
        positions = request.q.copy()
        positions[:, q] = positions[:, [q[k] for k in sequence]]
        return replace(request, q=positions)

    names = ", ".join(singles[k].name for k in sequence)
    return Candidate(
        cause="joint-order-differs",
        touches=EVERYTHING,
        apply=subject_changes(
            lambda scene: in_velocity_coordinates(asked_otherwise(scene.answer, heard), lambda _: matrix)
        ),
        element=element,
        evidence=(f"numbers are taken for the joints in the order {names}",),
    )


def sign(evidence: Evidence) -> Iterable[Candidate]:
    """One joint turns or slides the other way round."""
    for joint in evidence.scene.mechanism.joints:
        if joint.kind in {"revolute", "continuous", "prismatic"}:
            yield flipped(evidence.scene.mechanism.nv, joint)


def flipped(nv: int, joint: MovingJoint) -> Candidate:
    """Return the candidate that turns one joint the other way round."""
    flip = np.eye(nv)
    flip[joint.v, joint.v] = -1

    def negated(request: Request) -> Request:
        q = request.q.copy()
        q[:, joint.q] *= -1
        return replace(request, q=q)

    return Candidate(
        cause="joint-sign",
        touches=EVERYTHING,
        apply=subject_changes(
            lambda scene: in_velocity_coordinates(asked_otherwise(scene.answer, negated), lambda _: flip)
        ),
        element=joint.name,
    )


def offset_by(joint: MovingJoint, amount: float) -> Candidate:
    """Return the candidate that has one joint's zero elsewhere."""
    unit = "m" if joint.kind == "prismatic" else "rad"
    return _moved("joint-offset", [joint], lambda _, q: q + amount, joint.name, f"its zero is {amount:.9g} {unit} away")


def _moved(
    cause: str,
    joints: list[MovingJoint],
    change: Callable[[MovingJoint, FloatArray], FloatArray],
    element: str | None,
    *told: str,
) -> Candidate:
    """Return the candidate that changes the positions of some joints."""

    def heard(request: Request) -> Request:
        q = request.q.copy()
        for joint in joints:
            q[:, joint.q] = change(joint, q[:, joint.q])
        return replace(request, q=q)

    return Candidate(cause=cause, touches=EVERYTHING, apply=question_changes(heard), element=element, evidence=told)


HYPOTHESES = (whole_robot, order, sign)
