"""Energy: ½ vᵀ M v, and the power balance in two forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.coriolis import mass_matrix_rate
from robodyn_check.checks.derivatives import shifted_states, stencil
from robodyn_check.checks.forces import dot, times
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.structure import TOO_LARGE, rate_states
from robodyn_check.requests import Answer
from robodyn_check.tolerance import terms
from robodyn_check.tolerance.paths import paths
from robodyn_check.tolerance.reach import reach, travel

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch


@check(
    code="RD501",
    slug="kinetic-energy",
    quantities=("kinetic_energy", "mass_matrix"),
    formula="K = ½ vᵀ M v",
    bound="32 eps S_K",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), equation 7.48",
)
class KineticEnergy:
    """The kinetic energy is ½ vᵀ M v.

    What it checks: the library's own energy against its own mass matrix.
    Why it matters: energy is the cheapest audit of a simulation; it must count what the dynamics count.
    Usual causes: rotor inertia in one of the two only; a link lost in one of them.
    References: Spong, Hutchinson and Vidyasagar (2006), equation 7.48.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for both."""
        return {
            "K": ask("kinetic_energy", context.states),
            "M": ask("mass_matrix", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two."""
        v = context.states.v
        return compare(
            context,
            given["K"],
            dot(v, times(given["M"], v)) / 2,
            quantity="kinetic_energy",
            scale=context.scales.kinetic_energy,
            factor="kinetic_energy_from_mass_matrix",
        )


