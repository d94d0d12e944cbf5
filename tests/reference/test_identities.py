"""What holds for every mechanism, whatever its numbers: random trees, all joint kinds, both bases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

from robodyn_check.reference.armature import armature_force
from robodyn_check.reference.christoffel import (
    centrifugal_matrix,
    christoffel_symbols,
    coriolis_products,
    mass_matrix_derivative,
)
from robodyn_check.reference.chunk import Chunk
from robodyn_check.reference.crba import jacobian_mass_matrix
from robodyn_check.reference.engine import evaluate, evaluate_many
from robodyn_check.reference.rnea import inverse_dynamics
from robodyn_check.reference.tree import build_tree
from tests.reference.random_models import mechanism_of, mechanisms, random_states

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism

FEW = settings(max_examples=25, deadline=None, derandomize=True)


def close(actual: Any, expected: Any, size: Any) -> None:
    """Claim equality to rounding: 1e-12 of the largest term."""
    assert np.max(np.abs(actual - expected), initial=0.0) <= 1e-12 * np.max(np.abs(size), initial=0.0)


def chunk_of(mechanism: Mechanism, states: dict[str, Any]) -> Chunk:
    tree = build_tree(mechanism)
    v, a, tau = (tree.to_nodes(states[name].T) for name in ("v", "a", "tau"))
    return Chunk(tree, states["q"].T, v, a, tau, gravity=mechanism.gravity)


def bracket(mechanism: Mechanism, v: Any, w: Any) -> Any:
    """Return [v, w]: 0 of one-dof and planar joints, ω_v × ω_w of ball, the motion cross product of floating ones."""
    out = np.zeros_like(v)
    for joint in mechanism.joints:
        x, y = v[:, joint.v], w[:, joint.v]
        if joint.kind == "ball":
            out[:, joint.v] = np.cross(x, y)
        elif joint.kind == "floating":
            linear = np.cross(x[:, 3:], y[:, :3]) + np.cross(x[:, :3], y[:, 3:])
            out[:, joint.v] = np.concatenate([linear, np.cross(x[:, 3:], y[:, 3:])], axis=1)
    return out


@FEW
@given(mechanisms())
def test_inverse_dynamics_is_mass_matrix_bias_and_gravity(mechanism: Mechanism) -> None:
    s = random_states(mechanism, 4)
    names = ("mass_matrix", "coriolis_matrix", "coriolis_force", "bias_force", "gravity_vector", "inverse_dynamics")
    value = evaluate_many(mechanism, names, **s)
    inertial = np.einsum("nij,nj->ni", value["mass_matrix"], s["a"])
    size = np.abs(value["inverse_dynamics"]).max() + np.abs(inertial).max() + np.abs(value["bias_force"]).max()
    close(value["inverse_dynamics"], inertial + value["bias_force"], size)
    close(value["bias_force"], value["coriolis_force"] + value["gravity_vector"], size)
    close(np.einsum("nij,nj->ni", value["coriolis_matrix"], s["v"]), value["coriolis_force"], size)


@FEW
@given(mechanisms())
def test_regressor_times_parameters_is_inverse_dynamics(mechanism: Mechanism) -> None:
    s = random_states(mechanism, 4)
    value = evaluate_many(mechanism, ("joint_torque_regressor", "inverse_dynamics"), **s)
    parameters = []
    for m, c, I in zip(mechanism.link_mass, mechanism.link_com.T, mechanism.link_inertia.T, strict=True):
        I_o = I + m * (c @ c * np.eye(3) - np.outer(c, c))
        parameters += [m, *(m * c), *I_o[np.triu_indices(3)]]
    tau = value["joint_torque_regressor"] @ np.array(parameters) + mechanism.armature * s["a"]
    tree = build_tree(mechanism)
    tau += tree.from_nodes(armature_force(tree, tree.to_nodes(s["v"].T)), 0).T
    terms = np.abs(value["joint_torque_regressor"]) @ np.abs(parameters)
    close(tau, value["inverse_dynamics"], terms)


@FEW
@given(mechanisms())
def test_coriolis_matrix_is_torsion_free(mechanism: Mechanism) -> None:
    s = random_states(mechanism, 4)
    C = {name: evaluate(mechanism, "coriolis_matrix", s["q"], s[name]) for name in ("v", "a")}
    M = evaluate(mechanism, "mass_matrix", s["q"])
    left = np.einsum("nij,nj->ni", C["v"], s["a"]) - np.einsum("nij,nj->ni", C["a"], s["v"])
    size = np.abs(M).max() * 10
    close(left, np.einsum("nij,nj->ni", M, bracket(mechanism, s["v"], s["a"])), size)


@FEW
@given(mechanisms())
def test_christoffel_symbols_assemble_the_coriolis_matrix(mechanism: Mechanism) -> None:
    s = random_states(mechanism, 2)
    chunk = chunk_of(mechanism, s)
    symbols = christoffel_symbols(chunk.tree, chunk.positions, chunk.subtree)
    C = chunk.tree.to_nodes(evaluate(mechanism, "coriolis_matrix", s["q"], s["v"]).transpose(1, 2, 0))
    C = chunk.tree.to_nodes(C.swapaxes(0, 1)).swapaxes(0, 1)
    close(np.einsum("ijkb,kb->ijb", symbols, chunk.v), C, np.abs(symbols).max() * 10)
    products, pairs = coriolis_products(symbols)
    force = np.einsum("ijb,jb->ib", centrifugal_matrix(symbols), chunk.v**2)
    force += np.einsum("ipb,pb->ib", products, np.array([chunk.v[j] * chunk.v[k] for j, k in pairs]))
    close(force, np.einsum("ijb,jb->ib", C, chunk.v), np.abs(symbols).max() * 100)


@FEW
@given(mechanisms())
def test_mass_matrix_is_the_sum_over_links(mechanism: Mechanism) -> None:
    chunk = chunk_of(mechanism, random_states(mechanism, 3))
    M = evaluate(mechanism, "mass_matrix", chunk.q.T)
    second = chunk.tree.from_nodes(jacobian_mass_matrix(chunk.tree, chunk.positions), 0, 1).transpose(2, 0, 1)
    close(M, second, M)


@FEW
@given(mechanisms())
def test_kinetic_energy_is_half_v_mass_v(mechanism: Mechanism) -> None:
    s = random_states(mechanism, 4)
    value = evaluate_many(mechanism, ("mass_matrix", "kinetic_energy"), s["q"], s["v"])
    close(
        value["kinetic_energy"],
        np.einsum("ni,nij,nj->n", s["v"], value["mass_matrix"], s["v"]) / 2,
        value["kinetic_energy"],
    )


@FEW
@given(mechanisms())
def test_link_jacobian_times_velocity_is_the_rate_of_the_pose(mechanism: Mechanism) -> None:
    s = random_states(mechanism, 1)
    h = 1e-6
    J = evaluate(mechanism, "link_jacobians", s["q"])[0]
    ahead, behind = (
        evaluate(mechanism, "link_poses", moved(mechanism, s["q"], sign * h * s["v"]))[0] for sign in (1, -1)
    )
    rate = (ahead - behind) / (2 * h)
    twist = J @ s["v"][0]
    np.testing.assert_allclose(rate[:, :, 3], twist[:, :3], rtol=1e-7, atol=1e-7)
    R = evaluate(mechanism, "link_poses", s["q"])[0, :, :, :3]
    spin = np.einsum("lij,lkj->lik", rate[:, :, :3], R)  # [ω]
    np.testing.assert_allclose(
        np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1), twist[:, 3:], rtol=1e-7, atol=1e-7
    )


@pytest.mark.parametrize("seed", range(6))
def test_tip_wrench_adds_the_transposed_jacobian_times_it(seed: int) -> None:
    mechanism = mechanism_of(seed, ("ball",))
    s = random_states(mechanism, 3)
    chunk = chunk_of(mechanism, s)
    F = np.random.default_rng(seed).normal(size=(6, mechanism.nl, 3))
    arguments = (chunk.tree, chunk.positions, chunk.motion, chunk.about_o, chunk.v, chunk.a, chunk.gravity)
    added = inverse_dynamics(*arguments, wrenches=F) - inverse_dynamics(*arguments)
    J = evaluate(mechanism, "link_jacobians", s["q"])
    expected = np.einsum("blcn,clb->bn", J, F)
    close(chunk.tree.from_nodes(added, 0).T, expected, np.abs(inverse_dynamics(*arguments)).max() + np.abs(expected))


def moved(mechanism: Mechanism, q: Any, step: Any) -> Any:
    """Return q after a small motion by velocity times time, to second order."""
    out = q.copy()
    for joint in mechanism.joints:
        dv = step[:, joint.v]
        if joint.kind in {"ball", "floating"}:
            quaternion = slice(joint.q.stop - 4, joint.q.stop)
            x, w = q[:, quaternion][:, :3], q[:, quaternion][:, 3:]
            half = dv[:, -3:] / 2
            turned = np.concatenate(
                [x + w * half + np.cross(x, half), w - (x * half).sum(axis=1, keepdims=True)], axis=1
            )
            out[:, quaternion] = turned
            if joint.kind == "floating":
                start = slice(joint.q.start, joint.q.start + 3)
                two = 2 * np.cross(x, np.cross(x, dv[:, :3]) + w * dv[:, :3])
                out[:, start] += dv[:, :3] + two
        else:
            out[:, joint.q] += dv
    return out


@FEW
@given(mechanisms())
def test_mass_matrix_rate_is_coriolis_plus_its_transpose(mechanism: Mechanism) -> None:
    s = random_states(mechanism, 1)
    chunk = chunk_of(mechanism, s)
    derivative = mass_matrix_derivative(christoffel_symbols(chunk.tree, chunk.positions, chunk.subtree))
    rate = np.einsum("ijkb,kb->ijb", derivative, chunk.v)[:, :, 0]
    C = evaluate(mechanism, "coriolis_matrix", s["q"], s["v"])[0]
    M = evaluate(mechanism, "mass_matrix", s["q"])[0]
    close(chunk.tree.from_nodes(rate, 0, 1), C + C.T, np.abs(M).max() * 10)
    h = 1e-5
    ahead, behind = (evaluate(mechanism, "mass_matrix", moved(mechanism, s["q"], x * s["v"]))[0] for x in (h, -h))
    np.testing.assert_allclose((ahead - behind) / (2 * h), C + C.T, rtol=0, atol=1e-8 * np.abs(M).max() * 10)
