"""The Coriolis matrix: skew against the mass matrix's own rate, torsion-free, linear in the velocity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import stencil
from robodyn_check.checks.forces import bracket, times
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.structure import TOO_LARGE, rate_states

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.states import StateBatch


def mass_matrix_rate(context: JudgeContext, batch: StateBatch, values: FloatArray) -> FloatArray:
    """Return Mdot = Σ_k v_k ∂M/∂(direction k), (N, nv, nv), from the subject's own M around each state."""
    total = np.zeros((len(batch), context.mechanism.nv, context.mechanism.nv))
    for k, derivative in stencil(context.mechanism, batch, degree=2).derivatives(values):
        total += batch.v[:, k, None, None] * derivative
    return total


@check(
    code="RD401",
    slug="coriolis-skew",
    quantities=("coriolis_matrix", "mass_matrix"),
    formula="Mdot = C + Cᵀ, equivalently Mdot - 2C is skew-symmetric",
    bound="16 eps (S_Mdot + S_C + S_Cᵀ)",
    reference="Slotine and Li, On the adaptive control of robot manipulators (1987)",
)
class CoriolisSkew:
    """Mdot - 2C is skew-symmetric.

    What it checks: the rate of the library's own mass matrix, without truncation error, equals C plus its transpose.
        Libraries that declare any factorisation are not asked; one that declares more than it holds fails.
    Why it matters: passivity-based and adaptive controllers are stable because of this property, with such a C only.
        Many matrices give the same C v; most of them do not have it.
    Usual causes: C assembled by scaling columns of the force; ½ forgotten in the Christoffel symbols; a transposed C.
    References: Slotine and Li (1987); Ortega and Spong (1989) for the factorisations.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C at, and M around, the few states."""
        if context.subject.coriolis == "any":
            return "the subject declares any factorisation of C v, so only its product with v is checked"
        batch = rate_states(context)
        if not len(batch):
            return TOO_LARGE
        return {
            "C": ask("coriolis_matrix", batch),
            "dM": stencil(context.mechanism, batch, degree=2).request("mass_matrix", batch),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare C + Cᵀ with Mdot."""
        batch = rate_states(context)
        rows = slice(len(batch))
        size = context.few_scales.coriolis_matrix[rows]
        return compare(
            context,
            given["C"] + given["C"].transpose(0, 2, 1),
            mass_matrix_rate(context, batch, given["dM"]),
            quantity="coriolis_matrix",
            scale=context.few_scales.mass_matrix_rate()[rows] + size + size.transpose(0, 2, 1),
            factor="rate_is_coriolis_plus_transpose",
            batch=batch,
            name="C + Cᵀ",
            advice=f"The subject declares its C to be '{context.subject.coriolis}'; this one is not even skew.",
        )


def _turned_velocities(states: StateBatch) -> FloatArray:
    """Return a second velocity for each state, (N, nv): the velocity of the state before it, plus its acceleration."""
    other: FloatArray = np.roll(states.v, 1, axis=0) + states.a / 4
    return other


@check(
    code="RD402",
    slug="coriolis-torsion-free",
    quantities=("coriolis_matrix", "mass_matrix"),
    formula="C(v) w - C(w) v = M [v, w], with [v, w] = 0 for joints of one degree of freedom",
    bound="16 eps (S_C(v)|w| + S_C(w)|v| + S_M |[v, w]|)",
    reference="Bullo and Lewis, Geometric Control of Mechanical Systems (2005), section 4.1",
)
class CoriolisTorsionFree:
    """Christoffel's C is torsion-free.

    What it checks: exchanging the two velocities in C(v) w changes it by M [v, w] only, which is 0 for revolute and
        prismatic joints, M times ω_v × ω_w for a ball joint, and the spatial cross product for a free one. Asked only
        of libraries that declare Christoffel's matrix.
    Why it matters: together with skew symmetry it is what defines Christoffel's C, the only one whose entries
        can be compared between libraries.
    Usual causes: another skew factorisation declared as Christoffel's.
    References: Bullo and Lewis (2005), section 4.1; Echeandia and Wensing (2021) for the algorithm.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C at two velocities, and for M."""
        if context.subject.coriolis != "christoffel":
            return "the subject does not declare Christoffel's matrix"
        return {
            "C": ask("coriolis_matrix", context.states),
            "C of w": ask("coriolis_matrix", context.states, v=_turned_velocities(context.states)),
            "M": ask("mass_matrix", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare C(v) w with C(w) v + M [v, w]."""
        v, w = context.states.v, _turned_velocities(context.states)
        turn = bracket(context.mechanism, v, w)
        scales = context.scales
        size = times(scales.coriolis_matrix, np.abs(w)) + times(scales.coriolis_matrix_at(w), np.abs(v))
        return compare(
            context,
            times(given["C"], w),
            times(given["C of w"], v) + times(given["M"], turn),
            quantity="coriolis_matrix",
            scale=size + times(scales.mass_matrix, np.abs(turn)),
            factor="torsion_free",
            labels=lambda index: (context.mechanism.dof_names[index[0]],),
            name="C(v) w",
            advice="It is a factorisation of C v, but not Christoffel's.",
        )


@check(
    code="RD403",
    slug="coriolis-linear",
    quantities=("coriolis_matrix",),
    formula="C(q, 2v) = 2 C(q, v)",
    bound="exact: doubling is a power of two",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), equation 7.62",
)
class CoriolisLinear:
    """The Coriolis matrix is linear in the velocity.

    What it checks: twice the velocity gives exactly twice the matrix.
    Why it matters: a part that does not scale is friction, gravity or a left-over of an earlier state.
    Usual causes: damping inside C; velocities that are clamped; a stale cache.
    References: Spong, Hutchinson and Vidyasagar (2006), equation 7.62.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C at v and at 2v."""
        return {
            "C": ask("coriolis_matrix", context.states),
            "C of 2v": ask("coriolis_matrix", context.states, v=2 * context.states.v),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare C(2v) with 2 C(v)."""
        return compare(
            context,
            given["C of 2v"],
            2 * given["C"],
            quantity="coriolis_matrix",
            scale=2 * context.scales.coriolis_matrix,
            factor="homogeneous_by_powers_of_two",
            name="C(2v)",
        )
