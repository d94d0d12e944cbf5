"""Inverse dynamics against the subject's own mass matrix and bias force."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.forces import bias_of, bias_probes, times
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.labels import labels_along
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch


@check(
    code="RD301",
    slug="equation-of-motion",
    quantities=("inverse_dynamics", "mass_matrix", "bias_force"),
    formula="ID(q, v, a) = M a + C v + g",
    bound="16 eps S_tau",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), equation 3.5",
)
class EquationOfMotion:
    """Inverse dynamics is M a + C v + g of the same library.

    What it checks: tau from inverse dynamics equals the library's own mass matrix times a plus its own bias force.
    Why it matters: these come from different algorithms (recursion outward and inward, composite bodies); a controller
        that mixes them drives a robot that does not exist if they disagree.
    Usual causes: armature in one of them only; damping or friction inside inverse dynamics; a stale cache.
    References: Featherstone (2008), equation 3.5.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the three at all states."""
        return {
            "ID": ask("inverse_dynamics", context.states),
            "M": ask("mass_matrix", context.states),
            **bias_probes(context, context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare tau with the sum."""
        return compare(
            context,
            given["ID"],
            times(given["M"], context.states.a) + bias_of(given),
            quantity="inverse_dynamics",
            scale=context.scales.inverse_dynamics,
            factor="inverse_dynamics_from_mass_matrix",
        )


@check(
    code="RD302",
    slug="inverse-dynamics-bias",
    quantities=("inverse_dynamics", "bias_force"),
    formula="ID(q, v, 0) = h(q, v)",
    bound="16 eps S_b",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class InverseDynamicsBias:
    """Inverse dynamics without acceleration is the bias force.

    What it checks: ID(q, v, 0) equals C v + g of the same library.
    Why it matters: what is left without acceleration is the force that a controller compensates; here the mass matrix
        is out of the picture, so a difference lies in the velocity or gravity terms.
    Usual causes: damping or friction inside one of the two; gravity in one of the two only.
    References: Featherstone (2008), section 3.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for inverse dynamics with a = 0."""
        still = np.zeros_like(context.states.a)
        return {
            "ID": ask("inverse_dynamics", context.states, a=still),
            **bias_probes(context, context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two."""
        return compare(
            context,
            given["ID"],
            bias_of(given),
            quantity="inverse_dynamics",
            scale=context.scales.bias_force,
            factor="inverse_dynamics_at_rest_is_bias",
        )


def _unit_accelerations(states: StateBatch) -> Request:
    """Ask for inverse dynamics at rest with one unit acceleration at a time: (nv · N) rows, dof by dof."""
    nv = states.v.shape[1]
    return ask(
        "inverse_dynamics",
        states,
        q=np.tile(states.q, (nv, 1)),
        v=np.zeros((nv * len(states), nv)),
        a=np.repeat(np.eye(nv), len(states), axis=0),
    )


@check(
    code="RD303",
    slug="mass-matrix-columns",
    quantities=("inverse_dynamics", "mass_matrix", "gravity_vector"),
    formula="ID(q, 0, e_j) - g = M e_j",
    bound="32 eps (S_M e_j + S_g)",
    reference="Walker and Orin, Efficient dynamic computer simulation of robotic mechanisms (1982), method 1",
)
class MassMatrixColumns:
    """Unit accelerations give the columns of the mass matrix.

    What it checks: inverse dynamics at rest with acceleration 1 at one joint, minus gravity, is its column of M.
    Why it matters: it shows which joint and which entry disagree, not only that a sum does.
    Usual causes: armature in M but not in inverse dynamics, or twice; a column in another joint order.
    References: Walker and Orin (1982), method 1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for inverse dynamics at unit accelerations, M and g at the few states."""
        return {
            "ID": _unit_accelerations(context.few),
            "M": ask("mass_matrix", context.few),
            "g": ask("gravity_vector", context.few),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare column by column; the result is filed as M[i, j]."""
        nv, count = context.mechanism.nv, len(context.few)
        columns: FloatArray = given["ID"].reshape(nv, count, nv) - given["g"]
        scales = context.few_scales
        names = context.mechanism.dof_names
        return compare(
            context,
            columns.transpose(1, 2, 0),
            given["M"],
            quantity="inverse_dynamics",
            scale=scales.mass_matrix + scales.gravity_vector[:, :, None],
            factor="unit_acceleration_is_column",
            batch=context.few,
            labels=labels_along(names, [f"acceleration of {name}" for name in names]),
        )
