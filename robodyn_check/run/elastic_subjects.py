"""Subjects that answer for an elastic robot x = (q, θ): the reference by Spong's model, libraries by its rigid double.

Forward dynamics takes the motors' torques alone and its answer contains the springs. The reference gets them from
`flexible.joints`; for a rigid library the harness adds the springs' force to the torques it is asked with, and their
energy to its potential energy; a library whose double carries the springs natively answers as it is.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.flexible.joints import (
    ElasticJoints,
    doubled_mass_matrix,
    forward_dynamics,
    kinetic_energy,
    potential_energy,
)
from robodyn_check.reference.engine import evaluate
from robodyn_check.requests import Answer, Failure
from robodyn_check.states.batch import StateBatch
from robodyn_check.states.draw import draw_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.model.elastic import Springs
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request
    from robodyn_check.run.subjects import Answering

    FloatArray = npt.NDArray[np.float64]

#: What an elastic subject is asked; the springs are in none of them but forward dynamics and the potential energy.
ELASTIC_QUANTITIES = (
    "mass_matrix",
    "bias_force",
    "coriolis_force",
    "gravity_vector",
    "forward_dynamics",
    "kinetic_energy",
    "potential_energy",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ElasticRobot:
    """One elastic robot in both forms: links with drives, and the rigid double with the springs that join it."""

    joints: ElasticJoints
    double: Mechanism
    springs: Springs


def elastic_states(robot: ElasticRobot, *, count: int, seed: int) -> StateBatch:
    """Draw states of the double: links as for a rigid robot, springs and dampers that carry about the joint torques.

    Motors get torques of that size as well, links none.
    """
    drawn = draw_states(robot.joints.mechanism, count=count, seed=seed)
    stream = np.random.Generator(np.random.PCG64([seed, 8]))
    load = np.abs(drawn.tau).max(axis=0)
    deflection, loss, torque = (stream.uniform(-1.0, 1.0, drawn.tau.shape) * load for _ in range(3))
    stiffness, damping = robot.springs.stiffness, robot.springs.damping
    slip = np.where(damping > 0, loss / np.where(damping > 0, damping, 1.0), 0.1 * drawn.v)
    slip = np.clip(slip, -np.abs(drawn.v), np.abs(drawn.v))
    return StateBatch(
        q=np.hstack([drawn.q, drawn.q + deflection / stiffness]),
        v=np.hstack([drawn.v, drawn.v + slip]),
        a=np.hstack([drawn.a, drawn.a]),
        tau=np.hstack([np.zeros_like(torque), np.float32(torque).astype(np.float64)]),
        kinds=drawn.kinds,
    )


def reference_answer(robot: ElasticRobot, requests: Sequence[Request]) -> dict[str, Answer | Failure]:
    """Answer with the elastic model: n joints and their drives; no double is involved."""
    return {request.key: _elastic_answer(robot, request) for request in requests}


def _elastic_answer(robot: ElasticRobot, request: Request) -> Answer | Failure:
    joints, n = robot.joints, robot.springs.n
    if request.gravity is not None:
        pull = np.array(request.gravity)
        joints = dataclasses.replace(joints, mechanism=dataclasses.replace(joints.mechanism, gravity=pull))
    none = np.zeros_like(request.q) if request.v is None else request.v
    q, theta, v, theta_dot = request.q[:, :n], request.q[:, n:], none[:, :n], none[:, n:]
    match request.quantity:
        case "mass_matrix":
            values = doubled_mass_matrix(joints, q)
        case "bias_force" | "coriolis_force" | "gravity_vector" as quantity:
            values = np.hstack([evaluate(joints.mechanism, quantity, q, v), np.zeros_like(theta)])
        case "kinetic_energy":
            values = kinetic_energy(joints, q, v, theta_dot)
        case "potential_energy":
            values = potential_energy(joints, q, theta)
        case "forward_dynamics":
            assert request.tau is not None, "a request carries the inputs of its quantity"
            assert not request.tau[:, :n].any(), "motors are driven, links are not"
            values = np.hstack(forward_dynamics(joints, q, theta, v, theta_dot, request.tau[:, n:]))
        case _:
            return Failure(kind="not_offered", message=f"the elastic model has no {request.quantity}")
    return Answer(values=values)


def with_springs(springs: Springs, answer: Answering) -> Answering:
    """Return what asks a rigid double and adds the springs."""
    return partial(_sprung, springs, answer)


def _sprung(springs: Springs, answer: Answering, requests: Sequence[Request]) -> Mapping[str, Answer | Failure]:
    asked = {request.key: _pushed(springs, request) for request in requests}
    rigid = answer(tuple({request.key: request for request in asked.values()}.values()))
    return {request.key: _stored(springs, request, rigid[asked[request.key].key]) for request in requests}


def _pushed(springs: Springs, request: Request) -> Request:
    """Return the question with the springs' force among the torques."""
    if request.quantity != "forward_dynamics":
        return request
    assert request.v is not None, "a request carries the inputs of its quantity"
    assert request.tau is not None, "the same"
    return dataclasses.replace(request, tau=request.tau + springs.force(request.q, request.v))


def _stored(springs: Springs, request: Request, answer: Answer | Failure) -> Answer | Failure:
    """Return the answer with the springs' energy in it."""
    if request.quantity != "potential_energy" or isinstance(answer, Failure):
        return answer
    return dataclasses.replace(answer, values=answer.values + springs.energy(request.q))
