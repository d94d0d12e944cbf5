"""Faults in coordinates: order, sign and zero of joints, units, quaternions, the frame of the base's velocity."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import rotation
from robodyn_check.faults.fault import (
    Answerer,
    LibraryFault,
    Planted,
    Scene,
    asked_otherwise,
    tampered,
    values_of,
)
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.mechanism import MovingJoint
    from robodyn_check.requests import Request

#: rad, the offset of a joint whose zero is elsewhere.
OFFSET = 0.1
_ANGLES = ("revolute", "continuous")


def in_velocity_coordinates(answer: Answerer, matrix: Callable[[Request], FloatArray]) -> Answerer:
    """Return a subject whose velocities are v = T v' with a constant T, unconverted: M' = TᵀMT, tau' = Tᵀtau.

    Args:
        answer: The right subject.
        matrix: From a request to T, (nv, nv), invertible for forward dynamics.
    """

    def wrong(request: Request) -> Answer | Failure:
        turn = matrix(request)
        found = answer(
            replace(
                request,
                v=None if request.v is None else request.v @ turn.T,
                a=None if request.a is None else request.a @ turn.T,
                tau=None if request.tau is None else request.tau @ np.linalg.pinv(turn),
            )
        )
        if isinstance(found, Failure):
            return found
        values = found.values
        for axis, size in enumerate(QUANTITIES[request.quantity].shape, start=1):
            if size == "nv":
                change = np.linalg.pinv(turn).T if request.quantity == "forward_dynamics" else turn
                values = np.moveaxis(np.moveaxis(values, axis, -1) @ change, -1, axis)
        return replace(found, values=values)

    return wrong


def _singles(scene: Scene) -> list[MovingJoint]:
    """Return the joints with one coordinate."""
    return [joint for joint in scene.mechanism.joints if joint.v.stop - joint.v.start == 1]


def _order(scene: Scene) -> Planted | None:
    """Exchange the first and the last joint of one coordinate, in q and v alike."""
    joints = _singles(scene)
    if len(joints) < 2:
        return None
    first, last = joints[0], joints[-1]
    swap = np.eye(scene.mechanism.nv)
    swap[[first.v.start, last.v.start]] = swap[[last.v.start, first.v.start]]

    def exchanged(request: Request) -> Request:
        q = request.q.copy()
        q[:, [first.q.start, last.q.start]] = q[:, [last.q.start, first.q.start]]
        return replace(request, q=q)

    answer = in_velocity_coordinates(asked_otherwise(scene.answer, exchanged), lambda _: swap)
    return Planted(answer=answer, element=first.name)


def _sign(scene: Scene) -> Planted | None:
    """Turn one joint the other way round."""
    joint = _picked(scene, ("revolute", "continuous", "prismatic"))
    if joint is None:
        return None
    flip = np.eye(scene.mechanism.nv)
    flip[joint.v, joint.v] = -1

    def negated(request: Request) -> Request:
        q = request.q.copy()
        q[:, joint.q] *= -1
        return replace(request, q=q)

    answer = in_velocity_coordinates(asked_otherwise(scene.answer, negated), lambda _: flip)
    return Planted(answer=answer, element=joint.name)


def _picked(scene: Scene, kinds: tuple[str, ...]) -> MovingJoint | None:
    """Return one joint of these kinds by the seed."""
    name = scene.pick([joint.name for joint in scene.mechanism.joints if joint.kind in kinds])
    return next((joint for joint in scene.mechanism.joints if joint.name == name), None)


def _moved(
    kinds: tuple[str, ...], change: Callable[[MovingJoint, FloatArray], FloatArray], *, every: bool = False
) -> Callable[[Scene], Planted | None]:
    """Return how to plant a change of one joint's positions, or of every such joint's."""

    def plant(scene: Scene) -> Planted | None:
        picked = _picked(scene, kinds)
        if picked is None:
            return None
        joints = [joint for joint in scene.mechanism.joints if joint.kind in kinds] if every else [picked]

        def heard(request: Request) -> Request:
            q = request.q.copy()
            for joint in joints:
                q[:, joint.q] = change(joint, q[:, joint.q])
            return replace(request, q=q)

        return Planted(answer=asked_otherwise(scene.answer, heard), element=None if every else picked.name)

    return plant


def _clamped(joint: MovingJoint, q: FloatArray) -> FloatArray:
    """Clamp positions to the joint's limits."""
    return np.clip(q, joint.lower, joint.upper)


