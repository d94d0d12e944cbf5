"""Energy drift of free motion, by the reference: what the integrator alone loses, with Runge-Kutta and with Euler."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.analysis.results import Drift
from robodyn_check.motion import DURATION, STEPS, normalised, position_rate
from robodyn_check.reference.engine import evaluate, evaluate_many
from robodyn_check.tolerance import scales

if TYPE_CHECKING:
    from robodyn_check.analysis.inertia import FloatArray
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.states import StateBatch

#: Weights and nodes of each method; Euler's is one stage.
METHODS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "Runge-Kutta": ((0.0, 0.5, 0.5, 1.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6)),
    "Euler": ((0.0,), (1.0,)),
}


def energy_drift(mechanism: Mechanism, states: StateBatch, *, steps: tuple[float, ...] = STEPS) -> tuple[Drift, ...]:
    """Integrate free motions from the states; errors are shares of S_K + S_V at the start."""
    start = scales(mechanism, states)
    size = start.kinetic_energy + start.potential_energy
    before = _energy(mechanism, states.q, states.v)
    found = []
    for method, (nodes, weights) in METHODS.items():
        errors = []
        for step in steps:
            q, v = _integrated(mechanism, states.q, states.v, nodes, weights, step)
            with np.errstate(invalid="ignore"):
                error = np.abs(_energy(mechanism, q, v) - before) / np.where(size > 0.0, size, 1.0)
            finite = error[np.isfinite(error)]
            errors.append(float(finite.max()) if finite.size else float("nan"))
        found.append(Drift(method=method, steps=tuple(1e3 * step for step in steps), errors=tuple(errors)))
    return tuple(found)


def _integrated(
    mechanism: Mechanism,
    q: FloatArray,
    v: FloatArray,
    nodes: tuple[float, ...],
    weights: tuple[float, ...],
    step: float,
) -> tuple[FloatArray, FloatArray]:
    """Return q and v after `DURATION`, by an explicit method whose stage k starts from stage k - 1."""
    still = np.zeros_like(v)
    for _ in range(round(DURATION / step)):
        total_q, total_v, rate_q, rate_v = np.zeros_like(q), still, np.zeros_like(q), still
        for node, weight in zip(nodes, weights, strict=True):
            here, speed = q + node * step * rate_q, v + node * step * rate_v
            rate_q = position_rate(mechanism.joints, here, speed)
            rate_v = evaluate(mechanism, "forward_dynamics", normalised(mechanism.joints, here), speed, None, still)
            total_q, total_v = total_q + weight * rate_q, total_v + weight * rate_v
        q, v = normalised(mechanism.joints, q + step * total_q), v + step * total_v
    return q, v


def _energy(mechanism: Mechanism, q: FloatArray, v: FloatArray) -> FloatArray:
    """Return K + V, (N,)."""
    values = evaluate_many(mechanism, ("kinetic_energy", "potential_energy"), q, v)
    total: FloatArray = values["kinetic_energy"] + values["potential_energy"]
    return total
