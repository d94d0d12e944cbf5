"""A real 7-dof arm with elastic joints: against the Lagrange equations of its energies, and against integrators.

The trajectory: thrown at 1 to 2 rad/s from a bent pose with unloaded springs, motors holding half of gravity, dampers
working.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.flexible.double import native_mjcf
from robodyn_check.flexible.jets import derivatives, jets
from robodyn_check.flexible.joints import ElasticJoints, forward_dynamics
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.reference.engine import evaluate
from robodyn_check.run.elastic_subjects import elastic_states
from robodyn_check.run.flexible_model import FlexibleModel, read_flexible

if TYPE_CHECKING:
    from typing import Any

ARM = Path(__file__).parents[2] / "models" / "schunk_lwa4d" / "model.urdf"
N = 7
START = np.array([0.3, -0.6, 0.5, 0.9, -0.4, 0.7, 0.2])
SPEED = np.array([1.0, -1.0, 1.5, -1.2, 2.0, -2.0, 2.0])
DURATION = 0.05
#: What integrators of different kinds agree to over a motion of 0.1 rad, with relative tolerances of 1e-8 and finer.
WITHIN = 2e-8


@cache
def arm() -> FlexibleModel:
    return read_flexible(ARM, None)


def hold() -> np.ndarray:
    joints = arm().elastic.joints
    return np.asarray(evaluate(joints.mechanism, "gravity_vector", START[None])[0] / 2)


def lagrange_force(joints: ElasticJoints, x: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """d/dt ∂T/∂ẋ - ∂T/∂x + ∂V/∂x at B states, (B, 2n), from the energies of links, rotors and springs alone.

    T is quadratic in ẋ, so ∂T/∂ẋ_i is an exact difference; time and space derivatives are jets.
    """
    B, n, mechanism = len(x), N, joints.mechanism
    q, theta = x[:, :n], x[:, n:]
    force = np.zeros((B, 2 * n))
    for i in range(n):
        unit = np.eye(n)[i]
        ahead, behind = (
            evaluate(mechanism, "kinetic_energy", jets([q, v[:, :n]]), jets([v[:, :n] + sign * unit, a[:, :n]]))
            for sign in (1.0, -1.0)
        )
        force[:, i] = derivatives(np.array([ahead[0] - behind[0]]), 1, B)[1][:, 0] / 2
        along: Any = jets([q, np.tile(unit, (B, 1))])
        kinetic = evaluate(mechanism, "kinetic_energy", along, jets([v[:, :n], 0 * v[:, :n]]))
        gravity = evaluate(mechanism, "potential_energy", along)
        shift = [0.5 * K * (p - t) * (p - t) for K, p, t in zip(joints.stiffness, along[0], theta.T, strict=True)]
        potential: Any = gravity[0] + sum(shift[1:], shift[0])
        force[:, i] += derivatives(np.array([potential - kinetic[0]]), 1, B)[1][:, 0]
    force[:, n:] = joints.motor_inertia * a[:, n:] + joints.stiffness * (theta - q)
    return force


def test_the_equations_are_those_of_the_energies():
    elastic = arm().elastic
    states = elastic_states(elastic, count=5, seed=3)
    joints, springs = elastic.joints, elastic.springs
    links, motors = forward_dynamics(
        joints, states.q[:, :N], states.q[:, N:], states.v[:, :N], states.v[:, N:], states.tau[:, N:]
    )
    found = lagrange_force(joints, states.q, states.v, np.hstack([links, motors]))
    pushed = states.tau + springs.force(np.zeros_like(states.q), states.v)  # dampers are no part of the energies
    size = np.abs(pushed) + springs.size(states.q, states.v) + 1.0
    assert (np.abs(found - pushed) < 1e-11 * size.max(axis=1, keepdims=True)).all()


@cache
def radau() -> np.ndarray:
    """Return the positions at the end by SciPy's Radau on the reference, (2n,)."""
    integrate = pytest.importorskip("scipy.integrate", reason="SciPy is a test dependency: pip install scipy")
    joints, torque = arm().elastic.joints, hold()

    def rate(_t: float, y: np.ndarray) -> np.ndarray:
        q, theta, v, w = np.split(y.T, 4, axis=1)
        tau = np.broadcast_to(torque, q.shape)
        return np.hstack([v, w, *forward_dynamics(joints, q, theta, v, w, tau)]).T

    start = np.concatenate([START, START, SPEED, SPEED])
    found = integrate.solve_ivp(
        lambda t, y: rate(t, y[:, None])[:, 0] if y.ndim == 1 else rate(t, y),
        (0.0, DURATION),
        start,
        method="Radau",
        vectorized=True,
        rtol=1e-8,
        atol=1e-10,
    )
    assert found.success
    return np.asarray(found.y[: 2 * N, -1])