def _quaternion_order(_joint: MovingJoint, q: FloatArray) -> FloatArray:
    """Read x y z w as w x y z."""
    return np.concatenate([q[:, :-4], np.roll(q[:, -4:], -1, axis=1)], axis=1)


def _mimic_reduced(scene: Scene) -> Planted | None:
    """Let a mimic joint's motion be its master's, and its forces too, without saying so."""
    joints = {joint.name: joint for joint in scene.mechanism.joints}
    follower = next((joint for joint in joints.values() if joint.mimic is not None), None)
    if follower is None or follower.mimic is None:
        return None
    master, multiplier, offset = follower.mimic
    leader = joints[master]
    matrix = np.eye(scene.mechanism.nv)
    matrix[follower.v, follower.v] = 0
    matrix[follower.v.start, leader.v.start] = multiplier

    def led(request: Request) -> Request:
        q = request.q.copy()
        q[:, follower.q] = multiplier * q[:, leader.q] + offset
        return replace(request, q=q)

    answer = in_velocity_coordinates(asked_otherwise(scene.answer, led), lambda _: matrix)
    return Planted(answer=answer, element=follower.name)


def _base_velocity_frame(scene: Scene) -> Planted | None:
    """Read the base's linear velocity in world axes: M' = TᵀMT, h' = Tᵀ(h + M Ṫ v'), C' = Tᵀ(C T + M Ṫ)."""
    base = next((joint for joint in scene.mechanism.joints if joint.kind == "floating"), None)
    if base is None:
        return None
    linear = slice(base.v.start, base.v.start + 3)
    angular = slice(base.v.start + 3, base.v.stop)

    def turned(request: Request, vector: FloatArray) -> FloatArray:
        turn = rotation(request.q[:, base.q][:, 3:])
        result = vector.copy()
        result[:, linear] = np.einsum("nji,nj->ni", turn, vector[:, linear])
        return result

    def back(request: Request, force: FloatArray) -> FloatArray:
        turn = rotation(request.q[:, base.q][:, 3:])
        result = force.copy()
        result[:, linear] = np.einsum("nij,nj->ni", turn, force[:, linear])
        return result

    def drift(v: FloatArray) -> FloatArray:
        """Return Ṫ v' = -ω × (Rᵀ v') for the body-axis v."""
        result = np.zeros_like(v)
        result[:, linear] = -np.cross(v[:, angular], v[:, linear])
        return result

    def moved(request: Request, _: FloatArray) -> FloatArray:
        assert request.v is not None, "these quantities are asked with a velocity"
        v = turned(request, request.v)
        a = drift(v) if request.a is None else turned(request, request.a) + drift(v)
        asked = replace(request, quantity="inverse_dynamics", v=v, a=a)
        force = values_of(scene.answer, asked)
        if request.quantity == "coriolis_force":
            force = force - values_of(scene.answer, replace(asked, quantity="gravity_vector"))
        return back(request, force)

    def seen(request: Request, values: FloatArray) -> FloatArray:
        rows = np.stack([back(request, row) for row in np.moveaxis(values, 1, 0)], axis=1)
        return np.stack([back(request, column) for column in np.moveaxis(rows, 2, 0)], axis=2)

    return Planted(
        answer=tampered(
            scene.answer,
            {
                "mass_matrix": seen,
                "gravity_vector": back,
                "coriolis_force": moved,
                "bias_force": moved,
                "inverse_dynamics": moved,
            },
        ),
        element=base.name,
    )


