"""Christoffel symbols, read off a subject one unit velocity at a time: those that vanish, the force they rebuild."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import first_states
from robodyn_check.checks.forces import velocity_force_of, velocity_probes
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.labels import labels_along
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.structure import TOO_LARGE
from robodyn_check.checks.tree import must_vanish

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.states import StateBatch


#: Doubles that the matrices at unit velocities, and forces at pairs of velocities, may bring back; 100 dofs still do.
_MATRICES, _FORCES = 1_000_000, 500_000


def matrix_states(context: ProbeContext | JudgeContext) -> StateBatch:
    """Return the states at which a matrix for each velocity is asked."""
    return first_states(context.few, _MATRICES // context.mechanism.nv**3)


def _force_states(context: ProbeContext | JudgeContext) -> StateBatch:
    """Return the states at which a force for each pair of velocities is asked."""
    return first_states(context.few, 2 * _FORCES // context.mechanism.nv**3)


def at_velocities(batch: StateBatch, velocities: FloatArray) -> StateBatch:
    """Return every state with every velocity (K, nv): K · N rows, velocity by velocity."""
    copies, count = len(velocities), len(batch)
    v = np.repeat(velocities, count, axis=0)
    tiled = {name: np.tile(getattr(batch, name), (copies, 1)) for name in ("q", "a", "tau")}
    return replace(batch, **tiled, v=v, kinds=())


@check(
    code="RD423",
    slug="christoffel-zeros",
    quantities=("coriolis_matrix",),
    formula="C_ii(e_k) = ½ ∂M_ii/∂q_k = 0 unless k is strictly below i: Γ_iii = 0, Γ_iij = 0 for j ≤ i along a chain",
    bound="64 eps S_C(e_k)",
    reference="Lynch and Park, Modern Robotics (2017), section 8.1",
)
class ChristoffelZeros:
    """A joint's own inertia does not change with the joints that carry it.

    What it checks: the diagonal of C, asked with one unit velocity at a time, is 0 where the joint that moves is not
        below. It holds for every skew factorisation; one that declares any factorisation is not asked.
    Why it matters: these entries are the rate of a joint's inertia; a number there is a centrifugal force of a joint
        upon itself, which does not exist.
    Usual causes: joints in another order than the adapter says; damping inside C; a velocity in another frame.
    References: Lynch and Park (2017), section 8.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C at every unit velocity."""
        if context.subject.coriolis == "any":
            return "the subject declares any factorisation of C v, so only its product with v is checked"
        batch = matrix_states(context)
        if not len(batch):
            return TOO_LARGE
        return {"C": ask("coriolis_matrix", at_velocities(batch, np.eye(context.mechanism.nv)))}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the diagonals with 0."""
        mechanism, batch = context.mechanism, matrix_states(context)
        nv, count = mechanism.nv, len(batch)
        diagonal = np.diagonal(given["C"], axis1=1, axis2=2).reshape(nv, count, nv).transpose(1, 0, 2)
        vanish = np.diagonal(must_vanish(mechanism), axis1=1, axis2=2)  # [k, i]
        size = np.stack(
            [
                np.diagonal(context.few_scales.coriolis_matrix_at(unit_velocity(context, k)), axis1=1, axis2=2)[:count]
                for k in range(nv)
            ],
            axis=1,
        )
        names = mechanism.dof_names
        return compare(
            context,
            np.where(vanish, diagonal, 0.0),
            0.0,
            quantity="coriolis_matrix",
            scale=size,
            factor="coriolis_matrix",
            batch=batch,
            labels=labels_along([f"velocity of {name}" for name in names], names),
            name="the diagonal of coriolis_matrix",
        )


def unit_velocity(context: JudgeContext, k: int) -> FloatArray:
    """Return unit velocity k at all few states, (N, nv)."""
    unit = np.zeros_like(context.few.v)
    unit[:, k] = 1.0
    return unit


@check(
    code="RD424",
    slug="coriolis-force-rebuilt",
    quantities=("coriolis_force",),
    formula="C v = Σ_j v_j² f(e_j) + Σ_{j<k} v_j v_k [f(e_j + e_k) - f(e_j) - f(e_k)], f the force at a velocity",
    bound="16 eps (S_q(v) + Σ_j (v_j² + 2 |v_j| Σ_k |v_k|) S_q(e_j))",
    reference="Craig, Introduction to Robotics (2005), equation 6.65: centrifugal and Coriolis coefficients",
)
class CoriolisForceRebuilt:
    """Centrifugal and Coriolis coefficients rebuild the velocity-product force.

    What it checks: the force at unit velocities gives the centrifugal matrix, at pairs of them the Coriolis matrix; the
        two together give the force at the velocity drawn. It needs no matrix C of the library.
    Why it matters: a force that is quadratic along every line need not be a quadratic form; only these coefficients
        make it one, and they are what look-up tables and hand-written controllers hold.
    Usual causes: damping or friction in the force; velocities that are clamped or filtered; a stale cache.
    References: Craig (2005), equation 6.65.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the force at unit velocities, at pairs of them, and at v."""
        batch = _force_states(context)
        if not len(batch):
            return TOO_LARGE
        probed = velocity_probes(context, at_velocities(batch, _velocities(context.mechanism.nv)))
        return {
            **{f"unit {name}": request for name, request in probed.items()},
            **velocity_probes(context, batch),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the force with the one rebuilt."""
        batch, nv = _force_states(context), context.mechanism.nv
        velocities = _velocities(nv)
        mine = {name.removeprefix("unit "): given[name] for name in given.mine if name.startswith("unit ")}
        probed = velocity_force_of(Given(mine=mine), np.repeat(velocities, len(batch), axis=0))
        force = probed.reshape(len(velocities), len(batch), nv)
        first, second = np.triu_indices(nv, 1)
        pairs = force[nv:] - force[first] - force[second]
        v, u = batch.v, np.abs(batch.v)
        rebuilt = np.einsum("nj,jni->ni", v**2, force[:nv])
        rebuilt += np.einsum("np,pni->ni", v[:, first] * v[:, second], pairs)
        total = u.sum(axis=1, keepdims=True)
        scales, rows = context.few_scales, slice(len(batch))
        size = scales.coriolis_force[rows].copy()
        for j in range(nv):
            size += (u[:, [j]] ** 2 + 2 * u[:, [j]] * total) * scales.coriolis_force_at(unit_velocity(context, j))[rows]
        if "bias_force" in mine:
            size += (1 + 2 * total**2) * scales.gravity_vector[rows]
        return compare(
            context,
            velocity_force_of(given, v),
            rebuilt,
            quantity="coriolis_force",
            scale=size,
            factor="coriolis_force_rebuilt",
            batch=batch,
        )


def _velocities(nv: int) -> FloatArray:
    """Return the unit velocities, then the sums of two, (nv + nv (nv - 1) / 2, nv)."""
    first, second = np.triu_indices(nv, 1)
    unit = np.eye(nv)
    return np.concatenate([unit, unit[first] + unit[second]])
