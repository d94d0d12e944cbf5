"""Scales: the formulas of the calibration written out literally, closed forms, units, and what must never happen."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.errors import EvaluationError
from robodyn_check.faults.random_models import SMALL_GROUPS, random_robot, written
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.robot import Inertial, Joint, Link, Pose, RobotModel
from robodyn_check.states import StateBatch
from robodyn_check.tolerance import scales

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism

    Array = npt.NDArray[np.float64]

ROBOTS = {
    **{group: build_mechanism(random_robot(7, group=group)) for group in SMALL_GROUPS},
    "floating": build_mechanism(random_robot(7, group="branched"), base="floating"),
    "every_kind": build_mechanism(
        random_robot(5, group="branched", dofs=14, kinds=("ball", "planar", "floating"), armature=True)
    ),
}
robots = pytest.mark.parametrize("mechanism", ROBOTS.values(), ids=ROBOTS.keys())


def batch(mechanism: Mechanism, count: int = 3, seed: int = 0) -> StateBatch:
    draw = np.random.default_rng(seed)
    q = draw.uniform(-2.0, 2.0, (count, mechanism.nq))
    v, a, tau = (draw.uniform(-2.0, 2.0, (count, mechanism.nv)) for _ in range(3))
    return StateBatch(q=q, v=v, a=a, tau=tau)


TRANSLATIONS = {"revolute": 0, "continuous": 0, "prismatic": 1, "planar": 2, "ball": 0, "floating": 3}


def walk(mechanism: Mechanism, q: Array) -> tuple[Array, Array, Array, list[list[int]]]:
    """Return r and org per coordinate, d0 and the coordinates on its path per link, by walking each path."""
    r, org, d0 = np.zeros(mechanism.nv), np.zeros(mechanism.nv), np.zeros(mechanism.nl)
    on: list[list[int]] = [[] for _ in range(mechanism.nl)]
    for link, path in enumerate(mechanism.link_path):
        for step, number in path:
            d0[link] += step
            if number < 0:
                continue
            joint = mechanism.joints[number]
            slides = TRANSLATIONS[joint.kind]
            moved = float(np.linalg.norm(q[joint.q.start : joint.q.start + slides]))
            for k in range(joint.v.start, joint.v.stop):
                r[k] = float(k - joint.v.start >= slides)
                org[k] = d0[link] + (moved if r[k] else 0.0)
                on[link].append(k)
            d0[link] += moved
    return r, org, d0, on


def literal(mechanism: Mechanism, states: StateBatch, n: int) -> dict[str, Array]:
    """Evaluate section 0 of the calibration, and what slides, for one state by loops over links and pairs."""
    nv = mechanism.nv
    r, org, d0, on = walk(mechanism, states.q[n])
    m = np.abs(mechanism.link_mass)
    end = d0 + np.linalg.norm(mechanism.link_com, axis=0)
    below = [link for link in range(mechanism.nl) if on[link]]
    rb = max(
        sum(m[link] * end[link] for link in which) / sum(m[link] for link in which)
        for which in (below, range(mechanism.nl))
    )
    u, gamma = np.abs(states.v[n]), np.linalg.norm(mechanism.gravity)
    M, C, g, Cv = np.zeros((nv, nv)), np.zeros((nv, nv)), np.zeros(nv), np.zeros(nv)
    for link in below:
        reach = np.where(r > 0, end[link] + org + 2 * rb, 1.0)
        inertia = np.linalg.norm(mechanism.link_inertia[:, :, link], 2)
        path = on[link]
        eta = np.zeros((nv, nv))
        for (j, upper), (k, lower) in itertools.product(enumerate(path), repeat=2):
            eta[upper, lower] = reach[path[max(j, k)]] if r[upper] and r[lower] else max(r[upper], r[lower])
        turning = sum(r[k] * u[k] for k in path)
        sliding = sum((1 - r[k]) * u[k] for k in path)
        for i in path:
            g[i] += gamma * m[link] * reach[i]
            Cv[i] += m[link] * reach[i] * (u @ eta @ u) + r[i] * (inertia * turning**2 + m[link] * sliding**2)
            for j in path:
                M[i, j] += m[link] * reach[i] * reach[j] + r[i] * r[j] * inertia
                C[i, j] += m[link] * reach[i] * (eta @ u)[j] + r[i] * r[j] * inertia * turning
                C[i, j] += r[i] * (1 - r[j]) * m[link] * sliding
    return {"mass_matrix": M, "gravity_vector": g, "coriolis_matrix": C, "coriolis_force": Cv}


@robots
def test_scales_are_those_of_the_calibration_written_out(mechanism: Mechanism) -> None:
    bare = replace(mechanism, armature=np.zeros(mechanism.nv))
    states = batch(mechanism)
    S = scales(bare, states)
    for n in range(3):
        for name, value in literal(bare, states, n).items():
            np.testing.assert_allclose(getattr(S, name)[n], value, rtol=1e-12, err_msg=name)


def test_where_everything_slides_rounding_of_moments_is_allowed_and_nothing_else() -> None:
    mechanism = ROBOTS["prismatic"]
    states = batch(mechanism)
    slides = 1.0 - scales(mechanism, states).tree.angular
    S = scales(mechanism, replace(states, v=states.v * slides))
    assert (S.coriolis_force[:, slides == 1.0] == 0.0).all()
    assert (
        S.coriolis_force[:, slides == 0.0] <= (mechanism.link_mass.sum() * (S.abs_v.sum(axis=1) ** 2))[:, None]
    ).all()
    assert S.coriolis_force.max() > 0.0


@robots
def test_coriolis_matrix_times_speed_is_the_coriolis_force(mechanism: Mechanism) -> None:
    S = scales(mechanism, batch(mechanism))
    np.testing.assert_allclose(np.einsum("nij,nj->ni", S.coriolis_matrix, S.abs_v), S.coriolis_force, rtol=1e-12)


@robots
def test_inverse_dynamics_needs_no_mass_matrix(mechanism: Mechanism) -> None:
    S = scales(mechanism, batch(mechanism))
    direct = np.einsum("nij,nj->ni", S.mass_matrix, S.abs_a) + S.gravity_vector + S.coriolis_force
    np.testing.assert_allclose(S.inverse_dynamics, direct, rtol=1e-12)
    kinetic = 0.5 * np.einsum("ni,nij,nj->n", S.abs_v, S.mass_matrix, S.abs_v)
    np.testing.assert_allclose(S.kinetic_energy, kinetic, rtol=1e-12)


def pendulum(*, mass: float = 2.0, length: float = 0.5, inertia: float = 0.1) -> Mechanism:
    zero = written(0.0)
    none = (zero, zero, zero)
    entries = (written(inertia), zero, zero, written(inertia), zero, written(inertia))
    bob = Inertial(origin=Pose(xyz=(zero, zero, written(-length))), mass=written(mass), inertia=entries)
    pin = Joint(
        name="pin",
        kind="continuous",
        line=None,
        parent="base",
        child="bob",
        placements=(Pose(xyz=none),),
        axis=(zero, written(1.0), zero),
    )
    links = (Link(name="base", line=None), Link(name="bob", line=None, inertial=bob))
    robot = RobotModel(name="pendulum", format="urdf", path="p.urdf", sha256="", links=links, joints=(pin,))
    return build_mechanism(robot)


def test_a_pendulum_has_its_closed_form() -> None:
    # reach = l + 2 rb = 3 l, since the only moving link is its own mean.
    S = scales(
        pendulum(), StateBatch(q=np.ones((1, 1)), v=np.full((1, 1), -3.0), a=np.ones((1, 1)), tau=np.ones((1, 1)))
    )
    np.testing.assert_allclose(S.mass_matrix[0, 0, 0], 2.0 * 1.5**2 + 0.1)
    np.testing.assert_allclose(S.gravity_vector[0, 0], 9.81 * 2.0 * 1.5)
    np.testing.assert_allclose(S.coriolis_force[0, 0], 9.0 * (2.0 * 1.5 * 1.5 + 0.1))
    np.testing.assert_allclose(S.potential_energy[0], 9.81 * 2.0 * 0.5)
    np.testing.assert_allclose(S.joint_torque_regressor[0, 0, 10:12], [0.0, 9.81])
    np.testing.assert_allclose(S.link_poses[0, 1, :, 3], 0.0)
    assert (S.joint_torque_regressor[0, 0, :10] == 0.0).all()


def test_lengths_in_millimetres_scale_the_mass_matrix_by_a_million() -> None:
    one, thousand = pendulum(), pendulum(length=500.0, inertia=0.1e6)
    states = StateBatch(q=np.ones((1, 1)), v=np.ones((1, 1)), a=np.ones((1, 1)), tau=np.ones((1, 1)))
    np.testing.assert_allclose(scales(thousand, states).mass_matrix, 1e6 * scales(one, states).mass_matrix)
    np.testing.assert_allclose(scales(thousand, states).gravity_vector, 1e3 * scales(one, states).gravity_vector)


@robots
def test_a_negative_mass_counts_like_a_positive_one(mechanism: Mechanism) -> None:
    states = batch(mechanism)
    negative = replace(mechanism, link_mass=-mechanism.link_mass)
    np.testing.assert_array_equal(scales(negative, states).mass_matrix, scales(mechanism, states).mass_matrix)


@robots
def test_more_mass_and_more_speed_never_lower_a_scale(mechanism: Mechanism) -> None:
    states = batch(mechanism)
    small = scales(mechanism, states)
    heavy = scales(replace(mechanism, link_mass=3.0 * mechanism.link_mass), states)
    fast = scales(mechanism, replace(states, v=2.0 * states.v))
    assert (heavy.mass_matrix >= small.mass_matrix * (1.0 - 1e-12)).all()
    assert (fast.coriolis_force >= small.coriolis_force).all()
    np.testing.assert_array_equal(fast.coriolis_force, 4.0 * small.coriolis_force)


def test_armature_enters_the_mass_matrix_and_the_torque_only() -> None:
    mechanism = pendulum()
    states = StateBatch(q=np.ones((1, 1)), v=np.ones((1, 1)), a=np.full((1, 1), 2.0), tau=np.ones((1, 1)))
    bare, loaded = scales(mechanism, states), scales(replace(mechanism, armature=np.array([0.7])), states)
    np.testing.assert_allclose(loaded.mass_matrix - bare.mass_matrix, 0.7)
    np.testing.assert_allclose(loaded.inverse_dynamics - bare.inverse_dynamics, 1.4)
    np.testing.assert_allclose(loaded.kinetic_energy - bare.kinetic_energy, 0.35)
    np.testing.assert_array_equal(loaded.coriolis_force, bare.coriolis_force)
    np.testing.assert_array_equal(loaded.joint_torque_regressor, bare.joint_torque_regressor)


@robots
def test_gravity_enters_by_its_length(mechanism: Mechanism) -> None:
    states = batch(mechanism)
    down, up = scales(mechanism, states), scales(mechanism, states, gravity=(0.0, 19.62, 0.0))
    np.testing.assert_allclose(up.gravity_vector, 2.0 * down.gravity_vector)
    assert (scales(mechanism, states, gravity=(0.0, 0.0, 0.0)).gravity_vector == 0.0).all()


@robots
def test_rate_is_the_sum_of_the_derivatives(mechanism: Mechanism) -> None:
    S = scales(mechanism, batch(mechanism))
    total = sum(S.abs_v[:, k, None, None] * S.mass_matrix_derivative(k) for k in range(mechanism.nv))
    np.testing.assert_allclose(S.mass_matrix_rate(), total)
    for k in range(mechanism.nv):
        assert (S.mass_matrix_derivative(k) * S.step(k)[:, None, None] >= S.mass_matrix * (1.0 - 1e-12)).all()
        assert (S.potential_derivative(k) >= 0.0).all()
        assert (S.kinetic_derivative(k) >= 0.0).all()


def test_an_angle_wound_up_far_counts_in_the_derivatives_only() -> None:
    mechanism = pendulum()
    zero = np.zeros((1, 1))
    near = scales(mechanism, StateBatch(q=np.full((1, 1), 3.0), v=zero, a=zero, tau=zero))
    far = scales(mechanism, StateBatch(q=np.full((1, 1), 1000.0 * np.pi), v=zero, a=zero, tau=zero))
    np.testing.assert_allclose(far.mass_matrix_derivative(0), 1000.0 * near.mass_matrix_derivative(0))
    np.testing.assert_array_equal(far.mass_matrix, near.mass_matrix)


@robots
def test_the_step_is_a_power_of_two_just_below_the_longest_reach(mechanism: Mechanism) -> None:
    S = scales(mechanism, batch(mechanism))
    longest = S.lengths.end.max(axis=1)
    for k in np.flatnonzero(S.tree.angular == 0.0):
        h = S.step(int(k))
        assert (np.frexp(h)[0] == 0.5).all()
        assert ((0.5 * longest <= h) & (h <= longest)).all()


def test_forward_dynamics_asks_for_the_true_mass_matrix() -> None:
    mechanism = pendulum()
    states = batch(mechanism)
    with pytest.raises(EvaluationError, match="needs the true mass matrix"):
        scales(mechanism, states).forward_dynamics(states.a, states.tau)


def test_forward_dynamics_of_a_pendulum_has_its_closed_form() -> None:
    mechanism = pendulum()
    one = np.ones((1, 1))
    S = scales(mechanism, StateBatch(q=one, v=one, a=one, tau=one), np.full((1, 1, 1), 0.6))
    expected = (S.mass_matrix[0, 0, 0] * 5.0 + 2.0 + S.bias_force[0, 0]) / 0.6
    np.testing.assert_allclose(S.forward_dynamics(np.full((1, 1), -5.0), np.full((1, 1), 2.0)), expected)


def test_a_singular_mass_matrix_makes_the_scale_infinite_at_its_state_only() -> None:
    mechanism = ROBOTS["plain"]
    states = batch(mechanism, count=2)
    M = np.stack([np.eye(mechanism.nv), np.zeros((mechanism.nv, mechanism.nv))])
    size = scales(mechanism, states, M).forward_dynamics(states.a, states.tau)
    assert np.isfinite(size[0]).all()
    assert np.isinf(size[1]).all()


def test_joints_of_a_floating_robot_inherit_the_error_of_the_base() -> None:
    mechanism = ROBOTS["floating"]
    states = batch(mechanism)
    draw = np.random.default_rng(1)
    root = draw.uniform(-1.0, 1.0, (3, mechanism.nv, mechanism.nv))
    M = root @ root.transpose(0, 2, 1) + np.eye(mechanism.nv)
    S = scales(mechanism, states, M)
    residual = S.mass_matrix_times(states.a) + np.abs(states.tau) + S.bias_force
    plain = np.einsum("nij,nj->ni", np.abs(np.linalg.inv(M)), residual)
    size = S.forward_dynamics(states.a, states.tau)
    assert plain[:, :3].max() > 1.5 * plain[:, :3].min()
    plain[:, :3] = plain[:, :3].max(axis=1, keepdims=True)  # a vector, which a library may hold in other axes
    np.testing.assert_allclose(size[:, :6], plain[:, :6])
    extra = np.abs(np.linalg.inv(M[:, 6:, 6:]) @ M[:, 6:, :6]) @ plain[:, :6, None]
    np.testing.assert_allclose(size[:, 6:], plain[:, 6:] + extra[:, :, 0])


def test_a_ball_joint_loses_by_the_condition_of_its_block_and_one_dof_joints_lose_nothing() -> None:
    mechanism = build_mechanism(random_robot(5, group="branched", dofs=3, kinds=("ball",)))
    states = batch(mechanism, count=1)
    M = np.diag([2.0, 3.0, 4.0])[None]
    M[0, 0, 1] = M[0, 1, 0] = np.sqrt(6.0) * (1.0 - 1e-6)  # scaled to unit diagonal: condition about 2e6
    S = scales(mechanism, states, M)
    residual = S.mass_matrix_times(states.a) + np.abs(states.tau) + S.bias_force
    plain = np.einsum("nij,nj->ni", np.abs(np.linalg.inv(M)), residual)
    np.testing.assert_allclose(S.forward_dynamics(states.a, states.tau), plain * 2e6 / 16.0, rtol=1e-3)
    arm = build_mechanism(random_robot(5, group="plain", dofs=3))
    S = scales(arm, states := batch(arm, count=1), M)
    residual = S.mass_matrix_times(states.a) + np.abs(states.tau) + S.bias_force
    plain = np.einsum("nij,nj->ni", np.abs(np.linalg.inv(M)), residual)
    np.testing.assert_allclose(S.forward_dynamics(states.a, states.tau), plain, rtol=1e-6)


@robots
def test_every_scale_has_the_shape_of_its_quantity(mechanism: Mechanism) -> None:
    S = scales(mechanism, batch(mechanism))
    n, nv, nl = 3, mechanism.nv, mechanism.nl
    shapes = {
        "mass_matrix": (n, nv, nv),
        "coriolis_matrix": (n, nv, nv),
        "gravity_vector": (n, nv),
        "bias_force": (n, nv),
        "coriolis_force": (n, nv),
        "inverse_dynamics": (n, nv),
        "kinetic_energy": (n,),
        "potential_energy": (n,),
        "link_poses": (n, nl, 3, 4),
        "link_jacobians": (n, nl, 6, nv),
        "joint_torque_regressor": (n, nv, 10 * nl),
    }
    for name, shape in shapes.items():
        array = getattr(S, name)
        assert array.shape == shape, name
        assert (array >= 0.0).all(), name


def test_scales_are_the_same_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = ROBOTS["branched"]
    states = batch(mechanism, count=7)
    whole = scales(mechanism, states).coriolis_matrix
    monkeypatch.setattr("robodyn_check.tolerance.sizes._CHUNK_ENTRIES", 2 * mechanism.nv**2)
    np.testing.assert_allclose(scales(mechanism, states).coriolis_matrix, whole, rtol=1e-14)
