"""Energy along simulated motion: a fourth-order method must lose energy as its order says, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.definiteness import REFERENCE
from robodyn_check.checks.judging import Given, Outcome, Outcomes, skip
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.motion import DURATION, STAGES, STEPS, Place, Springs, normalised, runs_away
from robodyn_check.report.results import StepErrors
from robodyn_check.requests import Answer, Request

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.states import StateBatch

#: Trajectories, and how many where a state costs more than `_DEAR` µs; none above `_TOO_DEAR`.
TRAJECTORIES, DAMPED_TRAJECTORIES, _FEWER = 16, 4, 1
_DEAR, _TOO_DEAR = 1e3, 10e3
#: Least ratio of the energy errors of two step sizes, of which one is half of the other; a fourth-order method has 16.
LEAST_RATIO = 12.0
#: An error below this many eps·S is rounding, which has no order.
_ROUNDING = 100.0
#: Above this share of S the motion is not resolved, unless the error does not depend on the step at all.
_UNRESOLVED, _STEPLESS = 1e-3, 1.5
_RAN_AWAY = "no motion stayed within bounds: it is too fast for these steps"
_TOO_FAST = "the motion is too fast for these steps: the ratios are not settled"
#: The ratio of a method of order five.
_ORDER_FIVE = 32.0
#: Damping and stiffness of the torque of RD506, by the inertia a joint feels: 1/s and 1/s².
_DAMPING_RATE, _STIFFNESS_RATE = 4.0, 100.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Motions:
    """Free motions and, from some of the same states, damped ones, integrated together: they share one question.

    batch: where they start; ``free`` and ``damped`` are their rows.
    """

    batch: StateBatch
    free: slice
    damped: slice


def _motions(context: ProbeContext | JudgeContext) -> Motions | str:
    """Return the motions, or why there are none."""
    mechanism = context.mechanism
    if context.subject.name == REFERENCE:
        return ""  # its accelerations and energies are certified; 400 stages would add nothing
    if any(joint.mimic is not None for joint in mechanism.joints):
        return "the robot has mimic joints: libraries that reduce them move another robot"
    cost = context.subject.cost * max(1.0, mechanism.nv / 7) ** 2
    if cost > _TOO_DEAR:
        return f"{STAGES} stages are too many for a library that takes {cost / 1e3:.0f} ms a state"
    return _chosen(context.states, _FEWER if cost > _DEAR else TRAJECTORIES)


@lru_cache(maxsize=16)
def _chosen(states: StateBatch, count: int) -> Motions:
    """Return motions from the first states of usual speed."""
    usual = [number for number, kind in enumerate(states.kinds or ("given",) * len(states)) if kind != "fast"]
    free = usual[:count]
    damped = free[:DAMPED_TRAJECTORIES]
    return Motions(
        batch=states.rows(free + damped),
        free=slice(0, len(free)),
        damped=slice(len(free), len(free) + len(damped)),
    )


def _asked(context: ProbeContext | JudgeContext, motions: Motions) -> Request:
    """Return the question for the motions; the one for M, which sizes the springs, where it was not answered yet."""
    if "mass_matrix" not in context.subject.quantities:
        return _motion(context.mechanism, motions, None)
    first = ask("mass_matrix", motions.batch)
    answer = context.subject.answers.get(first)
    if answer is None:
        return first
    return _motion(context.mechanism, motions, answer if isinstance(answer, Answer) else None)


@lru_cache(maxsize=16)
def _motion(mechanism: Mechanism, motions: Motions, inertia: Answer | None) -> Request:
    """Ask for the motions: damped joint springs, whose size fits the inertia at the start, on the damped ones."""
    felt = np.zeros_like(motions.batch.v)
    if inertia is not None:
        felt[motions.damped] = _felt(inertia.values[motions.damped])
    springs = Springs(
        joints=tuple(Place(joint.kind, joint.q, joint.v) for joint in mechanism.joints),
        stiffness=_STIFFNESS_RATE * felt,
        damping=_DAMPING_RATE * felt,
    )
    batch = motions.batch
    return Request(quantity="forward_dynamics", q=batch.q, v=batch.v, tau=np.zeros_like(batch.v), motion=springs)


def _felt(mass_matrix: FloatArray) -> FloatArray:
    """Return 1 / (M⁻¹)_ii, what each joint feels while the others move freely, (N, nv); 0 where M is singular."""
    finite = np.isfinite(mass_matrix).all(axis=(1, 2), keepdims=True)
    inverse = np.linalg.pinv(np.where(finite, mass_matrix, 0.0), hermitian=True)
    diagonal = np.diagonal(inverse, axis1=1, axis2=2)
    return np.where(diagonal > 0.0, 1.0 / np.where(diagonal > 0.0, diagonal, 1.0), 0.0)


def _energy_probes(mechanism: Mechanism, ends: FloatArray, batch: StateBatch) -> dict[str, Request]:
    """Ask for both energies at the start and at every end."""
    stacked = np.concatenate(list(ends.swapaxes(0, 1)))
    q = np.concatenate([batch.q, _positions(mechanism, stacked, np.tile(batch.q, (len(STEPS), 1)))])
    v = np.concatenate([batch.v, _velocities(mechanism, stacked)])
    return {"K": Request(quantity="kinetic_energy", q=q, v=v), "V": Request(quantity="potential_energy", q=q)}


def _positions(mechanism: Mechanism, ends: FloatArray, start: FloatArray) -> FloatArray:
    """Return q of some ends, (N, nq); of a lost motion that of its start: its energy is asked and not judged."""
    q = ends[:, : mechanism.nq]
    known: FloatArray = np.where(np.isfinite(q).all(axis=1, keepdims=True), q, start)
    return normalised(mechanism.joints, known)


def _velocities(mechanism: Mechanism, ends: FloatArray) -> FloatArray:
    """Return v of some ends, (N, nv); zero where a motion was lost."""
    v: FloatArray = np.nan_to_num(ends[:, mechanism.nq : mechanism.nq + mechanism.nv])
    return v


def _probes(context: ProbeContext, motions: Motions) -> dict[str, Request]:
    """Return the next question: M, the motions, the energies at their ends."""
    request = _asked(context, motions)
    if request.motion is None:
        return {"M": request}
    answer = context.subject.answers.get(request)
    energies = _energy_probes(context.mechanism, answer.values, motions.batch) if isinstance(answer, Answer) else {}
    return {"ends": request, **energies}


def _judged(context: JudgeContext, given: Given, motions: Motions, rows: slice, name: str) -> Outcomes:
    """Judge how the energy that does not add up depends on the step."""
    quantity = "forward_dynamics"
    if "ends" not in given or "K" not in given:
        return skip("the motion was not followed to its end", quantity=quantity)
    mechanism, ends = context.mechanism, given["ends"]
    energy = (given["K"] + given["V"]).reshape(1 + len(STEPS), -1)[:, rows]
    signed = energy[1:] - energy[0] - ends[rows, :, -1].T
    errors = np.abs(signed)
    size = _size(context, motions.batch, ends[:, -1])[rows]
    if not (size > 0).any():
        return skip("nothing moves and nothing weighs: there is no energy to conserve", quantity=quantity)
    speeds = ends[rows, :, mechanism.nq : -1]
    lost = ~np.isfinite(ends[rows]).all(axis=(1, 2)) | runs_away(speeds.reshape(len(speeds), -1))
    whole = np.isfinite(errors).all(axis=0) & ~lost & (size > 0)
    settled = whole & _settled(signed)
    if not settled.any():
        return skip(_TOO_FAST if whole.any() else _RAN_AWAY, quantity=quantity)
    relative = np.sqrt(np.mean((errors[:, settled] / size[settled]) ** 2, axis=1))
    coarse, fine = (float(a / b) if b > 0 else np.inf for a, b in pairwise(relative))
    finest = float(relative[-1])
    if finest <= _ROUNDING * context.subject.eps:
        return skip("the energy error is rounding: it has no order to see", quantity=quantity)
    failed = fine < LEAST_RATIO
    unsettled = finest > _UNRESOLVED or (failed and fine > 1.1 * coarse)
    if unsettled and fine > _STEPLESS:
        return skip(_TOO_FAST, quantity=quantity)
    text = (
        f"{name} over {DURATION:g} s does not add up: the error is {relative[0]:.2g}, {relative[1]:.2g},"
        f" {relative[2]:.2g} of the energies' size at steps of 8, 4, 2 ms. It falls by {fine:.3g} where the step is"
        f" halved; a fourth-order method falls by 16. The accelerations do not belong to these energies."
    )
    return Outcome(
        verdict="fail" if failed else "pass",
        quantity=quantity,
        message=text if failed else f"The error falls by {fine:.3g} where the step is halved.",
        error=finest,
        bound=float(relative[-2]) / LEAST_RATIO,
        margin=LEAST_RATIO / fine if failed else None,  # an order is no rounding to set beside the others
        step_errors=StepErrors(steps=STEPS, errors=tuple(relative.tolist())),
    )


def _settled(errors: FloatArray) -> npt.NDArray[np.bool_]:
    """Tell which motions' errors, (steps, motions), fall as the method's do, with or without a fault beside them.

    One motion that is too fast for the steps may outweigh all others, and what its error happens to be at the finest
    step says nothing of an order. It shows in a change of sign between two steps, or in an error that falls by more
    than order five can first, and by less than order four must then: no sum of a method's error and of a fault's does
    that. A fault shows in the motions that have settled.
    """
    size = np.abs(errors)
    one_sign = (np.sign(errors) == np.sign(errors[0])).all(axis=0)
    lucky = (size[0] > _ORDER_FIVE * size[1]) & (size[1] < LEAST_RATIO * size[2])
    kept: npt.NDArray[np.bool_] = one_sign & ~lucky
    return kept


def _size(context: JudgeContext, batch: StateBatch, last: FloatArray) -> FloatArray:
    """Return S_K + S_V of each motion, the larger of start and end, (N,)."""
    mechanism = context.mechanism
    ends = replace(batch, q=_positions(mechanism, last, batch.q), v=_velocities(mechanism, last))
    sizes = [
        tolerance.scales(mechanism, states, gravity=context.gravity, tree=context.scales.tree)
        for states in (batch, ends)
    ]
    larger: FloatArray = np.maximum(*(size.kinetic_energy + size.potential_energy for size in sizes))
    return larger


@check(
    code="RD505",
    slug="free-motion-energy",
    quantities=("forward_dynamics", "kinetic_energy", "potential_energy"),
    formula="K + V is constant along v' = FD(q, v, 0): the error of Runge-Kutta falls by 16 per halved step",
    bound="a ratio of at least 12 between steps of 4 and 2 ms",
    reference="Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I (1993), section II.1",
    integrates=True,
)
class FreeMotionEnergy:
    """A robot that moves freely keeps its energy.

    What it checks: 16 motions of 0.2 s without torque, integrated from the library's accelerations with a fourth-order
        method at steps of 8, 4 and 2 ms. What its own energies lose must be the method's error, which falls by 16 where
        the step is halved; an error that does not is the dynamics'.
    Why it matters: it is the test that people make by eye in a simulator, with the integrator's part taken out.
    Usual causes: damping, friction or limits left on; velocity products lost; armature or gravity in FD or energy only.
    References: Hairer, Nørsett and Wanner (1993), section II.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the motions; then for the energies at their ends."""
        motions = _motions(context)
        return motions if isinstance(motions, str) else _probes(context, motions)

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Look at the ratio of the errors."""
        motions = _motions(context)
        assert not isinstance(motions, str), "probes have said so"
        return _judged(context, given, motions, motions.free, "The energy of a free motion")


