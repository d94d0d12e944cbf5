"""Elastic joints after Spong: a rigid robot whose motors turn behind springs and dampers.

    M(q) q̈ + C(q, q̇) q̇ + g(q) + K (q - θ) + D (q̇ - θ̇) = 0
    J θ̈ + K (θ - q) + D (θ̇ - q̇) = tau,        J = N² J_rotor

q are the links' coordinates, θ the motors' (seen behind the gears). The rotors' only kinetic energy is ½ J θ̇²: they
carry no mass and no gyroscopic coupling, which is Spong's assumption and holds for large gear ratios.

Source: M. W. Spong, Modeling and Control of Elastic Joint Robots, ASME J. Dyn. Sys. Meas. Control 109 (1987); inverse
dynamics: A. De Luca, W. Book, Robots with Flexible Elements, Springer Handbook of Robotics, section 11.1 (both from
memory; derived again here).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.flexible.jets import derivatives, jets
from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism

    FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ElasticJoints:
    """A rigid mechanism of one-dof joints and its drives, in the order of v.

    stiffness: K, (n,) N m/rad. damping: D, (n,) N m s/rad. motor_inertia: J behind the gears, (n,) kg m².
    """

    mechanism: Mechanism
    stiffness: FloatArray
    damping: FloatArray
    motor_inertia: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trajectory:
    """The links' motion at T instants: q and its derivatives up to the fourth, (5, T, n), at equal steps, s."""

    derivatives: FloatArray
    step: float


def rigid_torque(robot: ElasticJoints, trajectory: Trajectory) -> FloatArray:
    """Return f = M q̈ + C q̇ + g along a trajectory and its first two time derivatives, (3, T, n), by jets."""
    x = trajectory.derivatives
    q, v, a = (jets(list(x[k : k + 3])) for k in range(3))
    return derivatives(evaluate(robot.mechanism, "inverse_dynamics", q, v, a)[0], 2, x.shape[1])


