"""Elastic joints x = (q, θ), links first, then motors: mass matrix, equation of motion, energy.

These checks speak where springs act between a subject's coordinates (``flex``), and are silent elsewhere. Forward
dynamics and potential energy contain the springs, whoever applies them; M and h do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.definiteness import spectrum
from robodyn_check.checks.derivatives import shifted_states, stencil
from robodyn_check.checks.forces import bias_of, bias_probes, dot, times
from robodyn_check.checks.judging import Given, Outcome, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.structure import TOO_LARGE
from robodyn_check.requests import Answer

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch

#: Motors alone are moved this far, rad: V is quadratic there, so the difference is exact for any step.
_APART = 2.0**-6


@check(
    code="RD801",
    slug="doubled-mass-matrix",
    quantities=("mass_matrix",),
    formula="M(x) = diag(M(q), J), positive definite",
    bound="64 eps S_M; the blocks between links and motors are 0 exactly",
    reference="Spong, Modeling and Control of Elastic Joint Robots (1987)",
)
class DoubledMassMatrix:
    """The mass matrix of links and motors is block-diagonal, with the motors' inertia in its second block.

    What it checks: entries between links and motors are zero, the motors' block is diag(J), and all of it is positive
        definite.
    Why it matters: it is what lets springs alone couple motors and links; the link side then has the rigid robot's own
        dynamics.
    Usual causes: a rotor on the link instead of on the world; rotor inertia added to the link's joint as well; a body
        merged or lost in loading.
    References: Spong (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M."""
        return {"M": ask("mass_matrix", context.states)} if context.subject.springs is not None else ""

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Look at the blocks, then at the smallest eigenvalue."""
        springs, matrix = context.subject.springs, given["M"]
        assert springs is not None, "probes asked nothing without them"
        n = springs.n
        expected = matrix.copy()
        expected[:, :n, n:] = expected[:, n:, :n] = 0.0
        expected[:, n:, n:] = np.diag(springs.motor_inertia)
        blocks = compare(
            context, matrix, expected, quantity="mass_matrix", scale=context.scales.mass_matrix, factor="mass_matrix"
        )
        found = spectrum(matrix, context.scales.mass_matrix, context.subject.eps)
        if blocks.verdict != "pass" or (found.smallest > found.bound).all():
            return blocks
        state = int(np.nanargmin(found.smallest))
        name = context.mechanism.dof_names[int(np.argmax(np.abs(found.direction[state])))]
        return Outcome(
            verdict="fail",
            quantity="mass_matrix",
            message=f"The mass matrix of links and motors is not positive definite at state {state}: '{name}' moves"
            f" most in the direction with the smallest eigenvalue, {found.smallest[state]:.3g} after scaling.",
        )


@check(
    code="RD802",
    slug="elastic-energy-rate",
    quantities=("forward_dynamics", "kinetic_energy", "potential_energy"),
    formula="d(T + V)/dt = ẋᵀ tau - (q̇ - θ̇)ᵀ D (q̇ - θ̇)",
    bound="16 eps (terms of both sides)",
    reference="Spong, Modeling and Control of Elastic Joint Robots (1987)",
)
class ElasticEnergyRate:
    """The total energy is conserved but for what motors put in and dampers take out.

    What it checks: with the subject's own accelerations, the exact rate of its own kinetic energy, gravity potential
        and spring energy equals the motors' power less (q̇ - θ̇)ᵀ D (q̇ - θ̇). Without dampers and torques it is zero.
    Why it matters: a simulation of springs that makes energy explodes, one that loses it hides vibration.
    Usual causes: a spring of another stiffness or rest length in the dynamics than in the energy; a damper that acts on
        the joint instead of between motor and link; damping of the joints left on.
    References: Spong (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for accelerations first; with them, for the energies around the few states."""
        if context.subject.springs is None:
            return ""
        batch = _states(context)
        if not len(batch):
            return TOO_LARGE
        first = ask("forward_dynamics", batch)
        answer = context.subject.answers.get(first)
        if not isinstance(answer, Answer):
            return {"FD": first}
        return {"FD": first, **_energy_probes(context, batch, answer.values)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two powers."""
        springs, batch, a = context.subject.springs, _states(context), given["FD"]
        assert springs is not None, "probes asked nothing without them"
        kinetic, kinetic_size = _kinetic_rate(context, batch, given, a)
        potential, potential_size = _potential_rate(context, batch, given)
        lost = springs.dissipated_power(batch.v)
        u, rows = np.abs(batch.v), slice(len(batch))
        pushed = np.abs(batch.tau) + springs.size(batch.q, batch.v)
        work = dot(u, times(context.few_scales.mass_matrix[rows], np.abs(a)) + pushed)
        return compare(
            context,
            np.where(np.isfinite(a).all(axis=1), kinetic + potential, np.nan),
            dot(batch.v, batch.tau) - lost,
            quantity="forward_dynamics",
            scale=kinetic_size + potential_size + work + lost,
            factor="power_from_energies",
            batch=batch,
            labels=lambda _: (),
            name="the rate of the energies",
        )


def _states(context: ProbeContext | JudgeContext) -> StateBatch:
    return shifted_states(context.mechanism, context.few, doubles=1)


def _step(batch: StateBatch, a: FloatArray) -> FloatArray:
    """Return the step of the velocity difference, (N, 1): s |a| is about |v|, as a power of two."""
    size = np.linalg.norm(np.where(np.isfinite(a), a, 0.0), axis=1)
    ratio = np.linalg.norm(batch.v, axis=1) / np.where(size > 0, size, 1.0)
    return np.asarray(np.exp2(np.round(np.log2(np.where(ratio > 0, ratio, 1.0))))[:, None])


def _energy_probes(context: ProbeContext, batch: StateBatch, a: FloatArray) -> dict[str, Request]:
    """Ask for T ahead and behind in velocity and around in position; for V around with and without the springs."""
    shift = _step(batch, a) * np.where(np.isfinite(a), a, 0.0)
    return {
        "ahead": ask("kinetic_energy", batch, v=batch.v + shift),
        "behind": ask("kinetic_energy", batch, v=batch.v - shift),
        "dT": stencil(context.mechanism, batch, degree=2).request("kinetic_energy", batch),
        "together": ask("potential_energy", batch, q=_together(context, batch)),
        "apart": ask("potential_energy", batch, q=_apart(batch)),
    }


def _together(context: ProbeContext | JudgeContext, batch: StateBatch) -> FloatArray:
    """Return positions with link k and motor k moved alike, so that only gravity works, (2 n N, 2n)."""
    n = batch.q.shape[1] // 2
    moves = [sign * _reach(context, k) * _unit(n, k, both=True) for k in range(n) for sign in (1.0, -1.0)]
    return np.concatenate([batch.q + move for move in moves])


def _apart(batch: StateBatch) -> FloatArray:
    """Return positions with motor k moved alone, so that only its spring works, (2 n N, 2n)."""
    n = batch.q.shape[1] // 2
    moves = [sign * _APART * _unit(n, k, both=False) for k in range(n) for sign in (1.0, -1.0)]
    return np.concatenate([batch.q + move for move in moves])


def _reach(context: ProbeContext | JudgeContext, k: int) -> float:
    """Half of the difference over a quarter turn is the derivative of a sine; so it is over 1 m where V is linear."""
    return 1.0 if context.mechanism.joints[k].kind == "prismatic" else float(np.pi / 2)


def _unit(n: int, k: int, *, both: bool) -> FloatArray:
    unit = np.zeros(2 * n)
    unit[n + k] = 1.0
    unit[k] = float(both)
    return unit


def _kinetic_rate(
    context: JudgeContext, batch: StateBatch, given: Given, a: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return dT/dt from the subject's own T, (N,), and the size of its terms."""
    rows, u, step = slice(len(batch)), np.abs(batch.v), _step(batch, a)
    reached = u + step * np.abs(a)
    rate = (given["ahead"] - given["behind"]) / (2 * step[:, 0])
    size = dot(reached, times(context.few_scales.mass_matrix[rows], reached)) / 2 / step[:, 0]
    for k, derivative in stencil(context.mechanism, batch, degree=2).derivatives(given["dT"]):
        rate += batch.v[:, k] * derivative
        size += u[:, k] * context.few_scales.kinetic_derivative(k)[rows]
    return rate, size


def _potential_rate(context: JudgeContext, batch: StateBatch, given: Given) -> tuple[FloatArray, FloatArray]:
    """Return dV/dt from the subject's own V, (N,), and the size of its terms.

    V is gravity of q and a quadratic of q - θ: V̇ = Σ q̇ ∂V/∂(both) + (θ̇ - q̇) ∂V/∂θ.
    """
    springs, rows = context.subject.springs, slice(len(batch))
    assert springs is not None, "probes asked nothing without them"
    n, v, scales = springs.n, batch.v, context.few_scales
    deflection = np.abs(batch.q[:, n:] - batch.q[:, :n])
    stored, weight = springs.energy(batch.q), np.abs(scales.potential_energy[rows])
    rate, size = np.zeros(len(batch)), np.zeros(len(batch))
    both = given["together"].reshape(n, 2, len(batch))
    alone = given["apart"].reshape(n, 2, len(batch))
    for k in range(n):
        slip, stiffness = v[:, n + k] - v[:, k], springs.stiffness[k]
        rate += v[:, k] * (both[k, 0] - both[k, 1]) / 2.0
        rate += slip * (alone[k, 0] - alone[k, 1]) / (2.0 * _APART)
        moved = np.abs(batch.q[:, k]) + np.abs(batch.q[:, n + k]) + 2.0 * _reach(context, k)
        size += np.abs(v[:, k]) * (scales.potential_derivative(k)[rows] + stored + stiffness * deflection[:, k] * moved)
        further = stored + stiffness * (deflection[:, k] + _APART) * (_APART + moved)
        size += np.abs(slip) * (weight + further) / _APART
    return rate, size


@check(
    code="RD803",
    slug="elastic-equation-of-motion",
    quantities=("forward_dynamics", "mass_matrix", "bias_force"),
    formula="M ẍ + h = tau + [K (θ - q) + D (θ̇ - q̇); -the same]",
    bound="16 eps (S_M|ẍ| + |tau| + |springs| + S_b)",
    reference="Spong, Modeling and Control of Elastic Joint Robots (1987)",
)
class ElasticEquation:
    """Accelerations obey Spong's equations with the subject's own M and h and the stated K and D.

    What it checks: the residual of both equations at every state.
    Why it matters: it proves that the springs act between motor and link with the stiffness, damping, sign and rest
        length that were asked for.
    Usual causes: a spring whose rest length is that of the initial pose; gear ratio applied once instead of twice; a
        damper to the world.
    References: Spong (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for accelerations, M and h, or C v and g where h is not on offer."""
        if context.subject.springs is None:
            return ""
        return {
            "FD": ask("forward_dynamics", context.states),
            "M": ask("mass_matrix", context.states),
            **bias_probes(context, context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare M ẍ + h with what pushes."""
        springs, states = context.subject.springs, context.states
        assert springs is not None, "probes asked nothing without them"
        pushed = np.abs(states.tau) + springs.size(states.q, states.v)
        return compare(
            context,
            times(given["M"], given["FD"]) + bias_of(given),
            states.tau + springs.force(states.q, states.v),
            quantity="forward_dynamics",
            scale=context.scales.mass_matrix_times(given["FD"]) + pushed + context.scales.bias_force,
            factor=tolerance.factor("forward_residual_fixed_base", dofs=context.mechanism.nv),
            name="M ẍ + h",
        )
