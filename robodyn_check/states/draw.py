"""Draw states from a seed: the same numbers on every machine.

Positions are rounded to a grid of 2^-32 (rad, m), speeds are scaled by factors of eight bits and tau is rounded to
single precision, so that neither fused multiply-adds nor another BLAS changes what libraries are asked.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.reference.engine import evaluate
from robodyn_check.states.batch import StateBatch
from robodyn_check.states.mimic import follow_positions, follow_rates
from robodyn_check.states.mix import kinds_of
from robodyn_check.tolerance.paths import paths
from robodyn_check.tolerance.reach import derivative_step
from robodyn_check.tolerance.sizes import scales

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.mechanism import Mechanism, MovingJoint
    from robodyn_check.states.batch import FloatArray
    from robodyn_check.tolerance.sizes import Scales

_GRID = 2.0**32
#: Half the range of a coordinate without limits: rad, m.
_FREE_ANGLE, _FREE_LENGTH = math.pi, 1.0
#: |p| of a floating base stays below 1 m: each entry within this, m.
_BASE_ENTRY = 0.57
#: Limits further out than this are not sampled to their end: two turns, 10 m.
_FAR_ANGLE, _FAR_LENGTH = 4.0 * math.pi, 10.0
#: Speeds where gravity gives no measure, rad/s and m/s; accelerations, rad/s² and m/s².
_PLAIN_SPEED, _PLAIN_ACCELERATION = 2.0, 5.0
#: How much faster a "fast" state is; a power of two.
_FAST = 8.0


def draw_states(mechanism: Mechanism, *, count: int, seed: int, gravity: Sequence[float] | None = None) -> StateBatch:
    """Draw ``count`` states.

    Velocities are scaled so that the scale of C v equals that of g, and accelerations so that the scale of M a does:
    then no term drowns in another. tau is the inverse dynamics of another random acceleration.

    Args:
        mechanism: The robot.
        count: Number of states.
        seed: Any integer not below 0.
        gravity: Instead of the mechanism's, m/s².

    Returns:
        The batch, mimic joints following their masters.
    """
    stream = np.random.Generator(np.random.PCG64(seed))
    without = {} if _limited(mechanism) else {"limit": "inside", "outside": "inside"}
    kinds = tuple(without.get(kind, kind) for kind in kinds_of(count))
    q = follow_positions(mechanism, _positions(mechanism, kinds, stream))
    unit = np.empty((3, count, mechanism.nv))
    for part in unit:
        part[:] = _on_grid(2.0 * stream.random((count, mechanism.nv)) - 1.0)
    nothing = np.zeros((count, mechanism.nv))
    still = StateBatch(q=q, v=nothing, a=nothing, tau=nothing, kinds=kinds)
    tree = paths(mechanism)
    length = np.where(tree.angular > 0, 1.0, derivative_step(scales(mechanism, still, tree=tree).lengths)[:, None])
    raw_v, raw_a, raw_drive = (follow_rates(mechanism, part * length) for part in unit)
    raw_v = follow_rates(mechanism, raw_v * _moving(mechanism, kinds, raw_v))
    v = follow_rates(
        mechanism,
        _velocity(scales(mechanism, replace(still, v=raw_v), gravity=gravity, tree=tree), kinds, raw_v, unit[0]),
    )
    at_rest = scales(mechanism, still, gravity=gravity, tree=tree)
    a, drive = (
        follow_rates(mechanism, _acceleration(at_rest, raw, plain))
        for raw, plain in ((raw_a, unit[1]), (raw_drive, unit[2]))
    )
    tau = evaluate(mechanism, "inverse_dynamics", q, v, drive, gravity=gravity)
    return replace(still, v=v, a=a, tau=tau.astype(np.float32).astype(np.float64))


def _on_grid(values: FloatArray) -> FloatArray:
    """Round to the grid."""
    return np.asarray(np.round(values * _GRID) / _GRID)


def _positions(mechanism: Mechanism, kinds: tuple[str, ...], stream: np.random.Generator) -> FloatArray:
    """Draw q of each state by its kind."""
    shape = (len(kinds), mechanism.nq)
    uniform, beyond, normal = stream.random(shape), stream.random(shape), stream.standard_normal(shape)
    named = np.array(kinds)
    q = np.zeros(shape)
    for joint in mechanism.joints:
        inside = _inside(joint, uniform[:, joint.q], normal[:, joint.q])
        outside = _outside(joint, uniform[:, joint.q], beyond[:, joint.q], inside)
        chosen = np.where((named == "outside")[:, None], outside, inside)
        q[:, joint.q] = np.where((named == "zero")[:, None], _rest(joint), chosen)
    limited = _limited(mechanism)
    for turn, state in enumerate(np.flatnonzero(named == "limit")):
        _put_at_limit(q[state], limited, turn)
    return q


def _inside(joint: MovingJoint, uniform: FloatArray, normal: FloatArray) -> FloatArray:
    """Draw the coordinates of one joint within its limits, or within its range where it has none."""
    if joint.kind in {"ball", "floating"}:
        place = _on_grid((2.0 * uniform[:, :-4] - 1.0) * _BASE_ENTRY)
        return np.concatenate([place, unit_quaternions(_on_grid(normal[:, -4:]))], axis=1)
    if joint.kind == "planar":
        return _on_grid((2.0 * uniform - 1.0) * np.array([_FREE_LENGTH, _FREE_LENGTH, _FREE_ANGLE]))
    low, high, _ = _range(joint)
    return _on_grid(low + (high - low) * uniform)


def _outside(joint: MovingJoint, uniform: FloatArray, beyond: FloatArray, inside: FloatArray) -> FloatArray:
    """Draw a limited joint beyond its limits, by up to half its range; another one as inside."""
    low, high, limited = _range(joint)
    outwards = 0.5 * (high - low) * beyond
    return _on_grid(np.where(uniform < 0.5, low - outwards, high + outwards)) if limited else inside


def _rest(joint: MovingJoint) -> FloatArray:
    """Return the joint's coordinates at zero, the identity for a quaternion."""
    rest = np.zeros(joint.q.stop - joint.q.start)
    if joint.kind in {"ball", "floating"}:
        rest[-1] = 1.0
    return rest