def forward_dynamics(
    robot: ElasticJoints,
    q: FloatArray,
    theta: FloatArray,
    v: FloatArray,
    theta_dot: FloatArray,
    tau: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return q̈ and θ̈ at N states; every argument (N, n)."""
    spring = robot.stiffness * (theta - q) + robot.damping * (theta_dot - v)
    return evaluate(robot.mechanism, "forward_dynamics", q, v, None, spring), (tau - spring) / robot.motor_inertia


def inverse_dynamics(
    robot: ElasticJoints, trajectory: Trajectory, *, deflection: FloatArray | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the motor torque that makes the links follow a trajectory, and the motors' motion.

    Where D = 0 it is algebraic: θ = q + f / K, tau = J θ̈ + f. Where D > 0 the deflection δ = θ - q obeys
    D δ̇ + K δ = f, which is stable and integrated by `exponential_steps`.

    Args:
        robot: The robot.
        trajectory: The links' motion, four times differentiable.
        deflection: δ at the first instant, (n,), used where D > 0; None: that of the solution without the decay
            e^{-Kt/D}, δ = f / K - D ḟ / K² + D² f̈ / K³ - .., so that the torque has no spike at the start.

    Returns:
        tau, θ, θ̇, each (T, n).
    """
    f = rigid_torque(robot, trajectory)
    K, D = robot.stiffness, robot.damping
    delta, delta_dot, delta_ddot = f / K
    damped = np.flatnonzero(D > 0)
    if damped.size:
        slow = delta[0] - D / K * (delta_dot[0] - D / K * delta_ddot[0])
        start = (slow if deflection is None else deflection)[damped]
        delta[:, damped] = exponential_steps(K[damped], D[damped], f[:, :, damped], trajectory.step, start)
        delta_dot[:, damped] = (f[0][:, damped] - K[damped] * delta[:, damped]) / D[damped]
        delta_ddot[:, damped] = (f[1][:, damped] - K[damped] * delta_dot[:, damped]) / D[damped]
    x = trajectory.derivatives
    return robot.motor_inertia * (x[2] + delta_ddot) + f[0], x[0] + delta, x[1] + delta_dot


def exponential_steps(
    stiffness: FloatArray, damping: FloatArray, force: FloatArray, step: float, start: FloatArray
) -> FloatArray:
    """Integrate D δ̇ + K δ = f(t) exactly for the quintic that meets f, ḟ, f̈ at both ends of each step.

    δ(h) = e^{-λh} δ(0) + ∫ e^{-λ(h - s)} f(s) / D ds, λ = K / D; the integral of a polynomial against the exponential
    is a sum of φ-functions, so a stiff damper (λh ≫ 1) needs no small step.

    Args:
        stiffness: K, (n,).
        damping: D > 0, (n,).
        force: f, ḟ, f̈ at T instants, (3, T, n).
        step: h, s.
        start: δ at the first instant, (n,).

    Returns:
        δ, (T, n).
    """
    rate = stiffness / damping * step
    moments = _moments(rate)  # (6, n)
    coefficients = np.einsum("pk,ktn->ptn", _QUINTIC, _ends(force, step))  # (6, T - 1, n)
    gain = np.einsum("pn,ptn->tn", moments, coefficients) * step / damping
    decay = np.exp(-rate)
    delta = np.empty(force.shape[1:])
    delta[0] = start
    for t in range(len(gain)):
        delta[t + 1] = decay * delta[t] + gain[t]
    return delta


def _ends(force: FloatArray, step: float) -> FloatArray:
    """Return f, h ḟ, h² f̈ at the beginning and at the end of each step, (6, T - 1, n)."""
    scaled = force * step ** np.arange(3)[:, None, None]
    return np.concatenate([scaled[:, :-1], scaled[:, 1:]])


#: Coefficients of 1, s, .. s⁵ of the quintic on [0, 1] from (f, f', f'') at 0 and at 1.
_QUINTIC = np.linalg.inv(
    np.array(
        [
            [1, 0, 0, 0, 0, 0],
            [0, 1, 0, 0, 0, 0],
            [0, 0, 2, 0, 0, 0],
            [1, 1, 1, 1, 1, 1],
            [0, 1, 2, 3, 4, 5],
            [0, 0, 2, 6, 12, 20],
        ],
        dtype=float,
    )
)


def _moments(rate: FloatArray) -> FloatArray:
    """Return I_p = ∫_0^1 e^{-z (1 - s)} s^p ds for p = 0 .. 5 and each z > 0, (6, n).

    Upwards I_p = (1 - p I_{p-1}) / z loses digits where z is small; there the series e^{-z} Σ_k z^k / (k! (k + p + 1))
    is used.
    """
    large = np.maximum(rate, 1.0)
    upwards = [-np.expm1(-large) / large]
    for p in range(1, 6):
        upwards.append((1.0 - p * upwards[-1]) / large)
    small = np.minimum(rate, _SERIES_BELOW)
    series = []
    for p in range(6):
        term, total = np.ones_like(small), np.zeros_like(small)
        for k in range(80):
            total = total + term / (k + p + 1)
            term = term * small / (k + 1)
        series.append(np.exp(-small) * total)
    return np.where(rate < _SERIES_BELOW, np.array(series), np.array(upwards))


#: z from which the recurrence keeps all but two digits; the series has converged below it.
_SERIES_BELOW = 12.0


def kinetic_energy(robot: ElasticJoints, q: FloatArray, v: FloatArray, theta_dot: FloatArray) -> FloatArray:
    """Return ½ q̇ᵀ M q̇ + ½ θ̇ᵀ J θ̇, (N,) J."""
    rotors: FloatArray = 0.5 * (robot.motor_inertia * theta_dot**2).sum(axis=-1)
    return evaluate(robot.mechanism, "kinetic_energy", q, v) + rotors


def potential_energy(robot: ElasticJoints, q: FloatArray, theta: FloatArray) -> FloatArray:
    """Return V(q) + ½ (q - θ)ᵀ K (q - θ), (N,) J."""
    springs: FloatArray = 0.5 * (robot.stiffness * (q - theta) ** 2).sum(axis=-1)
    return evaluate(robot.mechanism, "potential_energy", q) + springs


def dissipated_power(robot: ElasticJoints, v: FloatArray, theta_dot: FloatArray) -> FloatArray:
    """Return (q̇ - θ̇)ᵀ D (q̇ - θ̇), (N,) W: what the dampers take out."""
    power: FloatArray = (robot.damping * (v - theta_dot) ** 2).sum(axis=-1)
    return power


def doubled_mass_matrix(robot: ElasticJoints, q: FloatArray) -> FloatArray:
    """Return diag(M, J) for the coordinates (q, θ), (N, 2n, 2n)."""
    n = robot.mechanism.nv
    out = np.zeros((len(q), 2 * n, 2 * n))
    out[:, :n, :n] = evaluate(robot.mechanism, "mass_matrix", q)
    out[:, range(n, 2 * n), range(n, 2 * n)] = robot.motor_inertia
    return out
