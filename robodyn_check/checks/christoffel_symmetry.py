"""Christoffel symbols are symmetric in their two velocities, entry by entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.christoffel import at_velocities, matrix_states, unit_velocity
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.labels import labels_along
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.structure import TOO_LARGE

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.model.mechanism import Mechanism


@check(
    code="RD425",
    slug="christoffel-symmetric",
    quantities=("coriolis_matrix",),
    formula="Γ_ijk = Γ_ikj: C_ij(e_k) = C_ik(e_j), j and k not of one ball or floating joint",
    bound="64 eps (S_C(e_k)_ij + S_C(e_j)_ik)",
    reference="Lynch and Park, Modern Robotics (2017), equation 8.47",
)
class ChristoffelSymmetric:
    """Each Christoffel symbol is the same whichever of its two velocities comes first.

    What it checks: C asked with one unit velocity at a time holds the symbols, Γ_ijk = C_ij(e_k); every pair of them
        that exchanges j and k is equal. Asked only of libraries that declare Christoffel's matrix.
    Why it matters: RD402 looks at one sum of symbols a state; here each is looked at alone, so a wrong one is named
        by its three joints, and tables of symbols and generated code are seen entry by entry.
    Usual causes: another skew factorisation declared as Christoffel's; a special case for one moving joint; a symbol
        table with two indices exchanged.
    References: Lynch and Park (2017), equation 8.47.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C at every unit velocity."""
        if context.subject.coriolis != "christoffel":
            return "the subject does not declare Christoffel's matrix"
        batch = matrix_states(context)
        if not len(batch):
            return TOO_LARGE
        return {"C": ask("coriolis_matrix", at_velocities(batch, np.eye(context.mechanism.nv)))}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare each symbol with its mirror image."""
        mechanism, batch = context.mechanism, matrix_states(context)
        nv, count = mechanism.nv, len(batch)
        symbols = given["C"].reshape(nv, count, nv, nv).transpose(1, 2, 3, 0)  # [state, i, j, k]
        size = np.stack(
            [context.few_scales.coriolis_matrix_at(unit_velocity(context, k))[:count] for k in range(nv)], axis=3
        )
        here = np.where(_exchangeable(mechanism), symbols, 0.0)
        names = mechanism.dof_names
        return compare(
            context,
            here,
            here.transpose(0, 1, 3, 2),
            quantity="coriolis_matrix",
            scale=size + size.transpose(0, 1, 3, 2),
            factor="coriolis_matrix",
            batch=batch,
            labels=labels_along(names, names, [f"velocity of {name}" for name in names]),
            name="the Christoffel symbol",
            advice="The expected value is the symbol with the two velocities exchanged.",
        )


def _exchangeable(mechanism: Mechanism) -> FloatArray:
    """Return [j, k]: the bracket of unit velocities j and k is zero, (nv, nv)."""
    flags = np.ones((mechanism.nv, mechanism.nv), dtype=bool)
    for joint in mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            flags[joint.v, joint.v] = False
    return flags
