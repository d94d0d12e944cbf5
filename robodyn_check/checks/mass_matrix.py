"""The mass matrix by itself: symmetric, and zero between branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.tree import related

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import Probes


@check(
    code="RD201",
    slug="mass-matrix-symmetric",
    quantities=("mass_matrix",),
    formula="M = Mᵀ",
    bound="16 eps S_M",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.2",
)
class MassMatrixSymmetric:
    """The mass matrix is symmetric.

    What it checks: every entry of M equals its mirror image, up to rounding: a library that computes M column by
        column, by inverse dynamics, computes both.
    Why it matters: M is the matrix of the kinetic energy; an asymmetric one creates energy from nothing, and every
        Cholesky factorisation reads only one of its halves.
    Usual causes: a library that fills the upper triangle only; a matrix read in the wrong storage order.
    References: Featherstone (2008), section 6.2; the composite-rigid-body algorithm computes each pair once.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M at all states."""
        if context.subject.symmetric_by_construction:
            return "the adapter mirrors one triangle of M, so symmetry would prove nothing"
        return {"M": ask("mass_matrix", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare M with its transpose."""
        return compare(
            context,
            given["M"],
            given["M"].transpose(0, 2, 1),
            quantity="mass_matrix",
            scale=context.scales.mass_matrix,
            factor=16.0,
            advice="The expected value is the mirror entry.",
        )


@check(
    code="RD205",
    slug="mass-matrix-branches",
    quantities=("mass_matrix",),
    formula="M_ij = 0 where neither joint moves the other",
    bound="exact",
    reference="Featherstone (2008), section 6.4: branch-induced sparsity",
)
class MassMatrixBranches:
    """The mass matrix is zero between branches.

    What it checks: M_ij is exactly 0 for two joints of which neither lies on the path from the base to the other.
    Why it matters: joints on different branches share no moving link, so no acceleration of one needs a force at the
        other; a number there means that the library holds another tree than the file.
    Usual causes: a branch attached to the wrong link; joints in another order than the adapter says.
    References: Featherstone (2008), section 6.4.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M at all states, where the tree has branches."""
        if related(context.mechanism).all():
            return "the robot has no branches that move apart"
        return {"M": ask("mass_matrix", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the unrelated entries with 0."""
        unrelated = ~related(context.mechanism)
        return compare(
            context,
            np.where(unrelated, given["M"], 0.0),
            0.0,
            quantity="mass_matrix",
            scale=context.scales.mass_matrix.max(axis=(1, 2), keepdims=True),
            factor=0.0,
        )