def _regressor_order(scene: Scene) -> Planted:
    """Return the six inertia columns as xx xy yy xz yz zz."""

    def mixed(_: Request, values: FloatArray) -> FloatArray:
        blocks = values.reshape(*values.shape[:2], -1, 10)
        return blocks[..., [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]].reshape(values.shape)

    return Planted(answer=tampered(scene.answer, {"joint_torque_regressor": mixed}))


def _jacobian(change: Callable[[FloatArray, FloatArray], FloatArray]) -> Callable[[Scene], Planted]:
    """Return how to change Jacobians with the link's rotation at hand."""

    def plant(scene: Scene) -> Planted:
        def wrong(request: Request, values: FloatArray) -> FloatArray:
            return change(values, values_of(scene.answer, request, quantity="link_poses")[..., :3])

        return Planted(answer=tampered(scene.answer, {"link_jacobians": wrong}))

    return plant


def _in_body_axes(values: FloatArray, turn: FloatArray) -> FloatArray:
    """Express both halves in the link's axes."""
    halves = (np.einsum("nlji,nljk->nlik", turn, values[:, :, part]) for part in (slice(3), slice(3, 6)))
    return np.concatenate(list(halves), axis=2)


def _not_normalised(scene: Scene) -> Planted:
    """Stretch rotations as an axis of length 1.001 would."""

    def stretched(_: Request, values: FloatArray) -> FloatArray:
        values[..., :3] *= 1.001
        return values

    return Planted(answer=tampered(scene.answer, {"link_poses": stretched}))


def _fault(name: str, cause: str, text: str, plant: Callable[[Scene], Planted | None], *on: str) -> LibraryFault:
    return LibraryFault(name=name, cause=cause, text=text, shows_on=on, plant=plant)


_POSITION = ("link_poses", "gravity_vector", "mass_matrix")

FAULTS: tuple[LibraryFault, ...] = (
    _fault("joint-order", "joint-order-differs", "two joints are exchanged", _order, *_POSITION),
    _fault("joint-sign", "joint-sign", "one joint turns the other way round", _sign, *_POSITION),
    _fault(
        "joint-offset",
        "joint-offset",
        f"one joint's zero is {OFFSET} rad away",
        _moved(_ANGLES, lambda _, q: q + OFFSET),
        *_POSITION,
    ),
    _fault(
        "degrees",
        "joint-angle-unit",
        "angles are read in degrees",
        _moved(_ANGLES, lambda _, q: np.deg2rad(q), every=True),
        *_POSITION,
    ),
    _fault(
        "limits-clamp",
        "limits-clamp",
        "positions are clamped to the limits",
        _moved(("revolute", "prismatic"), _clamped, every=True),
        *_POSITION,
    ),
    _fault(
        "quaternion-order",
        "quaternion-order",
        "a quaternion is read in the order w x y z",
        _moved(("ball", "floating"), _quaternion_order),
        *_POSITION,
    ),
    _fault(
        "mimic-reduced", "mimic-joint-reduced", "a mimic joint is eliminated silently", _mimic_reduced, "mass_matrix"
    ),
    _fault(
        "base-velocity-frame",
        "base-velocity-frame",
        "the base's linear velocity is in world axes",
        _base_velocity_frame,
        "mass_matrix",
        "gravity_vector",
    ),
    _fault(
        "regressor-order",
        "regressor-order",
        "inertia columns are xx xy yy xz yz zz",
        _regressor_order,
        "joint_torque_regressor",
    ),
    _fault(
        "jacobian-body-axes",
        "jacobian-frame",
        "Jacobians are in the link's axes",
        _jacobian(_in_body_axes),
        "link_jacobians",
    ),
    _fault(
        "jacobian-halves",
        "jacobian-rows",
        "Jacobians have their halves exchanged",
        _jacobian(lambda values, _: np.roll(values, 3, axis=2)),
        "link_jacobians",
    ),
    _fault(
        "rotation-stretched",
        "joint-axis-not-unit",
        "rotations are not orthonormal, as with an axis that is not normalised",
        _not_normalised,
        "link_poses",
    ),
)
