"""Conversions against closed forms of a free rigid body, a planar body and exact index moves."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_check.sdk.canonical import Canonical, CanonicalJoint, CanonicalLink, line_up
from robodyn_check.sdk.conventions import Conventions
from robodyn_check.sdk.layout import Frame, JointLayout, Layout
from robodyn_check.sdk.rotations import cross_matrix, from_quaternion
from robodyn_check.sdk.velocity_map import LayoutMismatch, VelocityMap

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.sdk.readback import Vector

    Array = npt.NDArray[np.float64]

N = 5
GRAVITY = np.array([0.3, -0.2, -9.7])
FRAMES = list(product(get_args(Frame), repeat=2))
BODY = CanonicalLink(name="body", joint="base")


def floating(linear: Frame, angular: Frame):
    """Return Drake's order of indices: quaternion first and w first, angular velocity first."""
    q, v = (4, 5, 6, 1, 2, 3, 0), (3, 4, 5, 0, 1, 2)
    joint = JointLayout(name="base", q=q, v=v, form="pose", linear=linear, angular=angular)
    layout = Layout(joints=(joint,), links=("body",), nq=7, nv=6, jacobian_rows="angular_linear")
    canonical = line_up((("base", "floating"),), (BODY,))
    return Conventions(layout, canonical), layout


