"""Hypotheses about the gravity field: what field do the answers show, and how does it depend on the one asked for?

g is linear in the field, so the field behind a gravity vector is a least-squares problem with three unknowns. How it
came about is told by the answers under a turned field.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.diagnosis.candidate import WEIGHT, Candidate, question_changes
from robodyn_check.diagnosis.neat import neat
from robodyn_check.faults.fault import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from robodyn_check.diagnosis.evidence import Evidence, Sample
    from robodyn_check.faults.fault import FloatArray, Scene
    from robodyn_check.requests import Request

    Field = tuple[float, float, float]

_TOUCHES = WEIGHT | {"joint_torque_regressor"}
#: Quantities that show the field: linear in it, once the part without it is taken away.
_SHOWING = ("gravity_vector", "bias_force", "inverse_dynamics", "potential_energy")


def field(evidence: Evidence) -> Iterable[Candidate]:
    """Another field is used than the one asked for."""
    own = _field_of(evidence.scene)
    if not any(own):
        return
    if all(sample.request.gravity is not None for sample in evidence.failing):
        yield from _only_turned(own)
    showing = sorted((one for one in evidence.failing if one.quantity in _SHOWING), key=_place)
    if showing:
        asked = showing[0].request.gravity or own
        yield from _explained(asked, *_shown(evidence.scene, showing[0].first(40), asked))
    elif "joint_torque_regressor" in evidence.wrong:
        yield from _usual()


def _place(sample: Sample) -> tuple[bool, int]:
    """Return where a sample stands among those that show the field: at the run's own field first."""
    return sample.request.gravity is not None, _SHOWING.index(sample.quantity)


def _usual() -> Iterable[Candidate]:
    """Yield what is done to fields without looking at the answers, which a regressor does not show in a simple way."""
    yield _candidate("gravity-sign", _linear(-np.eye(3)), "the field is reversed")
    for order in permutations(range(3)):
        if order != (0, 1, 2):
            yield _candidate(
                "gravity-frame", _linear(np.eye(3)[list(order)]), f"components ({', '.join('xyz'[k] for k in order)})"
            )


def _field_of(scene: Scene) -> Field:
    x, y, z = (float(component) for component in scene.mechanism.gravity)
    return x, y, z


def _only_turned(asked: Field) -> Iterable[Candidate]:
    """Only answers under a turned field are wrong: what is done with the field is right for the one at hand."""
    yield _candidate("gravity-fixed-inside", lambda _: asked, "the answers do not change with the field asked for")
    for k in range(3):
        unit = np.eye(3)[k]
        yield _candidate("gravity-only-vertical", _linear(np.outer(unit, unit)), f"only component {'xyz'[k]} is used")


def _shown(scene: Scene, sample: Sample, asked: Field) -> tuple[FloatArray, FloatArray]:
    """Return the field that the answers show, (3,), and the projection on the directions that they feel, (3, 3)."""
    request, quantity = sample.request, sample.quantity

    def part(gravity: Field) -> FloatArray:
        values = values_of(scene.answer, replace(request, gravity=gravity))
        return values - values[:1] if quantity == "potential_energy" else values

    nothing = part((0.0, 0.0, 0.0))
    strength = float(np.linalg.norm(asked))
    axes = [(strength, 0.0, 0.0), (0.0, strength, 0.0), (0.0, 0.0, strength)]
    columns = np.stack([(part(axis) - nothing).reshape(-1) for axis in axes], axis=1) / strength
    got = sample.got - sample.got[:1] if quantity == "potential_energy" else sample.got
    there = np.isfinite(got.reshape(-1))
    right = np.linalg.lstsq(columns[there], (got - nothing).reshape(-1)[there], rcond=1e-12)[0]
    _, singular, directions = np.linalg.svd(columns[there], full_matrices=False)
    felt = directions[singular > 1e-12 * singular.max(initial=np.finfo(float).tiny)]
    return np.array([neat(float(component), strength) for component in right]), felt.T @ felt


def _explained(asked: Field, shown: FloatArray, felt: FloatArray) -> Iterable[Candidate]:
    """Name the way from the field asked for to the one shown, the simplest first; what is not felt stays as asked."""
    told = f"the answers show the field ({shown[0]:.6g}, {shown[1]:.6g}, {shown[2]:.6g}) m/s²"
    here = felt @ np.array(asked)
    square, strength = float(here @ here), float(np.linalg.norm(asked))

    def is_shown(field: FloatArray) -> bool:
        return bool(np.allclose(felt @ field, shown, rtol=0, atol=1e-8 * strength))

    widen = max(1.0, float(np.linalg.norm(shown)) / strength)
    ratio = float(shown @ here) / square if square > 1e-16 * strength**2 else 1.0
    if is_shown(ratio * np.array(asked)):
        exact = round(ratio, 9)
        name = {-1.0: "gravity-sign", 0.0: "gravity-lost"}.get(exact, "gravity-magnitude")
        share = exact if exact in {-1.0, 0.0} else ratio
        yield _candidate(name, _linear(share * np.eye(3)), f"{told}, {ratio:.9g} times the one asked for", widen=widen)
    for order in permutations(range(3)):
        turn = np.eye(3)[list(order)]
        if order != (0, 1, 2) and is_shown(turn @ asked):
            axes = ", ".join("xyz"[k] for k in order)
            yield _candidate("gravity-frame", _linear(turn), f"{told}: the components ({axes}) of the one asked for")
    for k in range(3):
        unit = np.eye(3)[k]
        if is_shown(np.multiply(unit, asked)):
            yield _candidate(
                "gravity-only-vertical", _linear(np.outer(unit, unit)), f"{told}: component {'xyz'[k]} alone"
            )
    x, y, z = (float(one) for one in shown + asked - here)
    yield _candidate("gravity-vector-differs", lambda _: (x, y, z), f"{told}, whatever is asked for", widen=widen)


def _linear(matrix: FloatArray) -> Callable[[Field], Field]:
    def change(asked: Field) -> Field:
        x, y, z = (float(component) + 0.0 for component in matrix @ np.array(asked))
        return x, y, z

    return change


def _candidate(cause: str, change: Callable[[Field], Field], told: str, *, widen: float = 1.0) -> Candidate:
    def apply(scene: Scene) -> Scene:
        own = _field_of(scene)

        def heard(request: Request) -> Request:
            return replace(request, gravity=change(request.gravity or own))

        return question_changes(heard)(scene) or scene

    return Candidate(cause=cause, touches=_TOUCHES, apply=apply, evidence=(told,), widen=widen)


HYPOTHESES = (field,)
