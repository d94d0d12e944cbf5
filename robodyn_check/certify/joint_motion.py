"""One joint's placement Q(q), its derivatives along each velocity coordinate, and their rates, as 4×4 balls.

``partials[k]`` is E_k Q: the derivative of Q along the k-th velocity coordinate. For one-dof and planar joints that is
∂Q/∂q_k; for ball and floating joints the derivative along the k-th axis of the child, E_k Q = Q ξ_k, linear axes
first. ``rates[k]`` is d/dt (E_k Q) = Σ_m v_m E_m E_k Q, where E_m E_k Q = Q ξ_m ξ_k for the latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flint

from robodyn_check.certify import placements as place
from robodyn_check.certify.exact import exact_number

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.robot import Joint

    Array = npt.NDArray[Any]

_UNITS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointMotion:
    """Q, E_k Q and d/dt (E_k Q) of one joint at one state."""

    placement: Any
    partials: tuple[Any, ...]
    rates: tuple[Any, ...]


def joint_motion(joint: Joint, q: Array, v: Array) -> JointMotion:
    """Return the motion of a joint.

    Args:
        joint: As written.
        q: Its coordinates, canonical, balls.
        v: Its velocities, canonical, balls.
    """
    reference = flint.arb(0) if joint.reference is None else exact_number(joint.reference)
    match joint.kind:
        case "revolute" | "continuous":
            axis = _axis(joint)
            return _screws(place.turned(axis, q[0] - reference), (place.turn_generator(axis),), v)
        case "prismatic":
            axis = _axis(joint)
            return _screws(
                place.shifted([entry * (q[0] - reference) for entry in axis]), (place.shift_generator(axis),), v
            )
        case "ball":
            x, y, z, w = q
            return _screws(place.from_quaternion(w, x, y, z), tuple(map(place.turn_generator, _UNITS)), v)
        case "floating":
            x, y, z, w = q[3:]
            generators = (*map(place.shift_generator, _UNITS), *map(place.turn_generator, _UNITS))
            return _screws(place.shifted(list(q[:3])) * place.from_quaternion(w, x, y, z), generators, v)
        case "planar":
            return _planar(joint, q, v)
        case "fixed":
            return JointMotion(placement=place.identity(), partials=(), rates=())


def _screws(placement: Any, generators: tuple[Any, ...], v: Array) -> JointMotion:
    """Return the motion of a joint whose velocity coordinates are screws fixed in the child."""
    twist = flint.arb_mat(4, 4)
    for generator, speed in zip(generators, v, strict=True):
        twist += generator * speed
    moving = placement * twist
    return JointMotion(
        placement=placement,
        partials=tuple(placement * generator for generator in generators),
        rates=tuple(moving * generator for generator in generators),
    )


def _planar(joint: Joint, q: Array, v: Array) -> JointMotion:
    """Q = A Trans(x, y, 0) Rz(θ) Aᵀ, where A takes z to the axis."""
    A = place.smallest_turn_to(_axis(joint))
    back = A.transpose()  # its translation is zero
    slide = A * place.shifted((q[0], q[1], flint.arb(0)))
    turn = place.turned((0, 0, 1), q[2]) * back
    spin = place.turn_generator((0, 0, 1))
    along = [A * place.shift_generator(unit) for unit in _UNITS[:2]]
    drift = along[0] * v[0] + along[1] * v[1]  # d/dt of the sliding part
    rotation = place.turned((0, 0, 1), q[2])
    turning = rotation * spin * back
    turning_rate = rotation * spin * spin * back * v[2]
    return JointMotion(
        placement=slide * turn,
        partials=(along[0] * turn, along[1] * turn, slide * turning),
        rates=(along[0] * turning * v[2], along[1] * turning * v[2], drift * turning + slide * turning_rate),
    )


def _axis(joint: Joint) -> list[Any]:
    """Return the unit axis as balls; every kind that asks has one."""
    assert joint.axis is not None
    return place.direction([exact_number(number) for number in joint.axis])