def _limited(mechanism: Mechanism) -> list[MovingJoint]:
    """Return the joints that have limits."""
    return [joint for joint in mechanism.joints if _range(joint)[2]]


def _range(joint: MovingJoint) -> tuple[float, float, bool]:
    """Return the range of a one-dof joint's coordinate and whether limits give it; an empty range counts as none."""
    free, far = (_FREE_LENGTH, _FAR_LENGTH) if joint.kind == "prismatic" else (_FREE_ANGLE, _FAR_ANGLE)
    low, high = joint.lower[0], joint.upper[0]
    if joint.kind not in {"revolute", "prismatic"} or not low < high:
        return -free, free, False
    if math.isinf(low) and math.isinf(high):
        return -free, free, False
    low = high - 2.0 * free if math.isinf(low) else low
    high = low + 2.0 * free if math.isinf(high) else high
    if max(low, -far) < min(high, far):
        low, high = max(low, -far), min(high, far)
    return low, high, True


def _put_at_limit(q: FloatArray, limited: list[MovingJoint], turn: int) -> None:
    """Put joints at their limits: first all at the lower, all at the upper ones, then one joint a state."""
    upper = bool(turn % 2)
    chosen = limited if turn < 2 else [limited[(turn // 2 - 1) % len(limited)]]
    for joint in chosen:
        low, high, _ = _range(joint)
        q[joint.q] = high if upper else low


def unit_quaternions(turns: FloatArray) -> FloatArray:
    """Normalise rows of four numbers, (N, 4), to unit quaternions; four zeros become the identity."""
    x, y, z, w = turns.T
    square = (x * x + y * y) + (z * z + w * w)  # no dot product: equal on every machine
    zero = square == 0.0
    unit = turns / np.sqrt(np.where(zero, 1.0, square))[:, None]
    unit[zero, 3] = 1.0
    return np.asarray(unit)


def _moving(mechanism: Mechanism, kinds: tuple[str, ...], raw: FloatArray) -> FloatArray:
    """Return 0 where a kind keeps a coordinate still, 1 elsewhere; "single" moves one joint after the other."""
    moving = np.ones_like(raw)
    turn = 0
    for state, kind in enumerate(kinds):
        if kind in {"zero", "still"}:
            moving[state] = 0.0
        if kind == "single" and mechanism.joints:
            moving[state] = 0.0
            moving[state, mechanism.joints[turn % len(mechanism.joints)].v] = 1.0
            turn += 1
    return moving


def _velocity(size: Scales, kinds: tuple[str, ...], raw: FloatArray, unit: FloatArray) -> FloatArray:
    """Scale velocities so that the scale of C v is that of g; where either is 0, uniform within ±2."""
    squared = _typical_ratio(size.gravity_vector, size.coriolis_force)
    plain = unit * _PLAIN_SPEED * (raw != 0.0)
    fast = np.where(np.array(kinds) == "fast", _FAST, 1.0)[:, None]
    return np.where(squared[:, None] > 0.0, raw * _eight_bits(np.sqrt(squared))[:, None], plain) * fast


def _acceleration(size: Scales, raw: FloatArray, unit: FloatArray) -> FloatArray:
    """Scale accelerations so that the scale of M a is that of g; where either is 0, uniform within ±5."""
    ratio = _typical_ratio(size.gravity_vector, size.mass_matrix_times(raw))
    return np.where(ratio[:, None] > 0.0, raw * _eight_bits(ratio)[:, None], unit * _PLAIN_ACCELERATION)


def _typical_ratio(wanted: FloatArray, found: FloatArray) -> FloatArray:
    """Return the middle ratio of the entries where both are positive, 0 where there is none, (N,)."""
    both = (wanted > 0.0) & (found > 0.0)
    # sorted with the others last; numpy's own nanmedian does the same, after an import as slow as a run's states
    ratio = np.sort(np.where(both, wanted / np.where(both, found, 1.0), np.inf), axis=1)
    count = both.sum(axis=1)
    usable = np.flatnonzero(count)
    low, high = (ratio[usable, (count[usable] - 1 + shift) // 2] for shift in (0, 1))
    middle = np.zeros(len(ratio))
    middle[usable] = (low + high) / 2
    return middle


def _eight_bits(values: FloatArray) -> FloatArray:
    """Round to eight significant bits."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(mantissa * 256.0) / 256.0, exponent))
