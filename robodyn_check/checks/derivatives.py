"""Derivatives of a subject's own answers along every degree of freedom, without truncation error.

The mass matrix and the kinetic energy are trigonometric polynomials of degree 2 in each revolute coordinate (potential,
gravity and poses: of degree 1) and quadratic in each prismatic one. Hence, exactly,

    degree 2:   f'(q) = Σ_{j=1..4} (-1)^{j+1} f(q + (2j-1)π/4) / (8 sin²((2j-1)π/8))      (Riesz 1914)
    degree 1:   f'(q) = [f(q + π/2) - f(q - π/2)] / 2
    prismatic:  f'(q) = [f(q + h) - f(q - h)] / 2h,   h the longest path from the base to a centre of mass

and the only error is rounding, which the bound covers. Ball and floating joints are moved along their body axes, the
directions that their velocities mean: a rotation is multiplied from the right, a translation follows the body's axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.probing import NotHere, ask
from robodyn_check.tolerance.paths import paths
from robodyn_check.tolerance.reach import derivative_step, reach, travel

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism, MovingJoint
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch

    FloatArray = npt.NDArray[np.float64]

#: Angles in (-π, π) and weights of Riesz's formula, by degree.
_EIGHTH = np.pi / 8
RIESZ: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((np.pi / 2, 0.5), (-np.pi / 2, -0.5)),
    2: (
        (2 * _EIGHTH, 1 / (8 * np.sin(_EIGHTH) ** 2)),
        (6 * _EIGHTH, -1 / (8 * np.sin(3 * _EIGHTH) ** 2)),
        (-6 * _EIGHTH, 1 / (8 * np.sin(3 * _EIGHTH) ** 2)),
        (-2 * _EIGHTH, -1 / (8 * np.sin(_EIGHTH) ** 2)),
    ),
}
#: Degrees of freedom above which no derivatives are taken: each costs four evaluations of every degree of freedom.
LARGEST_DERIVED = 300
#: Doubles that one derivative request may bring back; large robots use fewer states, see `shifted_states`.
MAX_DOUBLES = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stencil:
    """Where to ask for the derivatives of one batch of states, and how to weigh what comes back.

    ``q`` stacks the points: (points, N, nq). ``weights``: (points, N). ``points[k]`` is the slice of dof k.
    """

    q: FloatArray
    weights: FloatArray
    points: tuple[slice, ...]

    def request(self, quantity: str, states: StateBatch) -> Request:
        """Return the one request that asks a quantity at all points; v, a, tau stay those of the state."""
        copies = self.q.shape[0]
        return ask(
            quantity,
            states,
            q=self.q.reshape(-1, self.q.shape[2]),
            v=np.tile(states.v, (copies, 1)),
            a=np.tile(states.a, (copies, 1)),
            tau=np.tile(states.tau, (copies, 1)),
        )

    def derivative(self, values: FloatArray, k: int) -> FloatArray:
        """Return df/d(direction of dof k), (N, *shape), from the answer to `request`."""
        stacked = values.reshape(*self.weights.shape, *values.shape[1:])
        part = self.points[k]
        derivative: FloatArray = np.einsum("pn,pn...->n...", self.weights[part], stacked[part])
        return derivative

    def derivatives(self, values: FloatArray) -> Iterator[tuple[int, FloatArray]]:
        """Iterate over (k, df/d(direction of dof k))."""
        return ((k, self.derivative(values, k)) for k in range(len(self.points)))


@lru_cache(maxsize=16)
def stencil(mechanism: Mechanism, states: StateBatch, *, degree: int) -> Stencil:
    """Return the points for functions of the given degree (1 or 2) in the sines and cosines of each angle.

    Kept for the last robots and batches: several checks use the same points for each subject.

    Raises:
        NotHere: The robot has more than `LARGEST_DERIVED` degrees of freedom.
    """
    if mechanism.nv > LARGEST_DERIVED:
        reason = f"derivatives are not taken above {LARGEST_DERIVED} degrees of freedom; this robot has {mechanism.nv}"
        raise NotHere(reason)
    step = derivative_step(reach(paths(mechanism), travel(mechanism, states.q)))
    points: list[FloatArray] = []
    weights: list[FloatArray] = []
    parts: list[slice] = []
    for joint in mechanism.joints:
        for axis in range(joint.v.stop - joint.v.start):
            moves = (
                [(step, 1.0), (-step, -1.0)]
                if _is_linear(joint, axis)
                else [(np.full(len(states), angle), weight) for angle, weight in RIESZ[degree]]
            )
            parts.append(slice(len(points), len(points) + len(moves)))
            moved = [moved_along(joint, states.q, axis, amount) for amount, _ in moves]
            points.extend(moved)
            if _is_linear(joint, axis):
                span = _span(joint, axis, moved[0], moved[1])
                weights.extend([1 / span, -1 / span])
            else:
                weights.extend(np.full(len(states), weight) for _, weight in moves)
    shape = (0, *states.q.shape)
    return Stencil(
        q=np.stack(points) if points else np.zeros(shape),
        weights=np.stack(weights) if weights else np.zeros(shape[:2]),
        points=tuple(parts),
    )


def moved_along(joint: MovingJoint, q: FloatArray, axis: int, amount: FloatArray) -> FloatArray:
    """Return q after a motion along one velocity direction of a joint.

    Args:
        joint: The joint that moves.
        q: (N, nq).
        axis: Which of the joint's velocities.
        amount: (N,) rad or m.
    """
    moved = q.copy()
    if joint.kind == "ball":
        moved[:, joint.q] = turned(q[:, joint.q], axis, amount)
    elif joint.kind == "floating":
        quaternion = q[:, joint.q][:, 3:]
        if axis < 3:
            moved[:, joint.q.start : joint.q.start + 3] += rotation(quaternion)[:, :, axis] * amount[:, None]
        else:
            moved[:, joint.q.start + 3 : joint.q.stop] = turned(quaternion, axis - 3, amount)
    else:
        moved[:, joint.q.start + axis] += amount
    return moved


def turned(quaternion: FloatArray, axis: int, angle: FloatArray) -> FloatArray:
    """Multiply quaternions (N, 4) xyzw from the right by rotations about one body axis."""
    s, c = np.sin(angle / 2), np.cos(angle / 2)
    vector, scalar = quaternion[:, :3], quaternion[:, 3]
    unit = np.eye(3)[axis]
    return np.concatenate(
        [
            vector * c[:, None] + (scalar * s)[:, None] * unit + np.cross(vector, unit) * s[:, None],
            (scalar * c - vector[:, axis] * s)[:, None],
        ],
        axis=1,
    )


def rotation(quaternion: FloatArray) -> FloatArray:
    """Return the rotation matrices (N, 3, 3), world or parent from body, of quaternions (N, 4) xyzw."""
    x, y, z, w = (quaternion / np.linalg.norm(quaternion, axis=1, keepdims=True)).T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], axis=1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], axis=1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], axis=1),
        ],
        axis=1,
    )


@lru_cache(maxsize=16)
def shifted_states(mechanism: Mechanism, few: StateBatch, *, doubles: int) -> StateBatch:
    """Return as many of the states as keep a derivative request below `MAX_DOUBLES` (none: the robot is too large).

    Args:
        mechanism: The robot.
        few: The states for derivatives.
        doubles: Size of the quantity at one point.
    """
    room = MAX_DOUBLES // max(1, 4 * mechanism.nv * doubles)
    if room >= len(few):
        return few
    return type(few)(q=few.q[:room], v=few.v[:room], a=few.a[:room], tau=few.tau[:room], kinds=few.kinds[:room])


@lru_cache(maxsize=64)
def first_states(few: StateBatch, most: int) -> StateBatch:
    """Return at most so many of the states: for checks that ask many questions at each."""
    return few if len(few) <= most else few.rows(range(max(0, most)))


def _is_linear(joint: MovingJoint, axis: int) -> bool:
    """Say whether this velocity is a length: prismatic, the plane's x and y, the first three of a free joint."""
    return joint.kind == "prismatic" or (joint.kind == "planar" and axis < 2) or (joint.kind == "floating" and axis < 3)


def _span(joint: MovingJoint, axis: int, ahead: FloatArray, behind: FloatArray) -> FloatArray:
    """Return the distance really travelled between the two points of a central difference, (N,) m."""
    if joint.kind == "floating":
        part = slice(joint.q.start, joint.q.start + 3)
        length: FloatArray = np.linalg.norm(ahead[:, part] - behind[:, part], axis=1)
        return length
    difference: FloatArray = ahead[:, joint.q.start + axis] - behind[:, joint.q.start + axis]
    return difference
