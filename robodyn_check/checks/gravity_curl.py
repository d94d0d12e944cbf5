"""The gravity vector has a potential: its derivative is symmetric. No energy is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import shifted_states, stencil
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.labels import labels_along
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import Probes
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.states import StateBatch


@check(
    code="RD420",
    slug="gravity-has-potential",
    quantities=("gravity_vector",),
    formula="∂g_i/∂q_j = ∂g_j/∂q_i between joints of one degree of freedom",
    bound="64 eps (S_dg,j[i] + S_dg,i[j])",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), equation 7.60",
)
class GravityHasPotential:
    """The gravity vector is the gradient of something.

    What it checks: derivatives of the library's own gravity vector, without truncation error, are symmetric. It needs
        no potential energy from the library.
    Why it matters: a force field without a potential gives energy away on closed paths: a robot that moves in a circle
        and comes back would have gained some.
    Usual causes: gravity torque of one joint computed with the pose of another state; a transposed rotation; forces
        that are not gravity mixed in.
    References: Spong, Hutchinson and Vidyasagar (2006), equation 7.60.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g around the few states."""
        if not any(context.gravity):
            return "gravity is zero in this run"
        if len(_plain(context.mechanism)) < 2:
            return "the robot has fewer than two joints of one degree of freedom"
        batch = _states(context)
        return {"dg": stencil(context.mechanism, batch, degree=1).request("gravity_vector", batch)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the matrix of derivatives with its transpose."""
        mechanism, batch = context.mechanism, _states(context)
        gradient = np.zeros((len(batch), mechanism.nv, mechanism.nv))
        size = np.zeros_like(gradient)
        for k, derivative in stencil(mechanism, batch, degree=1).derivatives(given["dg"]):
            gradient[:, :, k] = derivative
            size[:, :, k] = context.few_scales.gravity_derivative(k)[: len(batch)]
        plain = _plain(mechanism)
        chosen = np.ix_(range(len(batch)), plain, plain)
        gradient, size = gradient[chosen], size[chosen]
        dofs = mechanism.dof_names
        names = [dofs[k] for k in plain]
        return compare(
            context,
            gradient,
            gradient.transpose(0, 2, 1),
            quantity="gravity_vector",
            scale=size + size.transpose(0, 2, 1),
            factor="gravity_has_potential",
            batch=batch,
            labels=labels_along(names, [f"along {name}" for name in names]),
            name="the derivative of gravity_vector",
            advice="The expected value is the mirror entry.",
        )


def _states(context: ProbeContext | JudgeContext) -> StateBatch:
    """Return the states at which derivatives of g are taken."""
    return shifted_states(context.mechanism, context.few, doubles=context.mechanism.nv)


def _plain(mechanism: Mechanism) -> list[int]:
    """Return the velocities of joints that have one alone: only between these are second derivatives symmetric."""
    return [joint.v.start for joint in mechanism.joints if joint.v.stop - joint.v.start == 1]
