"""Published numbers of one elastic joint, from the project's issue on flexible joints, section 4."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.flexible.integrate import runge_kutta
from robodyn_check.flexible.joints import ElasticJoints, Trajectory, forward_dynamics, inverse_dynamics
from robodyn_check.flexible.linear import Linearisation, linearise, locked_frequencies, natural_modes
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.joint_data import motor_inertia
from robodyn_check.model.read import read_model

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.model.mechanism import Mechanism

#: M = 0.5 kg m² about the joint, g = 3 sin q N m: m c = 3 / 9.81, I_c = M - m c².
PENDULUM = """<robot name="pendulum">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <origin xyz="0 0 {drop!r}"/><mass value="1"/>
      <inertia ixx="{about!r}" ixy="0" ixz="0" iyy="{about!r}" iyz="0" izz="0.1"/>
    </inertial>
  </link>
  <joint name="hinge" type="continuous">
    <parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
  </joint>
</robot>"""
M, J, A, OMEGA, LOAD = 0.5, 0.2, 1.0, 2 * np.pi, 3.0
DROP = LOAD / 9.81


@pytest.fixture
def mechanism(tmp_path: Path) -> Mechanism:
    path = tmp_path / "pendulum.urdf"
    path.write_text(PENDULUM.format(drop=-DROP, about=M - DROP**2))
    return build_mechanism(read_model(path))


def elastic(mechanism: Mechanism, stiffness: float) -> ElasticJoints:
    return ElasticJoints(
        mechanism=mechanism,
        stiffness=np.array([stiffness]),
        damping=np.zeros(1),
        motor_inertia=np.array([J]),
    )


def motion(t: np.ndarray) -> np.ndarray:
    """q_d = A (1 - cos Ωt) / 2 and four derivatives, (5, T)."""
    waves = [-np.cos(OMEGA * t + k * np.pi / 2) * OMEGA**k for k in range(5)]
    waves[0] = 1.0 + waves[0]
    return A / 2 * np.array(waves)


def test_frequencies_and_their_ratio(mechanism: Mechanism):
    linear = linearise(elastic(mechanism, 2000.0), np.zeros(1), gravity=False)
    locked, free = locked_frequencies(linear)[0], natural_modes(linear).elastic[0]
    assert locked == pytest.approx(63.246, abs=5e-4)
    assert free == pytest.approx(118.322, abs=5e-4)
    assert free / locked == pytest.approx(1.8708, abs=5e-5)


def test_a_rotor_behind_gears_has_the_square_of_the_ratio():
    assert motor_inertia(gear_ratio=100.0, rotor_inertia=2e-5) == pytest.approx(J, rel=1e-15)


def steps_of(stiffness: float, *, fraction: float = 0.05) -> int:
    """Steps in one period, none longer than a fraction of 1 / ω_r."""
    return int(np.ceil(1.0 / (fraction / np.sqrt(stiffness * (J + M) / (J * M)))))


def rigid_torque(steps: int) -> np.ndarray:
    """(M + J) q̈_d + g(q_d) at every half step."""
    q = motion(np.arange(2 * steps + 1) / (2 * steps))
    return np.asarray((M + J) * q[2] + LOAD * np.sin(q[0]))


def tracking_error(K: float, torque: np.ndarray, start: tuple[float, float]) -> float:
    """Largest link error over one period: the pendulum written out in plain floats, RK4, torque at half steps.

    ``start``: θ and θ̇; the link starts on the motion.
    """
    steps = len(torque) // 2
    h, tau, wanted = 1.0 / steps, torque.tolist(), motion(np.arange(steps + 1) / steps)[0].tolist()
    x, worst = [wanted[0], float(start[0]), 0.0, float(start[1])], 0.0

    def rate(x: list[float], tau: float) -> list[float]:
        spring = K * (x[1] - x[0])
        return [x[2], x[3], (spring - LOAD * math.sin(x[0])) / M, (tau - spring) / J]

    for k in range(steps):
        a = rate(x, tau[2 * k])
        b = rate([p + h / 2 * d for p, d in zip(x, a, strict=True)], tau[2 * k + 1])
        c = rate([p + h / 2 * d for p, d in zip(x, b, strict=True)], tau[2 * k + 1])
        d = rate([p + h * d for p, d in zip(x, c, strict=True)], tau[2 * k + 2])
        x = [p + h / 6 * (i + 2 * j + 2 * l + m) for p, i, j, l, m in zip(x, a, b, c, d, strict=True)]
        worst = max(worst, abs(x[0] - wanted[k + 1]))
    return worst


def rigid_error(K: float, *, fraction: float = 0.05) -> float:
    """Link error under the rigid torque, from the spring's own deflection."""
    q = motion(np.zeros(1))
    deflected = q[0, 0] + (M * q[2, 0] + LOAD * np.sin(q[0, 0])) / K
    return tracking_error(K, rigid_torque(steps_of(K, fraction=fraction)), (deflected, 0.0))


