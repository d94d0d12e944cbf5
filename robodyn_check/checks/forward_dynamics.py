"""Forward dynamics against the subject's own inverse dynamics and its own mass matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.forces import bias_of, bias_probes, times
from robodyn_check.checks.judging import Given, Outcomes, compare, skip
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.requests import Answer

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Outcome, Probes

NO_SCALE = "the true mass matrix was not computed for a robot of this size, so no bound is known"


def judged_acceleration(
    context: JudgeContext,
    got: FloatArray,
    expected: FloatArray,
    *,
    answer: FloatArray,
    tau: FloatArray,
    eps: float | None = None,
    factor: str,
) -> Outcome:
    """Compare accelerations within the scale that knows how forces turn into them (S_1b).

    Args:
        context: What the check sees.
        got: (N, nv).
        expected: (N, nv).
        answer: The acceleration whose forces set the scale, (N, nv).
        tau: Generalised forces, (N, nv).
        eps: Rounding unit; None: the subject's.
        factor: Row of the factors.
    """
    if context.scales.true_mass_matrix is None:
        return skip(NO_SCALE, quantity="forward_dynamics")
    scale = context.scales.forward_dynamics(np.nan_to_num(answer), np.nan_to_num(tau))
    return compare(context, got, expected, quantity="forward_dynamics", scale=scale, factor=factor, eps=eps)


@check(
    code="RD701",
    slug="forward-of-inverse",
    quantities=("forward_dynamics", "inverse_dynamics"),
    formula="FD(q, v, ID(q, v, a)) = a",
    bound="16 eps S_1b(a; tau)",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class ForwardOfInverse:
    """Forward dynamics undoes inverse dynamics.

    What it checks: forward dynamics, given the torques of inverse dynamics, returns the accelerations asked for.
    Why it matters: simulator and controller of one library must be of the same robot.
    Usual causes: damping, friction, limits or contacts in forward dynamics only; armature in one of the two.
    References: Featherstone (2008), section 3.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for ID first; with its answer, for FD."""
        first = ask("inverse_dynamics", context.states)
        answer = context.subject.answers.get(first)
        if not isinstance(answer, Answer):
            return {"ID": first}
        torque = np.nan_to_num(answer.values)
        return {"ID": first, "FD": ask("forward_dynamics", context.states, tau=torque)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare with a, where inverse dynamics had an answer."""
        a, tau = context.states.a, given["ID"]
        answered = np.isfinite(tau).all(axis=1, keepdims=True)
        got = np.where(answered, given["FD"], np.nan)
        return judged_acceleration(context, got, a, answer=a, tau=tau, factor="forward_of_inverse")


@check(
    code="RD702",
    slug="forward-from-mass-matrix",
    quantities=("forward_dynamics", "mass_matrix", "bias_force"),
    formula="FD(q, v, tau) = M⁻¹ (tau - h)",
    bound="16 eps S_1b(FD; tau)",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class ForwardFromMassMatrix:
    """Forward dynamics solves the library's own equation of motion.

    What it checks: the accelerations equal M⁻¹ (tau - h) with M and h of the same library.
    Why it matters: the articulated-body algorithm never forms M; here two independent routes meet.
    Usual causes: damping, friction, limits in forward dynamics; armature in M or in the recursion only.
    References: Featherstone (2008), sections 3.1 and 7.3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for FD, M and h."""
        return {
            "FD": ask("forward_dynamics", context.states),
            "M": ask("mass_matrix", context.states),
            **bias_probes(context, context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare with the solution of M a = tau - h."""
        solution = solve(given["M"], context.states.tau - bias_of(given))
        return judged_acceleration(
            context,
            given["FD"],
            solution,
            answer=given["FD"],
            tau=context.states.tau,
            factor="forward_dynamics_from_mass_matrix",
        )


@check(
    code="RD703",
    slug="inverse-of-forward",
    quantities=("forward_dynamics", "inverse_dynamics"),
    formula="ID(q, v, FD(q, v, tau)) = tau, on a fixed base",
    bound="16 eps (S_M |FD| + |tau| + S_b), times what ball and planar joints lose",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class InverseOfForward:
    """Inverse dynamics undoes forward dynamics.

    What it checks: the torques that inverse dynamics gives for the accelerations of forward dynamics are those put in.
        No inverse of M enters the bound, so it stays sharp where M is badly conditioned.
    Why it matters: the same as RD701, seen from the torques.
    Usual causes: damping, friction, limits or contacts in forward dynamics only; armature in one of the two.
    References: Featherstone (2008), section 3.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for FD first; with its answer, for ID."""
        if any(joint.kind == "floating" for joint in context.mechanism.joints):
            return "on a floating base rounding of the base's acceleration reaches every joint: RD701 covers it"
        first = ask("forward_dynamics", context.states)
        answer = context.subject.answers.get(first)
        if not isinstance(answer, Answer):
            return {"FD": first}
        return {"FD": first, "ID": ask("inverse_dynamics", context.states, a=np.nan_to_num(answer.values))}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare with tau, where forward dynamics had an answer."""
        a, tau = given["FD"], context.states.tau
        if context.scales.true_mass_matrix is None:
            return skip(NO_SCALE, quantity="forward_dynamics")
        answered = np.isfinite(a).all(axis=1, keepdims=True)
        size = times(context.scales.mass_matrix, np.abs(np.nan_to_num(a))) + np.abs(tau) + context.scales.bias_force
        return compare(
            context,
            np.where(answered, given["ID"], np.nan),
            tau,
            quantity="forward_dynamics",
            scale=size * context.scales.block_loss[:, None],
            factor="forward_residual_fixed_base",
            name="the torque for the accelerations of forward_dynamics",
        )


def solve(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    """Solve M a = f state by state after scaling to unit diagonal; NaN where M is singular or not finite."""
    nv = matrix.shape[1]
    root = np.sqrt(np.abs(np.diagonal(matrix, axis1=1, axis2=2)))
    scaled = matrix / np.where(root > 0, root, 1.0)[:, :, None] / np.where(root > 0, root, 1.0)[:, None, :]
    usable = np.asarray(np.isfinite(scaled).all(axis=(1, 2)) & (root > 0).all(axis=1))
    scaled = np.where(usable[:, None, None], scaled, np.eye(nv))
    usable &= np.linalg.slogdet(scaled)[0] != 0
    scaled = np.where(usable[:, None, None], scaled, np.eye(nv))
    weight = np.where(root > 0, root, 1.0)
    solution: FloatArray = np.linalg.solve(scaled, (vector / weight)[..., None])[..., 0] / weight
    return np.where(usable[:, None], solution, np.nan)
