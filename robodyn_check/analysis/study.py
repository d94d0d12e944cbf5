"""`analyze`: everything about one robot that the equation of motion can say before any library is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.analysis.drift import energy_drift
from robodyn_check.analysis.inertia import Drives, at_poses, conditioning, joint_inertias
from robodyn_check.analysis.parameters import parameter_study
from robodyn_check.analysis.results import Analysis, BaseParameters, Gravity, Velocity
from robodyn_check.analysis.tips import tip_studies
from robodyn_check.analysis.turntable import turntable
from robodyn_check.checks.effective_mass import tips as default_tips
from robodyn_check.errors import EvaluationError, UsageError
from robodyn_check.model.suggest import suggestion
from robodyn_check.motion import STEPS
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states
from robodyn_check.tolerance.uniform import uniform_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.analysis.results import Drift
    from robodyn_check.model.joint_data import JointData
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.states import StateBatch

#: Free motions whose energy is followed; above so many degrees of freedom fewer, at coarser steps, then none.
_MOTIONS, _FEWER_MOTIONS, _MANY_DOFS, _TOO_MANY_DOFS = 4, 2, 20, 100
#: States at which ‖C‖ is computed.
_VELOCITY_STATES = 50


def analyse(
    robot: RobotModel,
    mechanism: Mechanism,
    data: JointData | None,
    *,
    tools: Sequence[str] = (),
    samples: int = 300,
    seed: int = 0,
) -> Analysis:
    """Study one robot.

    Args:
        robot: As read, for names and limits.
        mechanism: Of the robot with its payload.
        data: Joint data; None where there is none.
        tools: Links to look at as tips; empty: the last link of each branch.
        samples: Number of poses, inside the limits.
        seed: Of the poses.

    Raises:
        UsageError: A tool that is no link.
        EvaluationError: The robot is too large.
    """
    chosen = _tools(mechanism, tools)
    notes: list[str] = []
    states = _inside(draw_states(mechanism, count=samples, seed=seed))
    drives = _drives(robot, mechanism, data)
    load = data.payload.mass if data is not None and data.payload is not None else 0.0
    base: dict[str, Any] = {
        "model": robot.path,
        "sha256": robot.sha256,
        "joint_data": None if data is None else data.path,
        "base": mechanism.base,
        "gravity_field": tuple(float(component) for component in mechanism.gravity),
        "mass": float(sum(float(mass) for mass in mechanism.link_mass)),
        "states": len(states),
        "seed": seed,
        "dofs": mechanism.dof_names,
    }
    if mechanism.nv == 0:
        return Analysis(
            **base,
            pose=(),
            joints=(),
            conditioning=None,
            gravity=None,
            velocity=None,
            tips=(),
            drift=(),
            parameters=None,
            notes=("the robot has no joint that moves",),
        )
    poses = at_poses(mechanism, states.q)
    pose = _pose(mechanism)
    return Analysis(
        **base,
        pose=tuple(pose.tolist()),
        joints=joint_inertias(mechanism, poses, drives),
        conditioning=conditioning(mechanism, poses, drives),
        gravity=_gravity(mechanism, states, poses.gravity),
        velocity=_velocity(mechanism, states),
        tips=tip_studies(mechanism, pose, chosen, drives, load=load),
        drift=_drift(mechanism, states, notes),
        parameters=_parameters(mechanism, seed, notes),
        turntable=turntable(mechanism, poses) if mechanism.base == "fixed" else None,
        notes=tuple(notes),
    )


def _tools(mechanism: Mechanism, tools: Sequence[str]) -> list[str]:
    """Return the links to look at, checked."""
    for tool in tools:
        if tool not in mechanism.links:
            raise UsageError(f"--tool {tool}: the model has no such link. {suggestion(tool, mechanism.links)}")
    return list(tools) or [mechanism.links[link] for link in default_tips(mechanism)]


def _inside(states: StateBatch) -> StateBatch:
    """Return the states inside the limits."""
    return states.rows([number for number, kind in enumerate(states.kinds) if kind != "outside"])


def _pose(mechanism: Mechanism) -> np.ndarray:
    """Return the pose that tips are shown at: a third of the way from the lower limit, so that arms are bent."""
    q = np.zeros(mechanism.nq)
    for joint in mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            q[joint.q.stop - 1] = 1.0
        elif joint.v.stop - joint.v.start == 1:
            low, high = joint.lower[0], joint.upper[0]
            bounded = np.isfinite(low) and np.isfinite(high) and high - low < 2 * np.pi
            q[joint.q] = low + (high - low) / 3 if bounded else 0.5 if joint.kind != "prismatic" else 0.0
    return q


def _drives(robot: RobotModel, mechanism: Mechanism, data: JointData | None) -> Drives:
    """Collect rotors and torque limits: joint data first, then what the model states."""
    rotor, limit = np.full(mechanism.nv, np.nan), np.full(mechanism.nv, np.nan)
    written = {joint.name: joint for joint in robot.joints}
    armature = np.asarray(mechanism.armature, dtype=float)
    for joint in mechanism.joints:
        if joint.v.stop - joint.v.start != 1:
            continue
        k = joint.v.start
        if armature[k] > 0.0:
            rotor[k] = armature[k]
        limits = written[joint.name].limits if joint.name in written else None
        if limits is not None and limits.effort is not None and limits.effort.value > 0.0:
            limit[k] = limits.effort.value
        drive = None if data is None else data.drives.get(joint.name)
        if drive is not None:
            rotor[k] = rotor[k] if drive.reflected_inertia is None else drive.reflected_inertia
            limit[k] = limit[k] if drive.torque_limit is None else drive.torque_limit
    return Drives(rotor=rotor, limit=limit)


def _gravity(mechanism: Mechanism, states: StateBatch, g: np.ndarray) -> Gravity:
    """Return the largest gravity torque and where it is."""
    state, dof = (int(k) for k in np.unravel_index(int(np.argmax(np.abs(g))), g.shape))
    bound = uniform_bounds(mechanism).gravity
    return Gravity(
        joint=mechanism.dof_names[dof],
        torque=float(g[state, dof]),
        pose=tuple(states.q[state].tolist()),
        norm=float(np.linalg.norm(g, axis=1).max()),
        upper_bound=bound if np.isfinite(bound) else None,
    )


def _velocity(mechanism: Mechanism, states: StateBatch) -> Velocity | None:
    """Return ‖C‖ / ‖v‖ over states that move."""
    moving = np.flatnonzero(np.linalg.norm(states.v, axis=1) > 0.0)[:_VELOCITY_STATES]
    if not moving.size:
        return None
    C = evaluate(mechanism, "coriolis_matrix", states.q[moving], states.v[moving])  # noqa: N806 - the equation's letter
    share = np.linalg.norm(C, ord=2, axis=(1, 2)) / np.linalg.norm(states.v[moving], axis=1)
    return Velocity(median=float(np.median(share)), most=float(share.max()))


def _drift(mechanism: Mechanism, states: StateBatch, notes: list[str]) -> tuple[Drift, ...]:
    """Follow a few free motions, or say why not."""
    if mechanism.nv > _TOO_MANY_DOFS:
        notes.append(f"energy drift: left out above {_TOO_MANY_DOFS} degrees of freedom")
        return ()
    few = mechanism.nv > _MANY_DOFS
    count, steps = (_FEWER_MOTIONS, STEPS[:-1]) if few else (_MOTIONS, STEPS)
    usual = [number for number, kind in enumerate(states.kinds) if kind == "inside"][:count]
    try:
        return energy_drift(mechanism, states.rows(usual), steps=steps)
    except EvaluationError as error:
        notes.append(f"energy drift: {error}")
        return ()


def _parameters(mechanism: Mechanism, seed: int, notes: list[str]) -> BaseParameters | None:
    """Find the base parameters, or say why not."""
    try:
        study = parameter_study(mechanism, seed=seed)
    except EvaluationError as error:
        notes.append(f"base parameters: {error}")
        return None
    return BaseParameters(
        rank=study.rank,
        columns=study.columns,
        without_effect=study.without_effect,
        absorbed=study.base_parameters,
        condition=study.condition,
    )
