"""The regressor holds M, C v and g each by itself: tau is linear in the inertial parameters term by term."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import first_states
from robodyn_check.checks.forces import coadjoint, velocity_force_of, velocity_probes
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.labels import labels_along
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.regressor import parameters

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch


def _regressor(batch: StateBatch, *, v: FloatArray | None = None, a: FloatArray | None = None) -> Request:
    """Ask for Y at some states with v and a zero unless given."""
    still = np.zeros_like(batch.v)
    return ask("joint_torque_regressor", batch, v=still if v is None else v, a=still if a is None else a)


#: Doubles that regressors at unit accelerations may bring back.
_MOST = 2_000_000


def _states(context: ProbeContext | JudgeContext) -> StateBatch:
    """Return the states at which a regressor for each acceleration is asked."""
    return first_states(context.few, _MOST // (10 * context.mechanism.nl * context.mechanism.nv**2))


@check(
    code="RD305",
    slug="regressor-mass-matrix",
    quantities=("joint_torque_regressor", "mass_matrix"),
    formula="M e_i = [Y(q, 0, e_i) - Y(q, 0, 0)] pi + armature_i e_i",
    bound="32 eps (S_M e_i + S_g)",
    reference="Slotine and Li, On the adaptive control of robot manipulators (1987)",
)
class RegressorMassMatrix:
    """The regressor's columns for unit accelerations give the mass matrix.

    What it checks: what Y adds for one unit acceleration, times the parameters of the file, is a column of the
        library's own M without armature.
    Why it matters: M is linear in the parameters; identification that is right on average torque may still have a
        wrong M, which this shows entry by entry.
    Usual causes: columns in another order; inertia about another point; armature inside Y.
    References: Slotine and Li (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Y at rest, at unit accelerations, and for M, at the few states."""
        few, nv = _states(context), context.mechanism.nv
        if not len(few):
            return "the robot has too many degrees of freedom for a regressor at each unit acceleration"
        unit = np.repeat(np.eye(nv), len(few), axis=0)
        tiled = ask("joint_torque_regressor", few, q=np.tile(few.q, (nv, 1)), v=np.zeros((nv * len(few), nv)), a=unit)
        return {"Y": tiled, "Y at rest": _regressor(few), "M": ask("mass_matrix", few)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare column by column."""
        mechanism, scales, batch = context.mechanism, context.few_scales, _states(context)
        nv, count, pi = mechanism.nv, len(batch), parameters(mechanism)
        columns = (given["Y"] @ pi).reshape(nv, count, nv) - given["Y at rest"] @ pi
        found = columns.transpose(1, 2, 0) + np.diag(np.asarray(mechanism.armature, dtype=float))
        names = mechanism.dof_names
        return compare(
            context,
            found,
            given["M"],
            quantity="joint_torque_regressor",
            scale=scales.mass_matrix[:count] + scales.gravity_vector[:count, :, None],
            factor="regressor_terms",
            batch=batch,
            labels=labels_along(names, [f"acceleration of {name}" for name in names]),
            name="the regressor's mass matrix",
        )


@check(
    code="RD306",
    slug="regressor-coriolis-force",
    quantities=("joint_torque_regressor", "coriolis_force"),
    formula="C v = [Y(q, v, 0) - Y(q, 0, 0)] pi",
    bound="32 eps (S_q + S_g)",
    reference="Slotine and Li, On the adaptive control of robot manipulators (1987)",
)
class RegressorCoriolisForce:
    """What the regressor adds for a velocity is the velocity-product force.

    What it checks: Y at a velocity, without acceleration, less Y at rest, times the parameters of the file, is the
        library's own C v.
    Why it matters: the velocity terms are the smallest part of most torques and the first that an error in Y ruins.
    Usual causes: inertia about another point; a velocity-product term missing from Y; gravity left in C v.
    References: Slotine and Li (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Y with and without the velocity, and for C v."""
        states = context.few
        return {
            "Y": _regressor(states, v=states.v),
            "Y at rest": _regressor(states),
            **velocity_probes(context, states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two; on a free joint armature has a velocity-product force too, which Y never holds."""
        mechanism, v = context.mechanism, context.few.v
        rotors = coadjoint(mechanism, v, np.asarray(mechanism.armature, dtype=float) * v)
        return compare(
            context,
            (given["Y"] - given["Y at rest"]) @ parameters(mechanism) + rotors,
            velocity_force_of(given, v),
            quantity="joint_torque_regressor",
            scale=context.few_scales.coriolis_force + context.few_scales.gravity_vector,
            factor="regressor_terms",
            batch=context.few,
            labels=lambda index: (mechanism.dof_names[index[0]],),
            name="the regressor's velocity-product force",
        )


@check(
    code="RD307",
    slug="regressor-gravity",
    quantities=("joint_torque_regressor", "gravity_vector"),
    formula="g = Y(q, 0, 0) pi",
    bound="32 eps S_g",
    reference="Atkeson, An and Hollerbach, Estimation of inertial parameters of manipulator loads and links (1986)",
)
class RegressorGravity:
    """The regressor at rest gives the gravity vector.

    What it checks: Y without velocity and acceleration, times the parameters of the file, is the library's own g; the
        columns of the inertias take no part.
    Why it matters: payload identification at rest uses these columns alone.
    Usual causes: a first moment about the centre of mass, not the link frame; gravity of another sign or direction.
    References: Atkeson, An and Hollerbach (1986).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Y at rest and g."""
        return {"Y at rest": _regressor(context.few), "g": ask("gravity_vector", context.few)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two."""
        return compare(
            context,
            given["Y at rest"] @ parameters(context.mechanism),
            given["g"],
            quantity="joint_torque_regressor",
            scale=context.few_scales.gravity_vector,
            factor="regressor_terms",
            batch=context.few,
            labels=lambda index: (context.mechanism.dof_names[index[0]],),
            name="the regressor's gravity vector",
        )
