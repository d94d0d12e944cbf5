"""Simulations of an elastic robot with a subject's accelerations: feedforward, free oscillation, all in one batch.

Every trajectory has its own step and all advance together, so a library is asked four times a step, whatever their
number. Each motion runs with steps h and h/2: an error of the integration falls by 16 (at least 8 is asked for), an
error of the model does not. h resolves the fastest pole, |s| h = 0.15.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.flexible.integrate import runge_kutta
from robodyn_check.flexible.joints import Trajectory, inverse_dynamics, rigid_torque
from robodyn_check.flexible.linear import linearise, poles
from robodyn_check.requests import Answer, Request

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.run.elastic_subjects import ElasticRobot
    from robodyn_check.run.subjects import Answering

    FloatArray = npt.NDArray[np.float64]

#: Steps h of one motion; h/2 takes twice as many.
STEPS = 60
#: h times the fastest pole.
_RESOLVED = 0.15
#: Peak acceleration of the feedforward motion, rad/s², and first deflection of the free oscillation, rad.
_PEAK, _DEFLECTION = 10.0, 1e-3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """What is simulated, for P poses: rows are feedforward h, feedforward h/2, free h, free h/2, P of each.

    start: (4P, 4n + 1): x, ẋ, and the work that motors and dampers do. steps: (4P, 1) s. torque: motors' torque at
    half steps, (4 STEPS + 1, 4P, n). wanted: the links' motion at the ends of h/2 steps, (2 STEPS + 1, P, n).
    """

    start: FloatArray
    steps: FloatArray
    torque: FloatArray
    wanted: FloatArray

    @property
    def duration(self) -> float:
        """How long the motions last, s."""
        return float(STEPS * self.steps.max())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulated:
    """What a subject made of a plan: the largest link error of the feedforward and the energy that went astray.

    tracking, energy: with h and with h/2. rounding: what rounding alone explains of each. end: x of the h/2 motions,
    (2P, 2n), at the end; speed: ẋ there.
    """

    tracking: tuple[float, float]
    energy: tuple[float, float]
    tracking_rounding: float
    energy_rounding: float
    end: FloatArray
    speed: FloatArray


def fastest_rate(robot: ElasticRobot, poses: FloatArray) -> float:
    """Return the largest modulus of all poles over some poses, (P, n), rad/s: a damper can be faster than a spring."""
    return max(float(np.abs(poles(linearise(robot.joints, pose, gravity=False))[-1])) for pose in poses)


def plan(robot: ElasticRobot, poses: FloatArray) -> Plan:
    """Plan the motions about poses, (P, n)."""
    count, n = poses.shape
    h = _RESOLVED / fastest_rate(robot, poses)
    pace = 2.0 * np.pi / (STEPS * h)
    size = 2.0 * _PEAK / pace**2 * np.where(np.arange(n) % 2, -1.0, 1.0)
    torque = np.zeros((4 * STEPS + 1, 4 * count, n))
    start = np.zeros((4 * count, 4 * n + 1))
    wanted = np.zeros((2 * STEPS + 1, count, n))
    for p, pose in enumerate(poses):
        for rows, step in ((p, h), (count + p, h / 2.0)):
            motion = _swing(pose, size, pace, step / 2.0)
            tau, theta, theta_dot = inverse_dynamics(robot.joints, motion)
            torque[:, rows] = tau
            start[rows, : 4 * n] = np.concatenate(
                [motion.derivatives[0, 0], theta[0], motion.derivatives[1, 0], theta_dot[0]]
            )
            if rows >= count:
                wanted[:, p] = motion.derivatives[0, ::2]
        bend = _DEFLECTION * np.where(np.arange(n) % 3, 1.0, -1.0)
        for rows in (2 * count + p, 3 * count + p):
            start[rows, : 2 * n] = np.concatenate([pose, pose + bend])
    steps = np.repeat([h, h / 2.0, h, h / 2.0], count)[:, None]
    return Plan(start=start, steps=steps, torque=torque, wanted=wanted)


def _swing(pose: FloatArray, size: FloatArray, pace: float, step: float) -> Trajectory:
    """Return q_d = pose + size (1 - cos Ωt)/2 at half steps with four derivatives."""
    t = np.arange(4 * STEPS + 1)[:, None] * step
    waves = np.array([-size / 2.0 * pace**k * np.cos(pace * t + k * np.pi / 2.0) for k in range(5)])
    waves[0] += pose + size / 2.0
    return Trajectory(derivatives=waves, step=step)


def simulate(robot: ElasticRobot, planned: Plan, answer: Answering) -> Simulated | str:
    """Integrate a plan with a subject's accelerations; a text says why that was not possible.

    Args:
        robot: The robot.
        planned: From `plan`.
        answer: Answers requests for forward dynamics and energies of the double, springs included.
    """
    n, count = robot.springs.n, len(planned.start) // 4
    troubles: list[str] = []

    def ask(quantity: str, x: FloatArray, v: FloatArray | None = None, tau: FloatArray | None = None) -> FloatArray:
        request = Request(quantity=quantity, q=x, v=v, tau=tau)
        found = answer((request,))[request.key]
        if isinstance(found, Answer) and np.isfinite(found.values).all():
            return found.values
        troubles.append(f"no {quantity} during a simulation: {getattr(found, 'message', 'a value is not finite')}")
        return np.zeros((len(x), 2 * n) if quantity == "forward_dynamics" else len(x))

    def rate(stage: int, state: FloatArray) -> FloatArray:
        if troubles:
            return np.zeros_like(state)
        x, v = state[:, : 2 * n], state[:, 2 * n : 4 * n]
        tau = np.hstack([np.zeros((len(x), n)), planned.torque[stage]])
        power = (planned.torque[stage] * v[:, n:]).sum(axis=1) - robot.springs.dissipated_power(v)
        return np.hstack([v, ask("forward_dynamics", x, v, tau), power[:, None]])

    def energy(state: FloatArray) -> FloatArray:
        x, v = np.ascontiguousarray(state[:, : 2 * n]), np.ascontiguousarray(state[:, 2 * n : 4 * n])
        return ask("kinetic_energy", x, v) + ask("potential_energy", x)

    path = runge_kutta(rate, planned.start, step=planned.steps, steps=2 * STEPS)
    coarse, fine = path[: STEPS + 1], path
    free = [coarse[:, 2 * count : 3 * count], fine[::2, 3 * count :]]  # at the same instants, (STEPS + 1, P, ..)
    states = np.stack(free).reshape(-1, planned.start.shape[1])
    balance = (energy(states) - states[:, -1]).reshape(2, STEPS + 1, count)
    astray = np.abs(balance - balance[:, :1]).max(axis=(1, 2))
    if troubles:
        return troubles[0]
    eps = float(np.finfo(float).eps)
    weight = np.abs(robot.double.mass).sum() * float(np.linalg.norm(robot.double.gravity))
    return Simulated(
        tracking=(
            float(np.abs(coarse[:, :count, :n] - planned.wanted[::2]).max()),
            float(np.abs(fine[:, count : 2 * count, :n] - planned.wanted).max()),
        ),
        energy=(float(astray[0]), float(astray[1])),
        tracking_rounding=100.0 * eps * float(np.abs(planned.start[:, : 2 * n]).max() + 1.0),
        energy_rounding=100.0 * eps * float(weight + np.abs(states[:, -1]).max()),
        end=np.concatenate([fine[-1][count : 2 * count], fine[-1][3 * count :]])[:, : 2 * n],
        speed=np.concatenate([fine[-1][count : 2 * count], fine[-1][3 * count :]])[:, 2 * n : 4 * n],
    )


def rigid_limit(robot: ElasticRobot, poses: FloatArray, stiffer: tuple[float, ...]) -> tuple[float, ...]:
    """Return how far the rigid robot's torque is from the elastic one's, for K times each factor, N m (RMS).

    Both are asked for the same swing; the rigid torque is (M + J) q̈ + C q̇ + g. Without dampers, whose effect on the
    torque does not vanish with 1/K alone.
    """
    joints = dataclasses.replace(robot.joints, damping=np.zeros_like(robot.joints.damping))
    pace = 2.0 * np.pi
    size = np.full(poses.shape[1], 2.0 * _PEAK / pace**2)
    squares = np.zeros(len(stiffer))
    for pose in poses:
        motion = _swing(pose, size, pace, 1.0 / (4 * STEPS))
        rigid = rigid_torque(joints, motion)[0] + joints.motor_inertia * motion.derivatives[2]
        for k, factor in enumerate(stiffer):
            tau = inverse_dynamics(dataclasses.replace(joints, stiffness=factor * joints.stiffness), motion)[0]
            squares[k] += ((tau - rigid) ** 2).mean()
    return tuple(float(value) for value in np.sqrt(squares / len(poses)))
