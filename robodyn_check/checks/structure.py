"""What the tree alone says about how the mass matrix may depend on the joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import shifted_states, stencil
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.labels import labels_along
from robodyn_check.checks.registry import check
from robodyn_check.checks.tree import must_vanish

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.states import StateBatch

TOO_LARGE = "the robot has too many degrees of freedom for derivatives of its mass matrix"


def rate_states(context: ProbeContext | JudgeContext) -> StateBatch:
    """Return the states at which derivatives of M are taken."""
    return shifted_states(context.mechanism, context.few, doubles=context.mechanism.nv**2)


@check(
    code="RD204",
    slug="mass-matrix-structural-zeros",
    quantities=("mass_matrix",),
    formula="∂M_ij/∂q_k = 0 unless k is strictly below the upper of i, j and on a common path with the lower",
    bound="128 eps S_dM,k",
    reference="Lynch and Park, Modern Robotics (2017), section 8.1; Riesz (1914) for the derivative",
)
class MassMatrixStructuralZeros:
    """The mass matrix depends only on the joints that it can depend on.

    What it checks: the derivatives of the library's own M, without truncation error. Along a chain ∂M_ij/∂q_k is 0 for
        k ≤ min(i, j): M is independent of the first joint, and its last diagonal entry is constant; on a floating
        base it is independent of the pose.
    Why it matters: M is seen from the joints themselves, so turning everything above a pair of joints changes nothing
        for it. A dependence shows that a frame, a joint order or a merged link is wrong.
    Usual causes: joints in another order than declared; an inertia kept in world axes; a base that is not welded.
    References: Lynch and Park (2017), section 8.1; M. Riesz, Eine trigonometrische Interpolationsformel (1914).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M around the few states."""
        batch = rate_states(context)
        if not len(batch):
            return TOO_LARGE
        return {"dM": stencil(context.mechanism, batch, degree=2).request("mass_matrix", batch)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the derivatives that must vanish with 0."""
        batch = rate_states(context)
        vanish = must_vanish(context.mechanism)
        shape = (len(batch), *vanish.shape)
        found: FloatArray = np.zeros(shape)
        size: FloatArray = np.ones(shape)
        for k, derivative in stencil(context.mechanism, batch, degree=2).derivatives(given["dM"]):
            found[:, k] = np.where(vanish[k], derivative, 0.0)
            size[:, k] = context.few_scales.mass_matrix_derivative(k)[: len(batch)]
        names = context.mechanism.dof_names
        return compare(
            context,
            found,
            0.0,
            quantity="mass_matrix",
            scale=size,
            factor="structural_zeros",
            batch=batch,
            labels=labels_along([f"along {name}" for name in names], names, names),
            name="the derivative of mass_matrix",
        )
