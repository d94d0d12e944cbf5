"""Poses and Jacobians: rotations are rotations, and Jacobians are derivatives of poses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import shifted_states, stencil
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.labels import labels_along, labels_of
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.tolerance import FACTORS

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.states import StateBatch

TOO_LARGE = "the robot has too many links and degrees of freedom for derivatives of its poses"


def pose_states(context: ProbeContext | JudgeContext) -> StateBatch:
    """Return the states at which derivatives of poses are taken."""
    return shifted_states(context.mechanism, context.few, doubles=12 * context.mechanism.nl)


def _pose_probes(context: ProbeContext) -> Probes:
    """Ask for Jacobians at, and poses around, the few states."""
    batch = pose_states(context)
    if not len(batch):
        return TOO_LARGE
    return {
        "J": ask("link_jacobians", batch),
        "T": ask("link_poses", batch),
        "dT": stencil(context.mechanism, batch, degree=1).request("link_poses", batch),
    }


def _path_growth(context: JudgeContext, batch: StateBatch, k: int) -> FloatArray:
    """Return the size of the derivative of a link's position along dof k, (N, nl): d0, or (d0 + h)/h for a slide."""
    scales, rows = context.few_scales, slice(len(batch))
    path: FloatArray = scales.link_poses[rows, :, 0, 3]
    if scales.tree.angular[k]:
        return path
    step = scales.step(k)[rows, None]
    return (path + step) / step


@check(
    code="RD601",
    slug="pose-rotation",
    quantities=("link_poses",),
    formula="RᵀR = 1 and r₁ × r₂ = r₃",
    bound="32 eps (1 + joints on the path) √3",
    reference="Lynch and Park, Modern Robotics (2017), section 3.2",
)
class PoseRotation:
    """The rotation part of every pose is a rotation.

    What it checks: columns of unit length, perpendicular, right-handed.
    Why it matters: anything else stretches what it turns; errors then appear far from their source.
    Usual causes: a quaternion that is not normalised; a mirrored frame; an axis of another length than one. (A
        transpose is a rotation too: the Jacobian checks see it.)
    References: Lynch and Park (2017), section 3.2.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the poses."""
        return {"T": ask("link_poses", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare RᵀR with 1, and the cross product of the first two axes with the third."""
        turn = given["T"][..., :3]
        square = np.einsum("nlij,nlik->nljk", turn, turn)
        hand = np.cross(turn[..., 0], turn[..., 1])[:, :, None, :]
        third = turn[..., 2][:, :, None, :]
        unit = np.broadcast_to(np.eye(3), square.shape)
        scale = 2 * np.sqrt(3) * context.scales.link_poses[:, :, :1, :1]
        return compare(
            context,
            np.concatenate([square, hand], axis=2),
            np.concatenate([unit, third], axis=2),
            quantity="link_poses",
            scale=scale,
            factor="link_poses",
            labels=labels_along(
                context.mechanism.links,
                ("x axis", "y axis", "z axis", "x axis × y axis"),
                ("x axis", "y axis", "z axis"),
            ),
            name="RᵀR of link_poses",
        )


@check(
    code="RD602",
    slug="jacobian-linear",
    quantities=("link_jacobians", "link_poses"),
    formula="J_linear = ∂p/∂q",
    bound="64 eps S_J + 32 eps S_p,k",
    reference="Lynch and Park, Modern Robotics (2017), section 5.1",
)
class JacobianLinear:
    """The linear half of a Jacobian is the derivative of the link's position.

    What it checks: derivatives of the library's own poses, without truncation error, against its own Jacobians.
    Why it matters: forces at the hand reach the joints through the Jacobian; a wrong frame or point turns them.
    Usual causes: Jacobian in body axes; of the centre of mass instead of the origin; halves exchanged.
    References: Lynch and Park (2017), section 5.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Jacobians at, and poses around, the few states."""
        return _pose_probes(context)

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare ∂p/∂q with the first three rows."""
        batch = pose_states(context)
        found, size = given["J"][:, :, :3], context.few_scales.link_jacobians[: len(batch), :, :3].copy()
        velocity: FloatArray = np.empty_like(found)
        share = FACTORS["link_poses"].value / FACTORS["link_jacobians"].value
        for k, derivative in stencil(context.mechanism, batch, degree=1).derivatives(given["dT"]):
            velocity[..., k] = derivative[..., 3]
            size[..., k] += share * _path_growth(context, batch, k)[:, :, None]
        return compare(
            context,
            found,
            velocity,
            quantity="link_jacobians",
            scale=size,
            factor="link_jacobians",
            batch=batch,
            labels=labels_of(context.mechanism, "link_jacobians"),
        )


@check(
    code="RD603",
    slug="jacobian-angular",
    quantities=("link_jacobians", "link_poses"),
    formula="[J_angular]× = ∂R/∂q Rᵀ",
    bound="16 eps (1 + joints on the path) + 64 eps (1 + joints on the path)",
    reference="Lynch and Park, Modern Robotics (2017), section 3.2.2",
)
class JacobianAngular:
    """The angular half of a Jacobian is the rate of the link's rotation.

    What it checks: the axis of ∂R/∂q Rᵀ, from the library's own poses without truncation error, against its Jacobians.
    Why it matters: moments at the hand reach the joints through it.
    Usual causes: angular velocity in body axes; rates of roll, pitch and yaw instead of angular velocity.
    References: Lynch and Park (2017), section 3.2.2.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Jacobians at, and poses around, the few states."""
        return _pose_probes(context)

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the axes with the last three rows."""
        batch = pose_states(context)
        turn = given["T"][..., :3]
        found = given["J"][:, :, 3:]
        rate: FloatArray = np.empty_like(found)
        # A slide turns nothing: its derivative is rounding of R divided by the step.
        steps = np.ones((len(batch), 1, 1, context.mechanism.nv))
        for k, derivative in stencil(context.mechanism, batch, degree=1).derivatives(given["dT"]):
            spin = np.einsum("nlij,nlkj->nlik", derivative[..., :3], turn)
            rate[..., 0, k] = (spin[..., 2, 1] - spin[..., 1, 2]) / 2
            rate[..., 1, k] = (spin[..., 0, 2] - spin[..., 2, 0]) / 2
            rate[..., 2, k] = (spin[..., 1, 0] - spin[..., 0, 1]) / 2
            steps[..., k] = context.few_scales.step(k)[: len(batch), None, None]
        path = context.few_scales.link_poses[: len(batch), :, :1, :1]
        size = context.few_scales.link_jacobians[: len(batch), :, 3:] + 2 * path / steps
        return compare(
            context,
            found,
            rate,
            quantity="link_jacobians",
            scale=size,
            factor="link_jacobians",
            batch=batch,
            labels=lambda index: labels_of(context.mechanism, "link_jacobians")((index[0], index[1] + 3, index[2])),
        )
