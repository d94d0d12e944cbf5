"""What the joint at the base must show, from the model's masses alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import rotation
from robodyn_check.checks.forces import velocity_force_of, velocity_probes
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.model.mechanism import Mechanism, MovingJoint

#: |axis × γ| / |γ| below which a joint's axis counts as parallel to gravity: rounding of a rotation, no more.
_PARALLEL = 8 * np.finfo(float).eps


def root_joints(mechanism: Mechanism, kinds: set[str]) -> tuple[MovingJoint, ...]:
    """Return the joints of these kinds that hang on the world."""
    return tuple(joint for joint in mechanism.joints if mechanism.parent[joint.body] < 0 and joint.kind in kinds)


def world_axis(mechanism: Mechanism, joint: MovingJoint) -> FloatArray:
    """Return the axis of a root joint in world axes, (3,)."""
    turn = np.asarray(mechanism.R_tree[:, :, joint.body], dtype=float)
    axis: FloatArray = turn @ np.asarray(mechanism.axis[:, joint.body], dtype=float)
    return axis


def subtree_mass(mechanism: Mechanism, joint: MovingJoint) -> float:
    """Return the mass that a joint carries, kg."""
    carried = {joint.body}
    for body in range(mechanism.nb):
        if mechanism.parent[body] in carried:
            carried.add(body)
    return float(sum(mechanism.mass[body] for body in carried))


def parallel_to_gravity(mechanism: Mechanism, gravity: tuple[float, float, float]) -> tuple[MovingJoint, ...]:
    """Return the revolute root joints whose axis is parallel to gravity; all of them where there is none."""
    return tuple(
        joint
        for joint in root_joints(mechanism, {"revolute", "continuous"})
        if np.linalg.norm(np.cross(world_axis(mechanism, joint), gravity)) <= _PARALLEL * np.linalg.norm(gravity)
    )


def _vertical(context: ProbeContext | JudgeContext) -> tuple[MovingJoint, ...]:
    """Return the revolute root joints whose axis is parallel to gravity."""
    return parallel_to_gravity(context.mechanism, context.gravity)


@check(
    code="RD414",
    slug="gravity-vertical-joint",
    quantities=("gravity_vector",),
    formula="g_i = 0 for a revolute joint at the base whose axis is parallel to gravity",
    bound="32 eps S_g",
    reference="Lynch and Park, Modern Robotics (2017), section 8.1",
)
class GravityVerticalJoint:
    """A vertical joint at the base carries no gravity torque.

    What it checks: the gravity vector is 0 at a revolute root joint whose axis is parallel to gravity.
    Why it matters: turning about a vertical axis lifts nothing; a torque there shows a wrong field or base frame.
    Usual causes: gravity along another axis; the base's placement applied twice or not at all.
    References: Lynch and Park (2017), section 8.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g, where there is such a joint."""
        if not any(context.gravity) or not _vertical(context):
            return "no revolute joint at the base is parallel to gravity"
        return {"g": ask("gravity_vector", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare these entries with 0."""
        joints = _vertical(context)
        columns = [joint.v.start for joint in joints]
        return compare(
            context,
            given["g"][:, columns],
            0.0,
            quantity="gravity_vector",
            scale=context.scales.gravity_vector[:, columns],
            factor="gravity_vector",
            labels=lambda index: (joints[index[0]].name,),
        )