@check(
    code="RD506",
    slug="damped-motion-work",
    quantities=("forward_dynamics", "mass_matrix", "kinetic_energy", "potential_energy"),
    formula="K + V grows by ∫ vᵀ tau dt along v' = FD(q, v, tau), tau a damped spring at every joint",
    bound="a ratio of at least 12 between steps of 4 and 2 ms",
    reference="Ortega and Spong, Adaptive motion control of rigid robots (1989)",
    integrates=True,
)
class DampedMotionWork:
    """Under damped springs a robot loses exactly the energy that they take.

    What it checks: four of the motions of RD505 with a spring and a damper at every joint as the given torque; the
        work of these torques is integrated along with the motion and must account for all of K + V.
    Why it matters: it is what every PD-controlled simulation does; a torque that is scaled, clamped or delayed on its
        way in shows here and not in free motion.
    Usual causes: torque limits or gear ratios applied to given torques; damping counted twice; a stale torque.
    References: Ortega and Spong (1989).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M at the start, the motions, and the energies at their ends."""
        motions = _motions(context)
        if isinstance(motions, str):
            return motions
        return {"M": ask("mass_matrix", motions.batch), **_probes(context, motions)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Look at the ratio of the errors."""
        motions = _motions(context)
        assert not isinstance(motions, str), "probes have said so"
        return _judged(context, given, motions, motions.damped, "The work of damped springs")
