"""Integrating a subject's own forward dynamics with the classical Runge-Kutta method, one round of questions a stage.

Several step sizes advance together: each round asks one request that holds the current stage of every trajectory at
every step size that is still under way. A trajectory also carries the work w of its torques, w' = vᵀ tau.

    q' = the joint's own kinematics: v for one-dof and planar joints; ½ quaternion ⊗ (ω, 0) for a ball; for a floating
         joint p' = R v_linear as well.   v' = forward dynamics.

The quaternion equation keeps the length of a quaternion, so the fourth order is not lost; what is asked is normalised.
Everything is a pure function of the answers: the same answers give the same requests again when a report is judged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from robodyn_check.checks.derivatives import rotation
from robodyn_check.requests import Answer, Request

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Answers, Failure

    FloatArray = npt.NDArray[np.float64]

#: Step sizes, s, and the time that is integrated; the ratio of neighbours is 2.
STEPS: tuple[float, ...] = (8e-3, 4e-3, 2e-3)
DURATION = 0.2
#: Stages of the finest step size: rounds of questions, apart from those before and after.
STAGES = 4 * round(DURATION / STEPS[-1])
#: Speed, rad/s or m/s, beyond which a motion has run away: it is stopped, and `Stage.lost` says so.
RUNAWAY = 1e6
#: Nodes and weights of the classical method.
_NODES, _WEIGHTS = (0.0, 0.5, 0.5, 1.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6)
#: First stage -> the key and answer of the last stage but one, and the furthest stage reached.
_FURTHEST: WeakKeyDictionary[Stage, tuple[str, Answer, Stage]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Torque:
    """tau = -stiffness (q - rest) - damping v, row by row, (N, nv); stiffness on one-dof joints only."""

    stiffness: FloatArray
    damping: FloatArray
    rest: FloatArray  #: (N, nq)

    def at(self, mechanism: Mechanism, q: FloatArray, v: FloatArray) -> FloatArray:
        """Return the torque, (N, nv)."""
        tau: FloatArray = -self.damping * v
        for joint in mechanism.joints:
            if joint.v.stop - joint.v.start == 1:
                tau[:, joint.v] -= self.stiffness[:, joint.v] * (q - self.rest)[:, joint.q]
        return tau


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Phase:
    """Trajectories: q (N, nq), v (N, nv), w (N,)."""

    q: FloatArray
    v: FloatArray
    w: FloatArray

    def moved(self, rate: Phase, time: float) -> Phase:
        """Return the phase after a straight step."""
        return Phase(q=self.q + time * rate.q, v=self.v + time * rate.v, w=self.w + time * rate.w)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Stage:
    """Where the integration stands: stage ``number`` of every step size; ``request`` is what it asks, None at the end.

    start: the phase at the beginning of the current step, for each step size; total: Σ weight · rate so far;
    here: the phase that is asked.
    """

    mechanism: Mechanism
    torque: Torque
    number: int
    start: tuple[Phase, ...]
    total: tuple[Phase, ...]
    here: tuple[Phase, ...]
    request: Request | None
    key: str = ""

    @property
    def ends(self) -> tuple[Phase, ...]:
        """The phases reached, one for each step size."""
        return self.start

    @property
    def lost(self) -> npt.NDArray[np.bool_]:
        """Which trajectories ran away at some step size, (N,)."""
        lost: npt.NDArray[np.bool_] = np.any([_runs_away(phase) for phase in self.start], axis=0)
        return lost


def begin(mechanism: Mechanism, torque: Torque, q: FloatArray, v: FloatArray) -> Stage:
    """Return the first stage; q (N, nq), v (N, nv) at time 0."""
    phase = Phase(q=q, v=v, w=np.zeros(len(q)))
    start = (phase,) * len(STEPS)
    stage = Stage(
        mechanism=mechanism, torque=torque, number=0, start=start, total=_nothing(start), here=start, request=None
    )
    return _asked(stage)


def walk(stage: Stage, answers: Answers) -> tuple[Stage, Failure | None]:
    """Follow the answers as far as they go.

    Returns:
        The last stage: its request is the next question, or None at the end; and the failure that stopped it, if any.
    """
    first, stage = stage, _leapt(stage, answers)
    while stage.request is not None:
        answer = answers.by_key(stage.key)
        if answer is None:
            return stage, None
        if not isinstance(answer, Answer):
            return stage, answer
        after = _after(stage, answer)
        _FURTHEST[first] = (stage.key, answer, after)
        stage = after
    return stage, None


def _leapt(first: Stage, answers: Answers) -> Stage:
    """Return the furthest stage that was reached from ``first`` by these very answers, else ``first``.

    Every round follows the same answers from the beginning; without the leap the rounds cost their number squared. An
    answer belongs to one subject, so the last one proves that those before it are the same as well.
    """
    key, answer, stage = _FURTHEST.get(first, ("", None, first))
    return stage if answer is not None and answers.by_key(key) is answer else first


@lru_cache(maxsize=8192)
def _after(stage: Stage, answer: Answer) -> Stage:
    """Return the next stage. Kept, because every round follows the same answers from the beginning."""
    mechanism, substage, count = stage.mechanism, stage.number % 4, len(stage.start[0].w)
    start, total, here = list(stage.start), list(stage.total), list(stage.here)
    for row, level in enumerate(_active(stage.number)):
        values = _bounded(answer.values[row * count : (row + 1) * count])
        rate = _rate(mechanism, stage.torque, here[level], values)
        total[level] = total[level].moved(rate, _WEIGHTS[substage])
        step = STEPS[level]
        if substage == len(_NODES) - 1:
            start[level] = here[level] = start[level].moved(total[level], step)
            total[level] = _nothing((start[level],))[0]
        else:
            here[level] = start[level].moved(rate, _NODES[substage + 1] * step)
    return _asked(
        replace(stage, number=stage.number + 1, start=tuple(start), total=tuple(total), here=tuple(here), request=None)
    )


def _bounded(acceleration: FloatArray) -> FloatArray:
    """Return accelerations without NaN, and not beyond what makes a motion run away within a step."""
    most = RUNAWAY / STEPS[-1]
    bounded: FloatArray = np.clip(np.nan_to_num(acceleration, nan=most), -most, most)
    return bounded


def _active(number: int) -> tuple[int, ...]:
    """Return the step sizes that have a stage of this number."""
    return tuple(level for level, step in enumerate(STEPS) if number < 4 * round(DURATION / step))


def _asked(stage: Stage) -> Stage:
    """Return the stage with the request for forward dynamics at the phases that are under way."""
    active = _active(stage.number)
    if not active:
        return replace(stage, request=None, key="")
    here = [stage.here[level] for level in active]
    q = np.concatenate([normalised(stage.mechanism, phase.q) for phase in here])
    v = np.concatenate([phase.v for phase in here])
    tau = np.concatenate([stage.torque.at(stage.mechanism, phase.q, phase.v) for phase in here])
    request = Request(quantity="forward_dynamics", q=q, v=v, tau=tau)
    return replace(stage, request=request, key=request.key)


def _nothing(phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
    """Return zeros of the same shapes."""
    return tuple(
        Phase(q=np.zeros_like(phase.q), v=np.zeros_like(phase.v), w=np.zeros_like(phase.w)) for phase in phases
    )


def _rate(mechanism: Mechanism, torque: Torque, here: Phase, acceleration: FloatArray) -> Phase:
    """Return (q', v', w')."""
    tau = torque.at(mechanism, here.q, here.v)
    power: FloatArray = np.einsum("ni,ni->n", tau, here.v)
    on = ~_runs_away(here)
    return Phase(q=position_rate(mechanism, here.q, here.v) * on[:, None], v=acceleration * on[:, None], w=power * on)


def _runs_away(phase: Phase) -> npt.NDArray[np.bool_]:
    """Say which trajectories are faster than any robot, (N,)."""
    away: npt.NDArray[np.bool_] = np.abs(phase.v).max(axis=1, initial=0.0) > RUNAWAY
    return away


def position_rate(mechanism: Mechanism, q: FloatArray, v: FloatArray) -> FloatArray:
    """Return q', (N, nq)."""
    rate = np.zeros_like(q)
    for joint in mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            turn, spin = slice(joint.q.stop - 4, joint.q.stop), slice(joint.v.stop - 3, joint.v.stop)
            vector, scalar, angular = q[:, turn][:, :3], q[:, turn][:, 3:], v[:, spin]
            rate[:, turn.start : turn.start + 3] = (scalar * angular + np.cross(vector, angular)) / 2
            rate[:, turn.stop - 1] = -np.einsum("ni,ni->n", vector, angular) / 2
            if joint.kind == "floating":
                place = slice(joint.q.start, joint.q.start + 3)
                linear = v[:, joint.v.start : joint.v.start + 3]
                rate[:, place] = np.einsum("nij,nj->ni", rotation(q[:, turn]), linear)
        else:
            rate[:, joint.q] = v[:, joint.v]
    return rate


def normalised(mechanism: Mechanism, q: FloatArray) -> FloatArray:
    """Return q with quaternions of unit length."""
    result = q.copy()
    for joint in mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            turn = slice(joint.q.stop - 4, joint.q.stop)
            result[:, turn] /= np.linalg.norm(q[:, turn], axis=1, keepdims=True)
    return result
