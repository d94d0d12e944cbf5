"""Elastic joints linearised about a pose at rest: natural frequencies, modes, antiresonances, poles, relative degree.

At rest at q₀ the springs carry gravity, θ₀ = q₀ + K⁻¹ g(q₀); small motions about it obey

    M q̈ + D (q̇ - θ̇) + (K + G) q - K θ = 0,      J θ̈ + D (θ̇ - q̇) + K (θ - q) = tau,      G = ∂g/∂q.

Without gravity the n motions θ = q are free (ω = 0), and d = q - θ alone obeys d̈ = -(M⁻¹ + J⁻¹) K d, which gives the n
elastic frequencies without the rounding of the zero ones. With the motors locked (θ = 0) M q̈ + (K + G) q = 0 remains:
its frequencies are where a motor that is driven there stands still, the antiresonances.

Source: A. De Luca, W. Book, Robots with Flexible Elements, Springer Handbook of Robotics, section 11.1 (from memory;
derived again here).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.flexible.jets import derivatives, jets
from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.flexible.joints import ElasticJoints

    FloatArray = npt.NDArray[np.float64]
    ComplexArray = npt.NDArray[np.complex128]

#: What a transfer function from motor torque leads to: the motor's angle θ, or the link's angle q.
Output = Literal["motor", "link"]
OUTPUTS: tuple[Output, ...] = ("motor", "link")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linearisation:
    """The matrices at one pose, in the order of v; those of the drives are diagonals.

    mass: M, (n, n). gravity_stiffness: G, (n, n). stiffness, damping, motor_inertia: (n,).
    """

    mass: FloatArray
    gravity_stiffness: FloatArray
    stiffness: FloatArray
    damping: FloatArray
    motor_inertia: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Modes:
    """Undamped modes, ascending.

    squared: ω², (2n,) rad²/s²; below zero where gravity makes the pose unstable, 0 for free motions.
    shapes: (2n, 2n), one mode a column, rows (q, θ), orthonormal under diag(M, J).
    """

    squared: FloatArray
    shapes: FloatArray

    @property
    def elastic(self) -> FloatArray:
        """The n upper frequencies, in which the springs work, rad/s."""
        return np.sqrt(np.maximum(self.squared[len(self.squared) // 2 :], 0.0))


def linearise(robot: ElasticJoints, q: FloatArray, *, gravity: bool = True) -> Linearisation:
    """Return the matrices of small motions about rest.

    Args:
        robot: The robot.
        q: The links' pose, (n,).
        gravity: Whether gravity acts.
    """
    n = robot.mechanism.nv
    G = np.zeros((n, n))
    if gravity:
        along = jets([np.repeat(q[None], n, axis=0), np.eye(n)])  # instant k moves along coordinate k
        G = derivatives(evaluate(robot.mechanism, "gravity_vector", along)[0], 1, n)[1].T
    return Linearisation(
        mass=evaluate(robot.mechanism, "mass_matrix", q[None])[0],
        gravity_stiffness=(G + G.T) / 2.0,
        stiffness=robot.stiffness,
        damping=robot.damping,
        motor_inertia=robot.motor_inertia,
    )


def natural_modes(linear: Linearisation) -> Modes:
    """Return the undamped modes with free motors."""
    if not linear.gravity_stiffness.any():
        return _modes_without_gravity(linear)
    factor = np.linalg.cholesky(_mass(linear))
    half = np.linalg.solve(factor, _stiffness(linear))
    squared, vectors = np.linalg.eigh(_symmetric(np.linalg.solve(factor, half.T)))
    return Modes(squared=squared, shapes=np.linalg.solve(factor.T, vectors))


def _modes_without_gravity(linear: Linearisation) -> Modes:
    """Return the modes from those of d = q - θ, and n free ones."""
    M, J, K = linear.mass, linear.motor_inertia, linear.stiffness
    root = np.sqrt(K)
    squared, vectors = np.linalg.eigh(_symmetric(root[:, None] * (np.linalg.inv(M) + np.diag(1.0 / J)) * root))
    force = root[:, None] * vectors  # K d
    elastic = np.concatenate([np.linalg.solve(M, force), -force / J[:, None]])
    elastic /= np.sqrt((elastic * (_mass(linear) @ elastic)).sum(axis=0))
    free = np.linalg.inv(np.linalg.cholesky(M + np.diag(J))).T
    return Modes(
        squared=np.concatenate([np.zeros(len(K)), squared]),
        shapes=np.hstack([np.concatenate([free, free]), elastic]),
    )


def locked_frequencies(linear: Linearisation) -> FloatArray:
    """Return the links' frequencies with all motors locked, ascending, (n,) rad/s; NaN where gravity wins."""
    factor = np.linalg.cholesky(linear.mass)
    half = np.linalg.solve(factor, np.diag(linear.stiffness) + linear.gravity_stiffness)
    squared = np.linalg.eigvalsh(_symmetric(np.linalg.solve(factor, half.T)))
    return np.sqrt(np.where(squared >= 0.0, squared, np.nan))