def draw(seed: int = 0):
    rng = np.random.default_rng(seed)
    quaternion = rng.normal(size=(N, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    return np.concatenate([rng.normal(size=(N, 3)), quaternion], axis=1), *rng.normal(size=(3, N, 6))


def rigid_body(
    R: Array,
    omega: Array,
    linear_axes: Array,
    angular_axes: Array,
    mass: float,
    com: Array,
    inertia: Array,
    spin: Array,
):
    """Return M and the velocity-product force of a free body with its velocity in given axes (batched matrices).

    ``linear_axes``, ``angular_axes``: world from the axes of the components. ``spin``: ω × v_linear where the linear
    axes turn with the body, else 0 (all in world axes). Newton-Euler about the body's origin, in world axes.
    """
    c = np.einsum("nij,j->ni", R, com)
    about_origin = inertia - mass * cross_matrix(com[None])[0] @ cross_matrix(com[None])[0]
    world_inertia = R @ about_origin @ np.swapaxes(R, 1, 2)
    mixed = mass * cross_matrix(c)
    upper = np.concatenate([np.broadcast_to(mass * np.eye(3), mixed.shape), -mixed], axis=2)
    M = np.concatenate([upper, np.concatenate([mixed, world_inertia], axis=2)], axis=1)
    T = np.zeros_like(M)
    T[:, :3, :3], T[:, 3:, 3:] = linear_axes, angular_axes
    force = mass * (np.cross(omega, np.cross(omega, c)) + spin)
    momentum = np.einsum("nij,nj->ni", world_inertia, omega)
    moment = np.cross(omega, momentum) + mass * np.cross(c, spin)
    bias = np.concatenate([force, moment], axis=1)
    gravity = -np.concatenate([np.broadcast_to(mass * GRAVITY, c.shape), mass * np.cross(c, GRAVITY)], axis=1)
    Tt = np.swapaxes(T, 1, 2)
    return Tt @ M @ T, np.einsum("nij,nj->ni", Tt, bias), np.einsum("nij,nj->ni", Tt, gravity)


def free_body(q: Array, v: Array, linear: Frame, angular: Frame):
    """Return (M, C v, g) in components of the given frames, canonical order; v is canonical."""
    mass, com, inertia = 2.3, np.array([0.3, -0.2, 0.5]), np.diag([0.4, 0.5, 0.7])
    R = from_quaternion(q[:, 3:])
    eye = np.broadcast_to(np.eye(3), R.shape)
    omega = np.einsum("nij,nj->ni", R, v[:, 3:])
    velocity = np.einsum("nij,nj->ni", R, v[:, :3])
    spin = np.cross(omega, velocity) if linear == "body" else np.zeros_like(velocity)
    linear_axes, angular_axes = (R if frame == "body" else eye for frame in (linear, angular))
    return rigid_body(R, omega, linear_axes, angular_axes, mass, com, inertia, spin)


def placed(value: Array, layout: Layout, axes: tuple[int, ...]):
    """Move canonical order to the library's, on the given axes."""
    (joint,) = layout.joints
    order = np.argsort(joint.v)
    for axis in axes:
        value = np.take(value, order, axis=axis)
    return value


@pytest.mark.parametrize(("linear", "angular"), FRAMES)
def test_a_free_body_has_one_dynamics_in_all_frames(linear: Frame, angular: Frame):
    convention, layout = floating(linear, angular)
    q, v, a, tau = draw()
    library = [
        placed(part, layout, axes)
        for part, axes in zip(free_body(q, v, linear, angular), ((1, 2), (1,), (1,)), strict=True)
    ]
    M, Cv, g = free_body(q, v, "body", "body")
    given_ = {"q": q, "v": v, "a": a, "tau": tau}
    np.testing.assert_allclose(convention.answer("mass_matrix", library[0], given_), M, rtol=0, atol=1e-13)
    np.testing.assert_allclose(convention.answer("gravity_vector", library[2], given_), g, rtol=0, atol=1e-13)
    coriolis = convention.answer("coriolis_force", library[1], given_, mass_matrix=library[0])
    np.testing.assert_allclose(coriolis, Cv, rtol=0, atol=1e-13)
    bias = convention.answer("bias_force", library[1] + library[2], given_, mass_matrix=library[0])
    np.testing.assert_allclose(bias, Cv + g, rtol=0, atol=1e-13)
    assert convention.needs_mass_matrix("bias_force") is (linear == "world")
    # M a + h = tau, asked and answered in the library's coordinates
    asked = convention.inputs(given_)
    forces = np.einsum("nij,nj->ni", library[0], asked["a"]) + library[1] + library[2]
    expected = np.einsum("nij,nj->ni", M, a) + Cv + g
    np.testing.assert_allclose(convention.answer("inverse_dynamics", forces, given_), expected, rtol=0, atol=1e-13)
    motion = np.linalg.solve(library[0], (asked["tau"] - library[1] - library[2])[..., None])[..., 0]
    expected = np.linalg.solve(M, (tau - Cv - g)[..., None])[..., 0]
    np.testing.assert_allclose(convention.answer("forward_dynamics", motion, given_), expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize(("linear", "angular"), FRAMES)
def test_acceleration_is_the_time_derivative_of_velocity(linear: Frame, angular: Frame):
    convention, _ = floating(linear, angular)
    q, v, a, _ = draw(1)
    asked = convention.inputs({"q": q, "v": v, "a": a})["a"]
    step = 1e-6
    later, earlier = (convention.inputs({"q": moved(q, v, h), "v": v + h * a})["v"] for h in (step, -step))
    np.testing.assert_allclose((later - earlier) / (2 * step), asked, rtol=0, atol=1e-8)


def moved(q: Array, v: Array, step: float):
    """Move a floating base along its body velocity for a short time (second order in the step)."""
    R = from_quaternion(q[:, 3:])
    x, y, z = np.moveaxis(v[:, 3:] * step / 2, 1, 0)
    qx, qy, qz, qw = np.moveaxis(q[:, 3:], 1, 0)
    turned = np.stack(
        [
            qx + qw * x + qy * z - qz * y,
            qy + qw * y + qz * x - qx * z,
            qz + qw * z + qx * y - qy * x,
            qw - qx * x - qy * y - qz * z,
        ],
        axis=1,
    )
    return np.concatenate([q[:, :3] + step * np.einsum("nij,nj->ni", R, v[:, :3]), turned], axis=1)


@pytest.mark.parametrize(("linear", "angular"), FRAMES)
def test_coriolis_matrix_keeps_its_product_and_its_skewness(linear: Frame, angular: Frame):
    convention, layout = floating(linear, angular)
    q, v, *_ = draw(2)
    step = 1e-5
    asked = convention.inputs({"q": q, "v": v})
    M, Cv, _ = (free_body(q, v, linear, angular)[k] for k in range(3))
    rate = (
        free_body(moved(q, v, step), v, linear, angular)[0] - free_body(moved(q, v, -step), v, linear, angular)[0]
    ) / (2 * step)
    M, Cv, rate = placed(M, layout, (1, 2)), placed(Cv, layout, (1,)), placed(rate, layout, (1, 2))
    # C = Mdot / 2 + skew, the skew part chosen so that C v is the Coriolis force: u wᵀ - w uᵀ with w = v / |v|²
    rest = Cv - np.einsum("nij,nj->ni", rate / 2, asked["v"])
    w = asked["v"] / np.sum(asked["v"] ** 2, axis=1, keepdims=True)
    u = rest - w * np.sum(rest * asked["v"], axis=1, keepdims=True)
    C = rate / 2 + np.einsum("ni,nj->nij", u, w) - np.einsum("ni,nj->nij", w, u)
    converted = convention.answer("coriolis_matrix", C, {"q": q, "v": v}, mass_matrix=M)
    expected = free_body(q, v, "body", "body")[1]
    np.testing.assert_allclose(np.einsum("nij,nj->ni", converted, v), expected, rtol=0, atol=1e-8)
    body_rate = np.zeros_like(converted)  # in the body frame M is constant
    np.testing.assert_allclose(converted + np.swapaxes(converted, 1, 2), body_rate, rtol=0, atol=1e-8)


@pytest.mark.parametrize(("linear", "angular"), FRAMES)
def test_jacobian_times_velocity_is_the_link_twist(linear: Frame, angular: Frame):
    convention, _ = floating(linear, angular)
    q, v, *_ = draw(3)
    R = from_quaternion(q[:, 3:])
    eye = np.broadcast_to(np.eye(3), R.shape)
    raw = np.zeros((N, 1, 6, 6))  # rows and columns [angular; linear]
    raw[:, 0, :3, :3] = R if angular == "body" else eye
    raw[:, 0, 3:, 3:] = R if linear == "body" else eye
    J = convention.answer("link_jacobians", raw, {"q": q})
    twist = np.concatenate([np.einsum("nij,nj->ni", R, v[:, :3]), np.einsum("nij,nj->ni", R, v[:, 3:])], axis=1)
    np.testing.assert_allclose(np.einsum("nkij,nj->ni", J, v), twist, rtol=0, atol=1e-13)


@pytest.mark.parametrize("plane_x", [None, (0.0, -1.0, 0.0)])
@pytest.mark.parametrize("frame", ["world", "body"])
def test_planar_joint_power_and_acceleration_are_kept(frame: Frame, plane_x: Vector | None):
    held = JointLayout(name="p", q=(0, 1, 2, 3), v=(0, 1, 2), form="x_y_cos_sin", linear=frame, plane_x=plane_x)
    joint = CanonicalJoint(name="p", kind="planar", q=0, v=0, axis=(0.0, 0.0, 1.0))
    convention = Conventions(Layout(joints=(held,), links=(), nq=4, nv=3), Canonical(joints=(joint,), links=()))
    q, v, a, tau = np.random.default_rng(4).normal(size=(4, N, 3))
    asked = convention.inputs({"q": q, "v": v, "a": a, "tau": tau})
    np.testing.assert_allclose(np.sum(asked["tau"] * asked["v"], axis=1), np.sum(tau * v, axis=1), atol=1e-13)
    step = 1e-6
    later, earlier = (convention.inputs({"q": q + h * v, "v": v + h * a}) for h in (step, -step))
    np.testing.assert_allclose((later["v"] - earlier["v"]) / (2 * step), asked["a"], rtol=0, atol=1e-8)
    plane = (later["q"][:, :2] - earlier["q"][:, :2]) / (2 * step)
    c, s = asked["q"][:, 2], asked["q"][:, 3]
    in_child = np.stack([c * plane[:, 0] + s * plane[:, 1], c * plane[:, 1] - s * plane[:, 0]], axis=1)
    np.testing.assert_allclose(asked["v"][:, :2], in_child if frame == "body" else plane, rtol=0, atol=1e-8)
    back = convention.answer("forward_dynamics", asked["a"], {"q": q, "v": v, "tau": tau})
    np.testing.assert_allclose(back, a, rtol=0, atol=1e-13)


def test_ball_joint_in_the_parent_frame():
    held = JointLayout(name="b", q=(1, 2, 3, 0), v=(0, 1, 2), form="quaternion", angular="world")
    convention = Conventions(Layout(joints=(held,), links=(), nq=4, nv=3), line_up((("b", "ball"),), ()))
    q, v, a, _ = draw(5)
    q, v, a = q[:, 3:], v[:, :3], a[:, :3]
    asked = convention.inputs({"q": q, "v": v, "a": a})
    np.testing.assert_array_equal(asked["q"], q[:, [3, 0, 1, 2]])
    np.testing.assert_allclose(asked["v"], np.einsum("nij,nj->ni", from_quaternion(q), v), atol=1e-15)
    np.testing.assert_allclose(asked["a"], np.einsum("nij,nj->ni", from_quaternion(q), a), atol=1e-14)
    assert not convention.needs_mass_matrix("bias_force")
    assert convention.needs_mass_matrix("coriolis_matrix")


@settings(max_examples=30)
@given(order=st.permutations(list(range(6))), seed=st.integers(0, 2**32 - 1))
def test_permutations_cost_no_rounding(order: list[int], seed: int):
    names = [f"j{k}" for k in range(6)]
    joints = tuple(JointLayout(name=names[k], q=(place,), v=(place,)) for place, k in enumerate(order))
    layout = Layout(joints=joints, links=("a", "b"), nq=6, nv=6)
    links = (
        CanonicalLink(name="b", joint="j0"),
        CanonicalLink(name="absent", joint="j1"),
        CanonicalLink(name="a", joint=None),
    )
    convention = Conventions(layout, line_up(tuple((name, "revolute") for name in names), links))
    rng = np.random.default_rng(seed)
    q, v, a, tau = rng.normal(size=(4, N, 6))
    asked = convention.inputs({"q": q, "v": v, "a": a, "tau": tau})
    for name, mine in (("q", q), ("v", v), ("a", a), ("tau", tau)):
        np.testing.assert_array_equal(asked[name], mine[:, order])
    M, poses = rng.normal(size=(N, 6, 6)), rng.normal(size=(N, 2, 3, 4))
    back = convention.answer("mass_matrix", M[:, order][:, :, order], {"q": q})
    np.testing.assert_array_equal(back, M)
    np.testing.assert_array_equal(convention.answer("bias_force", v[:, order], {"q": q, "v": v}), v)
    placed_poses = convention.answer("link_poses", poses, {"q": q})
    np.testing.assert_array_equal(placed_poses[:, [2, 0]], poses)
    assert np.isnan(placed_poses[:, 1]).all()
    assert convention.absent_links == (1,)


def test_continuous_joint_as_cosine_and_sine():
    held = JointLayout(name="c", q=(1, 0), v=(0,), form="cos_sin")
    convention = Conventions(Layout(joints=(held,), links=(), nq=2, nv=1), line_up((("c", "continuous"),), ()))
    np.testing.assert_array_equal(convention.inputs({"q": np.array([[0.3]])})["q"], [[np.sin(0.3), np.cos(0.3)]])


def test_forces_of_an_eliminated_mimic_joint_act_on_its_master():
    joints = (
        CanonicalJoint(name="m", kind="revolute", q=0, v=0),
        CanonicalJoint(name="f", kind="revolute", q=1, v=1, mimic=("m", 2.0)),
        CanonicalJoint(name="g", kind="revolute", q=2, v=2, mimic=("f", -3.0)),
    )
    layout = Layout(joints=(JointLayout(name="m", q=(0,), v=(0,)),), links=(), nq=1, nv=1, reduced=("f", "g"))
    convention = Conventions(layout, Canonical(joints=joints, links=()))
    tau = np.array([[1.0, 10.0, 100.0]])
    asked = convention.inputs({"q": tau, "v": tau, "tau": tau})
    np.testing.assert_array_equal(asked["tau"], [[1 + 2 * (10 - 3 * 100)]])
    np.testing.assert_array_equal(asked["q"], [[1.0]])


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        (Layout(joints=(), links=(), nq=0, nv=0), "without joint 'j'; the file has joint 'j'"),
        (
            Layout(joints=tuple(JointLayout(name=n, q=(k,), v=(k,)) for k, n in enumerate("jx")), links=(), nq=2, nv=2),
            "with joint 'x', which the file does not have",
        ),
        (Layout(joints=(JointLayout(name="j", q=(1,), v=(0,)),), links=(), nq=2, nv=1), "indices into q are [1]"),
        (
            Layout(joints=(JointLayout(name="j", q=(0, 1, 2, 3), v=(0,), form="quaternion"),), links=(), nq=4, nv=1),
            "joint 'j' is revolute in the file, but the library spells it as 'quaternion'",
        ),
        (
            Layout(joints=(JointLayout(name="j", q=(0,), v=(0, 1)),), links=(), nq=1, nv=2),
            "needs 1 indices into q and 1",
        ),
        (
            Layout(joints=(JointLayout(name="j", q=(0,), v=(0,)),), links=("l",), nq=1, nv=1),
            "the library answers for links ['l'], the file has []",
        ),
    ],
)
def test_another_robot_is_told_apart(layout: Layout, words: str):
    with pytest.raises(LayoutMismatch) as caught:
        Conventions(layout, line_up((("j", "revolute"),), ()))
    assert words in str(caught.value)


def test_an_eliminated_joint_must_be_a_mimic_joint():
    layout = Layout(joints=(), links=(), nq=0, nv=0, reduced=("j",))
    with pytest.raises(LayoutMismatch, match="eliminated joint 'j', which the file does not couple"):
        VelocityMap(layout, line_up((("j", "revolute"),), ()))