@check(
    code="RD502",
    slug="power-balance-mass-matrix",
    quantities=("inverse_dynamics", "mass_matrix", "gravity_vector"),
    formula="vᵀ (M a + ½ Mdot v + g) = vᵀ ID(q, v, a)",
    bound="16 eps |v|ᵀ (S_M|a| + ½ S_Mdot|v| + S_g + S_tau)",
    reference="Ortega and Spong, Adaptive motion control of rigid robots (1989)",
)
class PowerBalanceMassMatrix:
    """The power of the torques is the rate of the energy that M and g describe.

    What it checks: vᵀ tau equals the rate of ½ vᵀ M v plus vᵀ g, with Mdot from the library's own M. It holds for every
        factorisation of C, since velocity-product forces do no work.
    Why it matters: a library that fails makes or loses energy in every step.
    Usual causes: a velocity-product term lost or halved; damping in inverse dynamics; armature in one place only.
    References: Ortega and Spong (1989).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for ID, M, g at, and M around, the few states."""
        batch = rate_states(context)
        if not len(batch):
            return TOO_LARGE
        return {
            "ID": ask("inverse_dynamics", batch),
            "M": ask("mass_matrix", batch),
            "g": ask("gravity_vector", batch),
            "dM": stencil(context.mechanism, batch, degree=2).request("mass_matrix", batch),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two powers."""
        batch = rate_states(context)
        rows, v, scales = slice(len(batch)), batch.v, context.few_scales
        u = np.abs(v)
        rate = mass_matrix_rate(context, batch, given["dM"])
        size = (
            times(scales.mass_matrix[rows], np.abs(batch.a))
            + times(scales.mass_matrix_rate()[rows], u) / 2
            + scales.gravity_vector[rows]
            + scales.inverse_dynamics[rows]
        )
        return compare(
            context,
            dot(v, given["ID"]),
            dot(v, times(given["M"], batch.a) + times(rate, v) / 2 + given["g"]),
            quantity="inverse_dynamics",
            scale=dot(u, size),
            factor="power_from_mass_matrix",
            batch=batch,
            labels=lambda _: (),
            name="the power of inverse_dynamics",
        )


def _spread(context: ProbeContext | JudgeContext, batch: StateBatch, a: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the step s of a velocity difference, (N,), and S_M, (N, nv, nv).

    K is quadratic in v, so [K(v + s a) - K(v - s a)] / 2s = vᵀ M a for every s; s makes both terms alike in size, as a
    power of two.
    """
    tree = paths(context.mechanism)
    size = terms.mass_matrix(tree, reach(tree, travel(context.mechanism, batch.q)))
    v = np.abs(batch.v)
    fast, pushed = dot(v, times(size, v)), dot(np.abs(a), times(size, np.abs(a)))
    usable = (fast > 0) & (pushed > 0) & np.isfinite(pushed)
    ratio = np.sqrt(np.where(usable, fast, 1.0) / np.where(usable, pushed, 1.0))
    return np.exp2(np.round(np.log2(ratio))), size


def _energy_probes(context: ProbeContext, batch: StateBatch, a: FloatArray) -> dict[str, Request]:
    """Ask for K ahead and behind in velocity and around in position, and V around."""
    step, _ = _spread(context, batch, a)
    shift = step[:, None] * np.where(np.isfinite(a), a, 0.0)
    return {
        "ahead": ask("kinetic_energy", batch, v=batch.v + shift),
        "behind": ask("kinetic_energy", batch, v=batch.v - shift),
        "dK": stencil(context.mechanism, batch, degree=2).request("kinetic_energy", batch),
        "dV": stencil(context.mechanism, batch, degree=1).request("potential_energy", batch),
    }


def _energy_rate(
    context: JudgeContext, batch: StateBatch, given: Given, a: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return d(K + V)/dt from the subject's own energies, (N,), and the size of its terms, (N,)."""
    step, size = _spread(context, batch, a)
    rows, scales = slice(len(batch)), context.few_scales
    u = np.abs(batch.v)
    reached = u + step[:, None] * np.abs(a)
    rate = (given["ahead"] - given["behind"]) / (2 * step)
    total = dot(reached, times(size, reached)) / 2 / step
    for k, derivative in stencil(context.mechanism, batch, degree=2).derivatives(given["dK"]):
        rate += batch.v[:, k] * derivative
        total += u[:, k] * scales.kinetic_derivative(k)[rows]
    for k, derivative in stencil(context.mechanism, batch, degree=1).derivatives(given["dV"]):
        rate += batch.v[:, k] * derivative
        total += u[:, k] * scales.potential_derivative(k)[rows]
    return np.where(np.isfinite(a).all(axis=1), rate, np.nan), total


def _energy_states(context: ProbeContext | JudgeContext) -> StateBatch:
    """Return the states at which derivatives of the energies are taken."""
    return shifted_states(context.mechanism, context.few, doubles=1)


@check(
    code="RD503",
    slug="power-balance-energies",
    quantities=("inverse_dynamics", "kinetic_energy", "potential_energy"),
    formula="d(K + V)/dt = vᵀ ID(q, v, a)",
    bound="16 eps (terms of both sides)",
    reference="Ortega and Spong, Adaptive motion control of rigid robots (1989)",
)
class PowerBalanceEnergies:
    """The power of the torques is the rate of the library's own energies.

    What it checks: the exact rate of K + V along (v, a), from the library's own energies, equals vᵀ tau of its own
        inverse dynamics. No mass matrix is involved.
    Why it matters: two parts of a library that share little code must describe the same robot.
    Usual causes: armature in one of the two only; gravity of another sign or size in V; damping in inverse dynamics.
    References: Ortega and Spong (1989).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the energies around the few states, and ID at them."""
        batch = _energy_states(context)
        if not len(batch):
            return TOO_LARGE
        return {
            "ID": ask("inverse_dynamics", batch),
            **_energy_probes(context, batch, batch.a),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two powers."""
        batch = _energy_states(context)
        rows, u = slice(len(batch)), np.abs(batch.v)
        rate, size = _energy_rate(context, batch, given, batch.a)
        return compare(
            context,
            dot(batch.v, given["ID"]),
            rate,
            quantity="inverse_dynamics",
            scale=size + dot(u, context.few_scales.inverse_dynamics[rows]),
            factor="power_from_energies",
            batch=batch,
            labels=lambda _: (),
            name="the power of inverse_dynamics",
        )


@check(
    code="RD504",
    slug="power-balance-forward",
    quantities=("forward_dynamics", "kinetic_energy", "potential_energy"),
    formula="d(K + V)/dt = vᵀ tau, with a = FD(q, v, tau)",
    bound="16 eps (terms of both sides)",
    reference="Ortega and Spong, Adaptive motion control of rigid robots (1989)",
)
class PowerBalanceForward:
    """What the torques put in, the energies gain.

    What it checks: with the accelerations of the library's own forward dynamics, the rate of its own K + V is vᵀ tau.
    Why it matters: this is what a simulation does in every step; damping, friction, limits or contacts that were not
        switched off show as lost power.
    Usual causes: damping or friction active in forward dynamics; armature or gravity in one of the two only.
    References: Ortega and Spong (1989).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for FD first; with its answer, for the energies around the few states."""
        batch = _energy_states(context)
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
        batch = _energy_states(context)
        rows, u, a = slice(len(batch)), np.abs(batch.v), given["FD"]
        rate, size = _energy_rate(context, batch, given, a)
        scales = context.few_scales
        size = size + dot(u, times(scales.mass_matrix[rows], np.abs(a)) + np.abs(batch.tau) + scales.bias_force[rows])
        if any(joint.v.stop - joint.v.start > 1 for joint in context.mechanism.joints):
            # an articulated-body algorithm is backward stable between one-dof joints only: elsewhere the error of the
            # acceleration is bounded, the error of M a is not
            size = size + dot(u, _moved_by_error(context, batch, a))
        return compare(
            context,
            rate,
            dot(batch.v, batch.tau),
            quantity="forward_dynamics",
            scale=size,
            factor="power_from_energies",
            batch=batch,
            labels=lambda _: (),
            name="the rate of the energies",
        )


def _moved_by_error(context: JudgeContext, batch: StateBatch, a: FloatArray) -> FloatArray:
    """Return |M| S_1b at the first few states: what the bounded error of the accelerations may make of M a."""
    scales, rows = context.few_scales, slice(len(batch))
    assert scales.true_mass_matrix is not None, "robots too large for M are skipped before"
    answer, tau = np.zeros_like(context.few.v), np.zeros_like(context.few.v)
    answer[rows], tau[rows] = a, batch.tau
    return times(np.abs(scales.true_mass_matrix[rows]), scales.forward_dynamics(answer, tau)[rows])
