"""Agreement of two subjects on poses, Jacobians and regressors, all by the names of the links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.agreement import agree, pair_eps, probe
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.registry import check
from robodyn_check.checks.regressor import quasi_random

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import Probes


@check(
    code="RD351",
    slug="regressor-agreement",
    quantities=("joint_torque_regressor",),
    formula="Y of one = Y of the other",
    bound="64 eps S_Y",
    reference="the certified reference",
)
class RegressorAgreement:
    """Two subjects have the same regressor.

    What it checks: every column, link by link and parameter by parameter, in the same order and about the link frame.
    Why it matters: Y depends on the kinematics alone, so it finds a wrong joint placement or axis that inertias hide.
    Usual causes: parameter order; reference point; a column block given to the wrong link.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Y."""
        return probe(context, "joint_torque_regressor")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare entry by entry."""
        return agree(context, given, "joint_torque_regressor")


@check(
    code="RD352",
    slug="regressor-product-agreement",
    quantities=("joint_torque_regressor",),
    formula="Y pi of one = Y pi of the other, for parameters spread over (-1, 1)",
    bound="64 eps S_Y |pi|",
    reference="the certified reference",
)
class RegressorProductAgreement:
    """Two regressors give the same torques for any parameters.

    What it checks: Y times parameters that belong to no robot, so that nothing cancels by design.
    Why it matters: identification multiplies Y with parameters that are not yet the true ones.
    Usual causes: parameter order; two columns exchanged; a column of a link counted elsewhere.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Y."""
        return probe(context, "joint_torque_regressor")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the products."""
        pi = quasi_random(10 * context.mechanism.nl, context.seed)
        names = context.mechanism.dof_names
        return compare(
            context,
            given["joint_torque_regressor"] @ pi,
            given.theirs["joint_torque_regressor"] @ pi,
            quantity="joint_torque_regressor",
            scale=context.scales.joint_torque_regressor @ np.abs(pi),
            factor="joint_torque_regressor",
            eps=pair_eps(context),
            labels=lambda index: (names[index[0]],),
            name="Y pi",
        )


@check(
    code="RD650",
    slug="link-pose-agreement",
    quantities=("link_poses",),
    formula="pose of each link of one = pose of the same link of the other",
    bound="32 eps path length (position), 16 eps (1 + joints on the path) (rotation)",
    reference="the certified reference",
)
class LinkPoseAgreement:
    """Two subjects put every link in the same place.

    What it checks: position and rotation of every link that both know, by name; links merged away are left out.
    Why it matters: everything else is built on it, and it holds no inertia: a difference here is pure kinematics.
    Usual causes: order of roll, pitch, yaw; an axis that is not normalised; joints in another order; degrees.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for poses."""
        return probe(context, "link_poses")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare entry by entry."""
        return agree(context, given, "link_poses")


@check(
    code="RD651",
    slug="link-jacobian-agreement",
    quantities=("link_jacobians",),
    formula="Jacobian of each link of one = Jacobian of the same link of the other",
    bound="64 eps (path + lever) (linear), 16 eps (1 + joints on the path) (angular)",
    reference="the certified reference",
)
class LinkJacobianAgreement:
    """Two subjects have the same Jacobians.

    What it checks: the Jacobian of every link origin in world axes, for the links that both know, by name.
    Why it matters: forces and velocities at the hand.
    Usual causes: body axes instead of world axes; another reference point; halves exchanged.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Jacobians."""
        return probe(context, "link_jacobians")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare entry by entry."""
        return agree(context, given, "link_jacobians")
