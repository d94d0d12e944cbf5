"""Robots whose equations stand in textbooks."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate, evaluate_many
from tests.reference.robots import chain, joint, link, number, robot

GRAVITY = 9.81


def close(actual: object, expected: object) -> None:
    np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol=1e-13, atol=1e-14)


def test_pendulum_equals_its_textbook_equation() -> None:
    # (I + m l²) θ'' + m g l sin θ = tau (Siciliano et al. (2009), example 7.1 without motor)
    m, l, I = 1.3, 0.7, 0.05
    arm = chain(("revolute", (0, 1, 0), (0, 0, 0), link("bob", m, (0, 0, -l), (0, I, 0))))
    q, v, tau = np.array([[0.4], [-2.1]]), np.array([[3.0], [0.5]]), np.array([[0.2], [-1.0]])
    values = evaluate_many(
        arm, ("mass_matrix", "coriolis_matrix", "gravity_vector", "forward_dynamics", "kinetic_energy"), q, v, None, tau
    )
    inertia, g = I + m * l**2, m * GRAVITY * l * np.sin(q)
    close(values["mass_matrix"][:, 0, 0], [inertia, inertia])
    close(values["coriolis_matrix"], np.zeros((2, 1, 1)))
    close(values["gravity_vector"], g)
    close(values["forward_dynamics"], (tau - g) / inertia)
    close(values["kinetic_energy"], inertia * v[:, 0] ** 2 / 2)


def test_pendulum_energy_is_height() -> None:
    arm = chain(("revolute", (0, 1, 0), (0, 0, 0), link("bob", 2.0, (0, 0, -0.5))))
    q = np.array([[0.0], [0.3]])
    close(evaluate(arm, "potential_energy", q), -2.0 * GRAVITY * 0.5 * np.cos(q[:, 0]))


def test_planar_two_link_arm_of_point_masses_equals_craig() -> None:
    # Craig (2005), Introduction to Robotics, section 6.7: point masses at the ends of both links
    m1, m2, l1, l2 = 1.5, 0.8, 0.6, 0.4
    arm = chain(
        ("revolute", (0, 0, 1), (0, 0, 0), link("upper", m1, (l1, 0, 0))),
        ("revolute", (0, 0, 1), (l1, 0, 0), link("lower", m2, (l2, 0, 0))),
        gravity=(0, -GRAVITY, 0),
    )
    q, v = np.array([[0.3, -1.1]]), np.array([[0.7, 1.9]])
    (q1, q2), (v1, v2) = q[0], v[0]
    c2, s2 = np.cos(q2), np.sin(q2)
    values = evaluate_many(arm, ("mass_matrix", "coriolis_matrix", "coriolis_force", "gravity_vector"), q, v)
    m12 = l2**2 * m2 + l1 * l2 * m2 * c2
    close(
        values["mass_matrix"][0],
        [[l2**2 * m2 + 2 * l1 * l2 * m2 * c2 + l1**2 * (m1 + m2), m12], [m12, l2**2 * m2]],
    )
    h = m2 * l1 * l2 * s2
    close(values["coriolis_matrix"][0], [[-h * v2, -h * (v1 + v2)], [h * v1, 0]])
    close(values["coriolis_force"][0], [-h * v2**2 - 2 * h * v1 * v2, h * v1**2])
    g2 = m2 * l2 * GRAVITY * np.cos(q1 + q2)
    close(values["gravity_vector"][0], [g2 + (m1 + m2) * l1 * GRAVITY * np.cos(q1), g2])


def test_revolute_prismatic_arm_equals_craig() -> None:
    # Craig (2005), section 6.6, the RP manipulator: masses at l1 and at the variable distance d
    m1, m2, l1, I1, I2 = 1.2, 0.9, 0.3, 0.02, 0.03
    arm = chain(
        ("revolute", (0, 0, 1), (0, 0, 0), link("turn", m1, (l1, 0, 0), (0, 0, I1))),
        ("prismatic", (1, 0, 0), (0, 0, 0), link("slide", m2, (0, 0, 0), (0, 0, I2))),
        gravity=(0, -GRAVITY, 0),
    )
    q, v = np.array([[0.5, 0.8]]), np.array([[1.1, -0.4]])
    (angle, d), (w, d_dot) = q[0], v[0]
    values = evaluate_many(arm, ("mass_matrix", "coriolis_matrix", "gravity_vector"), q, v)
    close(values["mass_matrix"][0], np.diag([m1 * l1**2 + I1 + I2 + m2 * d**2, m2]))
    close(values["coriolis_matrix"][0], [[m2 * d * d_dot, m2 * d * w], [-m2 * d * w, 0]])
    close(
        values["gravity_vector"][0],
        [(m1 * l1 + m2 * d) * GRAVITY * np.cos(angle), m2 * GRAVITY * np.sin(angle)],
    )


def test_cart_pole_equals_its_textbook_equation() -> None:
    # Tedrake, Underactuated Robotics, section 3.2.1: θ measured from hanging
    mc, mp, l = 2.0, 0.3, 0.5
    arm = chain(
        ("prismatic", (1, 0, 0), (0, 0, 0), link("cart", mc)),
        ("revolute", (0, -1, 0), (0, 0, 0), link("pole", mp, (0, 0, -l))),
    )
    q, v = np.array([[0.2, 0.9]]), np.array([[-0.6, 1.7]])
    c, s = np.cos(q[0, 1]), np.sin(q[0, 1])
    values = evaluate_many(arm, ("mass_matrix", "coriolis_matrix", "gravity_vector"), q, v)
    close(values["mass_matrix"][0], [[mc + mp, mp * l * c], [mp * l * c, mp * l**2]])
    close(values["coriolis_matrix"][0], [[0, -mp * l * v[0, 1] * s], [0, 0]])
    close(values["gravity_vector"][0], [0, mp * GRAVITY * l * s])


@pytest.mark.parametrize("kind", ["ball", "floating"])
def test_free_rigid_body_obeys_euler(kind: str) -> None:
    # I ω' + ω × I ω = 0 in body axes, torque-free (Goldstein (2002), equation 5.39')
    moments = np.array([0.2, 0.5, 0.6])
    body = robot([link("body", 1.7, (0, 0, 0), tuple(moments))], [joint("free", kind, None, "body")], "mjcf")
    mechanism = build_mechanism(body, gravity=(0, 0, 0))
    q = np.zeros((1, mechanism.nq))
    q[0, -4:] = [0.1, -0.5, 0.2, 0.8]
    w = np.array([0.7, -1.3, 2.1])
    v = np.zeros((1, mechanism.nv))
    v[0, -3:] = w
    a = evaluate(mechanism, "forward_dynamics", q, v)
    close(a[0, -3:], -np.cross(w, moments * w) / moments)
    close(a[0, :-3], np.zeros(mechanism.nv - 3))


def test_moving_free_body_has_the_transport_term() -> None:
    # v in body axes: m (v' + ω × v) = m Rᵀ γ
    mechanism = build_mechanism(robot([link("body", 2.0, (0, 0, 0), (1, 1, 1))], []), base="floating")
    q = np.array([[0.3, -0.2, 0.9, 0.0, 0.0, 0.0, 1.0]])
    v = np.array([[0.5, 0.1, -0.3, 0.2, 1.0, -0.6]])
    a = evaluate(mechanism, "forward_dynamics", q, v)
    close(a[0, :3], np.array([0, 0, -GRAVITY]) - np.cross(v[0, 3:], v[0, :3]))


def test_armature_of_a_free_joint_counts_its_translations_in_world_axes() -> None:
    # as MuJoCo's free joint: (m + α) p'' = m γ in world axes, so v' = Rᵀ p'' - ω × v in body axes
    m, alpha = 2.0, 0.7
    free = joint("free", "floating", None, "body", armature=number(alpha))
    mechanism = build_mechanism(robot([link("body", m, (0, 0, 0), (1, 2, 3))], [free], "mjcf"))
    q = np.array([[0.3, -0.2, 0.9, 0.1, -0.5, 0.2, 0.8]])
    v = np.array([[0.5, 0.1, -0.3, 0.2, 1.0, -0.6]])
    R = evaluate(mechanism, "link_poses", q)[0, 0, :, :3]
    a = evaluate(mechanism, "forward_dynamics", q, v)[0]
    close(a[:3], R.T @ [0, 0, -GRAVITY * m / (m + alpha)] - np.cross(v[0, 3:], v[0, :3]))
    tau = evaluate(mechanism, "inverse_dynamics", q, v, a[None])
    np.testing.assert_allclose(tau, np.zeros((1, 6)), atol=1e-13)


def test_planar_joint_moves_in_the_plane_of_its_axis() -> None:
    # axis y: the smallest rotation takes z to y, so the plane's axes are x and -z
    body = robot([link("base"), link("puck", 2.0)], [joint("p", "planar", "base", "puck", axis=(0, 1, 0))])
    mechanism = build_mechanism(body)
    pose = evaluate(mechanism, "link_poses", np.array([[0.3, 0.4, 0.0]]))[0, 1]
    close(pose[:, 3], [0.3, 0.0, -0.4])
    close(evaluate(mechanism, "gravity_vector", np.array([[0.3, 0.4, 0.0]])), [[0, -2.0 * GRAVITY, 0]])