def antiresonances(linear: Linearisation, joint: int) -> FloatArray:
    """Return the zeros of Θ/T of one joint on the imaginary axis: all frequencies with that motor alone locked, rad/s.

    The other motors are free, so there are up to 2n - 1 of them; free motions (0) and unstable ones are left out.
    """
    keep = np.delete(np.arange(2 * len(linear.stiffness)), len(linear.stiffness) + joint)
    factor = np.linalg.cholesky(_mass(linear)[np.ix_(keep, keep)])
    half = np.linalg.solve(factor, _stiffness(linear)[np.ix_(keep, keep)])
    squared = np.linalg.eigvalsh(_symmetric(np.linalg.solve(factor, half.T)))
    floor = squared[-1] * len(keep) * np.finfo(float).eps * 8.0
    return np.asarray(np.sqrt(squared[squared > floor]))


def poles(linear: Linearisation) -> ComplexArray:
    """Return all poles of the damped system, (4n,) rad/s, by modulus."""
    found: ComplexArray = np.linalg.eigvals(_state_matrix(linear)).astype(np.complex128)
    return np.asarray(found[np.argsort(np.abs(found), kind="stable")])


def transfer(linear: Linearisation, s: ComplexArray, output: Output) -> ComplexArray:
    """Return the transfer matrix from all motor torques to all motor or link angles.

    Args:
        linear: The pose.
        s: Where, (F,) rad/s; on the imaginary axis, jω.
        output: "motor" or "link".

    Returns:
        (F, n, n) rad/(N m), row: angle, column: torque.
    """
    n = len(linear.stiffness)
    point = s[:, None, None]
    dynamic = point**2 * _mass(linear) + point * _damping(linear) + _stiffness(linear)  # (F, 2n, 2n)
    torque = np.concatenate([np.zeros((n, n)), np.eye(n)])
    angles = np.linalg.solve(dynamic, np.broadcast_to(torque, (len(s), 2 * n, n)))
    return np.asarray(angles[:, n:] if output == "motor" else angles[:, :n], dtype=np.complex128)


def relative_degree(linear: Linearisation, joint: int, output: Output) -> int:
    """Return how many times the angle must be differentiated until the same joint's motor torque appears in it.

    The first Markov parameter C A^(k-1) B that is not zero has this k. Zeros here are structural, so they are exact:
    2 for the motor; for the link 3 with a damper, 4 with a spring alone.
    """
    n = len(linear.stiffness)
    A = _state_matrix(linear)
    column = np.zeros(4 * n)
    column[3 * n + joint] = 1.0 / linear.motor_inertia[joint]
    row = joint if output == "link" else n + joint
    for degree in range(1, 4 * n + 1):
        if column[row] != 0.0:
            return degree
        column = A @ column
    raise AssertionError("a spring always joins a motor to its link")


def _state_matrix(linear: Linearisation) -> FloatArray:
    """A of the state (q, θ, q̇, θ̇)."""
    n = len(linear.stiffness)
    inverse = np.zeros((2 * n, 2 * n))
    inverse[:n, :n] = np.linalg.inv(linear.mass)
    inverse[n:, n:] = np.diag(1.0 / linear.motor_inertia)
    lower = np.hstack([-inverse @ _stiffness(linear), -inverse @ _damping(linear)])
    return np.concatenate([np.hstack([np.zeros((2 * n, 2 * n)), np.eye(2 * n)]), lower])


def _mass(linear: Linearisation) -> FloatArray:
    return _blocks(linear.mass, np.zeros_like(linear.mass), np.diag(linear.motor_inertia))


def _stiffness(linear: Linearisation) -> FloatArray:
    K = np.diag(linear.stiffness)
    return _blocks(K + linear.gravity_stiffness, -K, K)


def _damping(linear: Linearisation) -> FloatArray:
    D = np.diag(linear.damping)
    return _blocks(D, -D, D)


def _blocks(links: FloatArray, between: FloatArray, motors: FloatArray) -> FloatArray:
    return np.concatenate([np.hstack([links, between]), np.hstack([between.T, motors])])


def _symmetric(matrix: FloatArray) -> FloatArray:
    return (matrix + matrix.T) / 2.0