def test_the_error_of_the_rigid_torque_falls_with_the_stiffness():
    soft, stiff = rigid_error(1e3), rigid_error(1e6)
    assert soft == pytest.approx(4.39e-3, abs=5e-6)
    assert stiff == pytest.approx(4.37e-6, abs=5e-9)
    assert soft / stiff == pytest.approx(1005, abs=1)


def test_the_elastic_joint_of_the_reference_makes_the_same_error(mechanism: Mechanism):
    """The n-joint model and its integrator, at longer steps."""
    robot, steps = elastic(mechanism, 100.0), steps_of(100.0, fraction=0.5)
    torque, wanted = rigid_torque(steps), motion(np.arange(2 * steps + 1) / (2 * steps))

    def rate(stage: int, x: np.ndarray) -> np.ndarray:
        q, theta, v, w = x
        return np.array([v, w, *forward_dynamics(robot, q, theta, v, w, torque[stage].reshape(1, 1))])

    deflected = wanted[0, 0] + (M * wanted[2, 0] + LOAD * np.sin(wanted[0, 0])) / 100.0
    start = np.array([wanted[0, 0], deflected, 0.0, 0.0]).reshape(4, 1, 1)
    path = runge_kutta(rate, start, step=1.0 / steps, steps=steps)
    error = np.abs(path[:, 0, 0, 0] - wanted[0, ::2]).max()
    assert error == pytest.approx(rigid_error(100.0, fraction=0.5), rel=1e-9)


def test_with_the_fourth_derivative_the_error_is_that_of_the_integration(mechanism: Mechanism):
    steps = steps_of(1e3)
    wanted = motion(np.arange(2 * steps + 1) / (2 * steps))[:, :, None]
    tau, theta, theta_dot = inverse_dynamics(elastic(mechanism, 1e3), Trajectory(derivatives=wanted, step=0.5 / steps))
    assert tracking_error(1e3, tau[:, 0], (theta[0, 0], theta_dot[0, 0])) < 5e-11


def test_the_torque_and_its_difference_from_the_rigid_one(mechanism: Mechanism):
    t = np.arange(4000) / 4000
    wanted = motion(t)[:, :, None]
    tau = inverse_dynamics(elastic(mechanism, 1e4), Trajectory(derivatives=wanted, step=1 / 4000))[0]
    rigid = (M + J) * wanted[2] + LOAD * np.sin(wanted[0])
    assert np.sqrt((tau**2).mean()) == pytest.approx(8.97, abs=5e-3)
    assert np.sqrt(((tau - rigid) ** 2).mean()) == pytest.approx(4.8e-3, abs=5e-5)


def test_a_softer_spring_is_seen():
    """The numbers are held by the model: five percent of K moves the frequencies out of the printed digits."""
    linear = Linearisation(
        mass=np.array([[M]]),
        gravity_stiffness=np.zeros((1, 1)),
        stiffness=np.array([1900.0]),
        damping=np.zeros(1),
        motor_inertia=np.array([J]),
    )
    assert natural_modes(linear).elastic[0] != pytest.approx(118.322, abs=5e-4)


def test_the_two_hinge_model_of_mujoco_oscillates_at_the_closed_form():
    """Two hinges on one axis and a fixed tendon of length q - θ, integrated by MuJoCo; 40 crossings of q - θ."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'robodyn-check[mujoco]'")
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 0" timestep="1e-4" integrator="RK4"/><worldbody>
        <body><inertial pos="0 0 0" mass="1" diaginertia="{M} {M} {M}"/><joint name="q" axis="0 0 1"/></body>
        <body><inertial pos="0 0 0" mass="1" diaginertia="{J} {J} {J}"/><joint name="m" axis="0 0 1"/></body>
        </worldbody><tendon><fixed stiffness="2000" springlength="0">
        <joint joint="q" coef="1"/><joint joint="m" coef="-1"/></fixed></tendon></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qpos[:] = 0.01, 0.0
    crossings: list[float] = []
    before = 0.01
    while len(crossings) < 41:
        mujoco.mj_step(model, data)
        now = float(data.qpos[0] - data.qpos[1])
        if before * now < 0:
            crossings.append(float(data.time) - 1e-4 * now / (now - before))
        before = now
    omega = np.pi * 40 / (crossings[-1] - crossings[0])
    assert omega == pytest.approx(math.sqrt(2000 * (J + M) / (J * M)), rel=2e-6)
