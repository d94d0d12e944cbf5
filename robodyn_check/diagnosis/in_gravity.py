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
    asked = _field_of(evidence.scene)
    if not any(asked):
        return
    if all(sample.request.gravity is not None for sample in evidence.failing):
        yield from _only_turned(asked)
        return
    sample = next(
        (one for name in _SHOWING if (one := evidence.sample(name)) is not None and one in evidence.failing), None
    )
    if sample is None:
        return
    shown = _shown(evidence.scene, sample.first(40), asked)
    if shown is not None:
        yield from _explained(asked, shown)


def _field_of(scene: Scene) -> Field:
    x, y, z = (float(component) for component in scene.mechanism.gravity)
    return x, y, z


def _only_turned(asked: Field) -> Iterable[Candidate]:
    """Only answers under a turned field are wrong: what is done with the field is right for the one at hand."""
    yield _candidate("gravity-fixed-inside", lambda _: asked, "the answers do not change with the field asked for")
    for k in range(3):
        unit = np.eye(3)[k]
        yield _candidate("gravity-only-vertical", _linear(np.outer(unit, unit)), f"only component {'xyz'[k]} is used")


def _shown(scene: Scene, sample: Sample, asked: Field) -> Field | None:
    """Return the field that the answers show; None where they show none."""
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
    x, y, z = (neat(float(component), strength) for component in right)
    return x, y, z


def _explained(asked: Field, shown: Field) -> Iterable[Candidate]:
    """Name the way from the field asked for to the one shown, the simplest first."""
    told = f"the answers show the field ({shown[0]:.6g}, {shown[1]:.6g}, {shown[2]:.6g}) m/s²"
    square = float(np.dot(asked, asked))
    ratio = float(np.dot(shown, asked)) / square
    widen = max(1.0, float(np.linalg.norm(shown)) / square**0.5)
    if np.allclose(shown, np.multiply(ratio, asked), rtol=0, atol=1e-8 * square**0.5):
        exact = round(ratio, 9)
        name = {-1.0: "gravity-sign", 0.0: "gravity-lost"}.get(exact, "gravity-magnitude")
        share = exact if exact in {-1.0, 0.0} else ratio
        yield _candidate(name, _linear(share * np.eye(3)), f"{told}, {ratio:.9g} times the one asked for", widen=widen)
    for order in permutations(range(3)):
        turn = np.eye(3)[list(order)]
        if order != (0, 1, 2) and np.allclose(turn @ asked, shown, rtol=0, atol=1e-8 * square**0.5):
            axes = ", ".join("xyz"[k] for k in order)
            yield _candidate("gravity-frame", _linear(turn), f"{told}: the components ({axes}) of the one asked for")
    for k in range(3):
        unit = np.eye(3)[k]
        if np.allclose(np.multiply(unit, asked), shown, rtol=0, atol=1e-8 * square**0.5):
            yield _candidate(
                "gravity-only-vertical", _linear(np.outer(unit, unit)), f"{told}: component {'xyz'[k]} alone"
            )
    yield _candidate("gravity-vector-differs", lambda _: shown, f"{told}, whatever is asked for", widen=widen)


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