def test_the_arm_moves_far_more_than_the_tolerance():
    assert np.abs(radau() - np.tile(START, 2)).max() > 1e5 * WITHIN


def test_mujoco_with_its_own_springs_and_integrator_ends_where_radau_does():
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'robodyn-check[mujoco]'")
    model = mujoco.MjModel.from_xml_string(native_mjcf(arm().double, arm().elastic.springs))
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = DURATION / 2000
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = np.tile(START, 2), np.tile(SPEED, 2)
    data.qfrc_applied[N:] = hold()
    for _ in range(2000):
        mujoco.mj_step(model, data)
    np.testing.assert_allclose(data.qpos, radau(), rtol=0, atol=WITHIN)


def test_drake_with_the_springs_from_outside_and_its_own_integrator_ends_where_radau_does():
    pytest.importorskip("pydrake", reason="Drake is not installed: pip install 'robodyn-check[drake]'")
    from pydrake.multibody.parsing import Parser  # noqa: PLC0415 - only where Drake is there
    from pydrake.multibody.plant import MultibodyPlant  # noqa: PLC0415 - the same
    from pydrake.systems.analysis import (  # noqa: PLC0415 - the same
        ApplySimulatorConfig,
        Simulator,
        SimulatorConfig,
    )
    from pydrake.systems.framework import DiagramBuilder, LeafSystem  # noqa: PLC0415 - the same

    springs, torque = arm().elastic.springs, np.concatenate([np.zeros(N), hold()])

    class Springs(LeafSystem):
        def __init__(self) -> None:
            super().__init__()
            self.DeclareVectorInputPort("state", 4 * N)
            self.DeclareVectorOutputPort("force", 2 * N, self.force)

        def force(self, context: Any, output: Any) -> None:
            state: Any = self.get_input_port().Eval(context)
            row: Any = np.asarray(state)[None]
            output.SetFromVector(torque + springs.force(row[:, : 2 * N], row[:, 2 * N :])[0])

    builder: Any = DiagramBuilder()
    plant: Any = builder.AddSystem(MultibodyPlant(time_step=0.0))
    text = write_urdf(arm().double).text
    parser: Any = Parser(plant)
    instance = parser.AddModelsFromString(text, "urdf")[0]
    joints = [plant.GetJointByName(name, instance) for name in arm().elastic.double.joint_names]
    for joint in joints:
        joint.set_default_damping_vector(np.zeros(1))
    if arm().double.root_links()[0] != "world":
        root = plant.GetFrameByName(arm().double.root_links()[0], instance)
        plant.WeldFrames(plant.world_frame(), root)
    plant.Finalize()
    assert [joint.velocity_start() for joint in joints] == list(range(2 * N))
    force = builder.AddSystem(Springs())
    builder.Connect(plant.get_state_output_port(), force.get_input_port())
    builder.Connect(force.get_output_port(), plant.get_applied_generalized_force_input_port())
    diagram = builder.Build()
    simulator = Simulator(diagram)
    scheme = SimulatorConfig(integration_scheme="runge_kutta3", accuracy=1e-9, max_step_size=1e-3)
    ApplySimulatorConfig(scheme, simulator)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetPositions(context, np.tile(START, 2))
    plant.SetVelocities(context, np.tile(SPEED, 2))
    simulator.AdvanceTo(DURATION)
    np.testing.assert_allclose(plant.GetPositions(context), radau(), rtol=0, atol=WITHIN)