@check(
    code="RD415",
    slug="gravity-sliding-base",
    quantities=("gravity_vector",),
    formula="g_i = -m γ·axis for a prismatic joint at the base, m the mass it carries",
    bound="32 eps m|γ|",
    reference="Lynch and Park, Modern Robotics (2017), section 8.1",
)
class GravitySlidingBase:
    """A sliding joint at the base carries the weight above it.

    What it checks: the gravity force at a prismatic root joint is the weight of its subtree along the axis.
    Why it matters: it is the total mass as the library holds it, read off without any other quantity.
    Usual causes: a link lost or counted twice; sign or size of gravity; an axis of another length.
    References: Lynch and Park (2017), section 8.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g, where there is such a joint."""
        if not any(context.gravity) or not root_joints(context.mechanism, {"prismatic"}):
            return "no prismatic joint at the base"
        return {"g": ask("gravity_vector", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare these entries with the weights."""
        joints = root_joints(context.mechanism, {"prismatic"})
        columns = [joint.v.start for joint in joints]
        gravity = np.asarray(context.gravity)
        weights = [
            -subtree_mass(context.mechanism, joint) * float(world_axis(context.mechanism, joint) @ gravity)
            for joint in joints
        ]
        return compare(
            context,
            given["g"][:, columns],
            np.array(weights),
            quantity="gravity_vector",
            scale=context.scales.gravity_vector[:, columns],
            factor="gravity_vector",
            labels=lambda index: (joints[index[0]].name,),
        )


@check(
    code="RD416",
    slug="gravity-floating-base",
    quantities=("gravity_vector",),
    formula="g = -m Rᵀ γ along the axes of a floating base",
    bound="32 eps m|γ|",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 9.3",
)
class GravityFloatingBase:
    """A floating base carries the weight of the whole robot.

    What it checks: the linear part of the gravity vector at a free root joint is the total weight in the base's axes.
    Why it matters: total mass, quaternion order and the frame of the base's velocity in one number.
    Usual causes: quaternion wxyz read as xyzw; base velocity in world axes; a link lost.
    References: Featherstone (2008), section 9.3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g, where the base floats."""
        if not any(context.gravity) or not root_joints(context.mechanism, {"floating"}):
            return "the base does not float"
        return {"g": ask("gravity_vector", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the base's linear entries with the weight."""
        mechanism, gravity = context.mechanism, np.asarray(context.gravity)
        joints = root_joints(mechanism, {"floating"})
        columns = [i for joint in joints for i in range(joint.v.start, joint.v.start + 3)]
        weights = [
            -subtree_mass(mechanism, joint)
            * np.einsum("nji,j->ni", _base_rotation(mechanism, joint, context.states.q), gravity)
            for joint in joints
        ]
        return compare(
            context,
            given["g"][:, columns],
            np.concatenate(weights, axis=1),
            quantity="gravity_vector",
            scale=context.scales.gravity_vector[:, columns],
            factor="base_carries_the_weight",
            labels=lambda index: (mechanism.dof_names[columns[index[0]]],),
        )


def _base_rotation(mechanism: Mechanism, joint: MovingJoint, q: FloatArray) -> FloatArray:
    """Return world from body, (N, 3, 3), for a floating joint on the world."""
    turn = np.asarray(mechanism.R_tree[:, :, joint.body], dtype=float)
    return turn @ rotation(q[:, joint.q][:, 3:])


@check(
    code="RD417",
    slug="coriolis-base-pose",
    quantities=("coriolis_force",),
    formula="C v does not depend on the pose of a floating base",
    bound="16 eps (S_q + S_q')",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 9.3",
)
class CoriolisBasePose:
    """The velocity-product force does not depend on where a floating base is.

    What it checks: C v with the base moved to the origin and turned back equals C v at the pose drawn.
    Why it matters: in the base's own axes space is the same everywhere; a dependence means that velocities are read in
        other axes than the adapter says.
    Usual causes: base velocity in world axes; quaternion order; gravity left in.
    References: Featherstone (2008), section 9.3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C v at both poses."""
        if not root_joints(context.mechanism, {"floating"}):
            return "the base does not float"
        asked = velocity_probes(context, context.states)
        home = _at_home(context)
        return {
            **asked,
            **{f"home {name}": ask(name, context.states, q=home) for name in asked},
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two poses."""
        mine = {name.removeprefix("home "): given[name] for name in given.mine if name.startswith("home ")}
        size = 2 * context.scales.coriolis_force
        if "bias_force" in given:
            size = size + 2 * context.scales.gravity_vector
        return compare(
            context,
            velocity_force_of(given, context.states.v),
            velocity_force_of(Given(mine=mine), context.states.v),
            quantity="coriolis_force",
            scale=size,
            factor="coriolis_force_independent_of_base",
        )


def _at_home(context: ProbeContext | JudgeContext) -> FloatArray:
    """Return the states' q with every floating root joint at its origin, unturned."""
    home = context.states.q.copy()
    for joint in root_joints(context.mechanism, {"floating"}):
        home[:, joint.q] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    return home
