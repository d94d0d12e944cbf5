"""Simulated motion: the classical Runge-Kutta method over anybody's forward dynamics, three step sizes at once.

Every trajectory runs for `DURATION` at each of `STEPS` under joint springs and dampers (none: free motion), and carries
the work w of their torques along, w' = vᵀ tau:

    q' = the joint's own kinematics: v for one-dof and planar joints; ½ quaternion ⊗ (ω, 0) for a ball; for a floating
         joint p' = R v_linear as well.   v' = forward dynamics.

The quaternion equation keeps the length of a quaternion, so the fourth order is not lost; what is asked is normalised.
The method is written once, as a generator of questions, which a library's own process answers, or who asks the library.
Vocabulary: numpy alone, shared by checks, the engine's side and the SDK.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    #: Yields (q, v, tau), is sent accelerations, returns the ends.
    Questions = Generator[tuple[FloatArray, FloatArray, FloatArray], FloatArray, FloatArray]

#: Step sizes, s, and the time that is integrated; the ratio of neighbours is 2.
STEPS: tuple[float, ...] = (8e-3, 4e-3, 2e-3)
DURATION = 0.2
#: Stages of the finest step size, asked one after the other.
STAGES = 4 * round(DURATION / STEPS[-1])
#: Speed, rad/s or m/s, beyond which a motion has run away: it is stopped.
RUNAWAY = 1e6
#: Nodes and weights of the classical method.
_NODES, _WEIGHTS = (0.0, 0.5, 0.5, 1.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6)
#: Joints whose last four coordinates are a quaternion and whose last three velocities turn it.
_TURNING = frozenset({"ball", "floating"})


class Moving(Protocol):
    """A moving joint: its kind and its places in q and in v."""

    @property
    def kind(self) -> str:
        """Its kind, a name of `sdk.canonical.SIZES`."""

    @property
    def q(self) -> slice:
        """Its place in q."""

    @property
    def v(self) -> slice:
        """Its place in v."""


class Place(NamedTuple):
    """The least that is a `Moving` joint."""

    kind: str
    q: slice
    v: slice


def places(joints: Iterable[tuple[str, int, int, int, int]]) -> tuple[Place, ...]:
    """Return the places of joints given as (kind, first of q, nq, first of v, nv)."""
    return tuple(Place(kind, slice(q, q + nq), slice(v, v + nv)) for kind, q, nq, v, nv in joints)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Springs:
    """tau = -stiffness (q - q at the start) - damping v, row by row, (N, nv); stiffness acts at one-dof joints only."""

    joints: tuple[Place, ...]
    stiffness: FloatArray
    damping: FloatArray

    def torque(self, q: FloatArray, v: FloatArray, rest: FloatArray) -> FloatArray:
        """Return the torque of the last ``len(q)`` rows, (N, nv)."""
        last = slice(len(self.damping) - len(q), None)
        tau: FloatArray = -self.damping[last] * v
        for joint in self.joints:
            if joint.v.stop - joint.v.start == 1:
                tau[:, joint.v] -= self.stiffness[last, joint.v] * (q - rest)[:, joint.q]
        return tau


def questions(springs: Springs, q: FloatArray, v: FloatArray) -> Questions:
    """Ask for accelerations stage by stage, all step sizes that are under way together.

    Args:
        springs: What acts on the joints; rows as in q.
        q: Positions at the start, (N, nq).
        v: Velocities at the start, (N, nv).

    Returns:
        The ends by step size: q, v and work side by side, (N, len(STEPS), nq + nv + 1); q is not normalised, and what
        ran away has a speed above `RUNAWAY`.
    """
    count, levels, joints = len(q), len(STEPS), springs.joints
    tiled = Springs(
        joints=joints, stiffness=np.tile(springs.stiffness, (levels, 1)), damping=np.tile(springs.damping, (levels, 1))
    )
    rest, q, v, w = np.tile(q, (levels, 1)), np.tile(q, (levels, 1)), np.tile(v, (levels, 1)), np.zeros(levels * count)
    h = np.repeat(STEPS, count)[:, None]
    for number in range(STAGES // 4):
        # the coarsest step size comes first and is over first
        on = slice(count * sum(number >= round(DURATION / step) for step in STEPS), None)
        here_q, here_v = q[on], v[on]
        total_q, total_v, total_w = np.zeros_like(here_q), np.zeros_like(here_v), np.zeros(len(here_q))
        for stage, weight in enumerate(_WEIGHTS):
            tau = tiled.torque(here_q, here_v, rest[on])
            acceleration = _bounded((yield normalised(joints, here_q), here_v, tau))
            going = ~runs_away(here_v)
            rate_q = position_rate(joints, here_q, here_v) * going[:, None]
            rate_v = acceleration * going[:, None]
            total_q += weight * rate_q
            total_v += weight * rate_v
            total_w += weight * np.einsum("ni,ni->n", tau, here_v) * going
            if stage + 1 < len(_NODES):
                step = _NODES[stage + 1] * h[on]
                here_q, here_v = q[on] + step * rate_q, v[on] + step * rate_v
        q[on] += h[on] * total_q
        v[on] += h[on] * total_v
        w[on] += h[on][:, 0] * total_w
    ends: FloatArray = np.concatenate([q, v, w[:, None]], axis=1).reshape(levels, count, -1).swapaxes(0, 1)
    return ends


def follow(
    springs: Springs,
    q: FloatArray,
    v: FloatArray,
    accelerate: Callable[[FloatArray, FloatArray, FloatArray], FloatArray],
) -> FloatArray:
    """Return the ends of `questions`, answered by ``accelerate(q, v, tau)``; what it raises goes through."""
    asking = questions(springs, q, v)
    asked = next(asking)
    while True:
        try:
            asked = asking.send(accelerate(*asked))
        except StopIteration as over:
            ends: FloatArray = over.value
            return ends


def motions_of(rows: Iterable[int], asked: int, count: int) -> set[int]:
    """Return to which of ``count`` motions rows of a stage belong that asked ``asked`` rows.

    What is over at a step size has left at the front; the rest stands step size by step size, motion by motion.
    """
    first = len(STEPS) * count - asked
    return {(first + row) % count for row in rows}


def _bounded(acceleration: FloatArray) -> FloatArray:
    """Return accelerations without NaN, and not beyond what makes a motion run away within a step."""
    most = RUNAWAY / STEPS[-1]
    bounded: FloatArray = np.clip(np.nan_to_num(acceleration, nan=most), -most, most)
    return bounded


def runs_away(v: FloatArray) -> npt.NDArray[np.bool_]:
    """Say which rows are faster than any robot, (N,)."""
    away: npt.NDArray[np.bool_] = np.abs(v).max(axis=1, initial=0.0) > RUNAWAY
    return away


def position_rate(joints: Sequence[Moving], q: FloatArray, v: FloatArray) -> FloatArray:
    """Return q', (N, nq)."""
    rate = np.zeros_like(q)
    for joint in joints:
        if joint.kind in _TURNING:
            turn, spin = slice(joint.q.stop - 4, joint.q.stop), slice(joint.v.stop - 3, joint.v.stop)
            vector, scalar, angular = q[:, turn][:, :3], q[:, turn][:, 3:], v[:, spin]
            rate[:, turn.start : turn.start + 3] = (scalar * angular + np.cross(vector, angular)) / 2
            rate[:, turn.stop - 1] = -np.einsum("ni,ni->n", vector, angular) / 2
            if joint.kind == "floating":
                linear = v[:, joint.v.start : joint.v.start + 3]
                rate[:, joint.q.start : joint.q.start + 3] = _turned(q[:, turn], linear)
        else:
            rate[:, joint.q] = v[:, joint.v]
    return rate


def _turned(quaternion: FloatArray, vector: FloatArray) -> FloatArray:
    """Return R v for quaternions (x, y, z, w) of any length, (N, 3): v + 2 u × (u × v + w v) / |quaternion|²."""
    u, w = quaternion[:, :3], quaternion[:, 3:]
    square = np.einsum("ni,ni->n", quaternion, quaternion)[:, None]
    turned: FloatArray = vector + 2 * np.cross(u, np.cross(u, vector) + w * vector) / square
    return turned


def normalised(joints: Sequence[Moving], q: FloatArray) -> FloatArray:
    """Return q with quaternions of unit length."""
    result = q.copy()
    for joint in joints:
        if joint.kind in _TURNING:
            turn = slice(joint.q.stop - 4, joint.q.stop)
            result[:, turn] /= np.linalg.norm(q[:, turn], axis=1, keepdims=True)
    return result
