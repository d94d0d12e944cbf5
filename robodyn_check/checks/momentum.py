"""Momentum: what no force acts on does not change. Rates are exact, from the subject's own M around each state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.coriolis import mass_matrix_rate
from robodyn_check.checks.derivatives import stencil
from robodyn_check.checks.forces import coadjoint, times
from robodyn_check.checks.judging import Given, Outcome, Outcomes, compare, skip
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.root import parallel_to_gravity, root_joints
from robodyn_check.checks.structure import TOO_LARGE, rate_states

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.model.mechanism import MovingJoint
    from robodyn_check.states import StateBatch

#: No gravity, m/s².
WEIGHTLESS = (0.0, 0.0, 0.0)


def _without_force(batch: StateBatch, joints: tuple[MovingJoint, ...]) -> FloatArray:
    """Return tau of the states with no force at these joints, (N, nv)."""
    tau = batch.tau.copy()
    for joint in joints:
        tau[:, joint.v] = 0.0
    return tau


def _momentum_probes(
    context: ProbeContext, joints: tuple[MovingJoint, ...], gravity: tuple[float, float, float] | None
) -> Probes:
    """Ask for FD without force at the joints, and for M at and around the states."""
    batch = rate_states(context)
    if not len(batch):
        return TOO_LARGE
    return {
        "FD": ask("forward_dynamics", batch, tau=_without_force(batch, joints), gravity=gravity),
        "M": ask("mass_matrix", batch),
        "dM": stencil(context.mechanism, batch, degree=2).request("mass_matrix", batch),
    }


def _judged(
    context: JudgeContext, given: Given, joints: tuple[MovingJoint, ...], gravity: tuple[float, float, float], name: str
) -> Outcome:
    """Compare the rate of the joints' momentum, M a + Mdot v and what turning axes add, with 0.

    No inverse of M is in the bound, also on a floating base: an error δ of the root's acceleration drags the joints
    along by -M_JJ⁻¹ M_JB δ, so of the momentum's rate only (M_BB - M_BJ M_JJ⁻¹ M_JB) δ remains: the force that the
    articulated-body algorithm was wrong by, which is rounding of the terms it is summed from.
    """
    batch = rate_states(context)
    rows, v, a = slice(len(batch)), batch.v, np.nan_to_num(given["FD"])
    if context.few_scales.true_mass_matrix is None:
        return skip("the true mass matrix was not computed for a robot of this size, so no bound is known")
    answered = np.isfinite(given["FD"]).all(axis=1, keepdims=True)
    tau = _without_force(batch, joints)
    momentum = times(given["M"], v)
    rate = times(given["M"], a) + times(mass_matrix_rate(context, batch, given["dM"]), v)
    rate += coadjoint(context.mechanism, v, momentum)
    scales = tolerance.scales(
        context.mechanism, batch, context.few_scales.true_mass_matrix[rows], gravity=gravity, tree=context.scales.tree
    )
    u = np.abs(v)
    size = times(scales.mass_matrix, np.abs(a)) + np.abs(tau) + scales.bias_force
    size += times(scales.mass_matrix_rate(), u)
    size *= scales.block_loss[:, None]
    columns = [i for joint in joints for i in range(joint.v.start, joint.v.stop)]
    return compare(
        context,
        np.where(answered, rate, np.nan)[:, columns],
        0.0,
        quantity="forward_dynamics",
        scale=size[:, columns],
        factor="momentum_rate",
        batch=replace(batch, tau=tau) if batch is not context.few else batch,
        labels=lambda index: (context.mechanism.dof_names[columns[index[0]]],),
        name=name,
    )


def _vertical(context: ProbeContext | JudgeContext) -> tuple[MovingJoint, ...]:
    """Return the revolute root joints whose axis is parallel to gravity."""
    return parallel_to_gravity(context.mechanism, context.gravity)


@check(
    code="RD507",
    slug="momentum-vertical-joint",
    quantities=("forward_dynamics", "mass_matrix"),
    formula="d(M v)_1/dt = 0 for a revolute joint at the base, parallel to gravity, with tau_1 = 0",
    bound="16 eps (S_M|a| + |tau| + S_Mdot|v| + S_b), times what ball and planar joints lose",
    reference="Goldstein, Poole and Safko, Classical Mechanics (2002), section 2.6: cyclic coordinates",
)
class MomentumVerticalJoint:
    """Turning about the vertical, without torque there, keeps its momentum.

    What it checks: with no torque at a vertical root joint and any at the others, the rate of its momentum is 0: the
        accelerations are the library's, M and its exact rate too.
    Why it matters: gravity and all inner torques cancel in it, so it isolates velocity products and armature of forward
        dynamics; a robot on a turntable that speeds up by itself is the visible form of a fault here.
    Usual causes: damping or friction in forward dynamics; armature in M or in FD only; velocity products lost.
    References: Goldstein, Poole and Safko (2002), section 2.6.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for FD and M, where there is such a joint."""
        joints = _vertical(context)
        return _momentum_probes(context, joints, None) if joints else "no revolute joint at the base is vertical"

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the rate with 0."""
        return _judged(context, given, _vertical(context), context.gravity, "the momentum's rate")


@check(
    code="RD508",
    slug="momentum-floating-base",
    quantities=("forward_dynamics", "mass_matrix"),
    formula="d(linear and angular momentum)/dt = 0 without gravity and without force at the base, in turning body axes",
    bound="16 eps (S_M|a| + |tau| + S_Mdot|v| + S_b), times what ball and planar joints lose",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 9.3",
)
class MomentumFloatingBase:
    """A floating robot cannot push itself.

    What it checks: without gravity and without force at the base, whatever the joints do, the total linear and angular
        momentum do not change: M a + Mdot v along the base, and what the turning of its axes adds, is 0.
    Why it matters: cats turn over in the air and robots land on their feet by this law; a simulator that breaks it
        gives a jumping robot thrust.
    Usual causes: base velocity in world axes; a velocity-product term of the base lost; damping on the base joint.
    References: Featherstone (2008), section 9.3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for FD without gravity, and for M, where the base floats."""
        joints = root_joints(context.mechanism, {"floating"})
        return _momentum_probes(context, joints, WEIGHTLESS) if joints else "the base does not float"

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the rates with 0."""
        joints = root_joints(context.mechanism, {"floating"})
        return _judged(context, given, joints, WEIGHTLESS, "the momentum's rate")
