"""The bounds on random robots: Pinocchio and the reference, two right implementations, never disagree beyond them.

The model is handed to Pinocchio joint by joint, so this is about arithmetic alone and not about a loader. It also
covers what the calibration left out: ball joints, armature, free joints in mid-tree and another gravity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from robodyn_check.faults.random_models import SMALL_GROUPS, random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate_many
from robodyn_check.states import draw_states
from robodyn_check.tolerance import bound, scales

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.states import StateBatch

    Array = npt.NDArray[np.float64]

pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")

EPS = 2.0**-52
QUANTITIES = (
    "mass_matrix",
    "coriolis_matrix",
    "gravity_vector",
    "bias_force",
    "inverse_dynamics",
    "forward_dynamics",
    "kinetic_energy",
    "potential_energy",
)


def pinocchio_model(mechanism: Mechanism) -> tuple[Any, list[int]]:
    """Build the model body by body; return it and the joint number of each body."""
    model = pin.Model()
    model.gravity.linear = mechanism.gravity
    numbers: list[int] = []
    for body, parent in enumerate(mechanism.parent):
        joint = mechanism.joints[mechanism.body_joint[body]]
        axis = mechanism.axis[:, body]
        kinds = {
            "revolute": lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
            "continuous": lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
            "prismatic": lambda axis=axis: pin.JointModelPrismaticUnaligned(axis),
            "ball": pin.JointModelSpherical,
            "floating": pin.JointModelFreeFlyer,
        }
        placement = pin.SE3(mechanism.R_tree[:, :, body], mechanism.p_tree[:, body])
        number = model.addJoint(0 if parent < 0 else numbers[parent], kinds[joint.kind](), placement, joint.name)
        numbers.append(number)
    armature = np.zeros(model.nv)
    for body, number in enumerate(numbers):
        joint = mechanism.joints[mechanism.body_joint[body]]
        start = model.joints[number].idx_v
        armature[start : start + model.joints[number].nv] = mechanism.armature[joint.v]
    model.armature = armature
    for link, body in enumerate(mechanism.link_body):
        if body >= 0:
            place = pin.SE3(mechanism.link_R[:, :, link], mechanism.link_p[:, link])
            inertia = pin.Inertia(
                float(mechanism.link_mass[link]), mechanism.link_com[:, link], mechanism.link_inertia[:, :, link]
            )
            model.appendBodyToJoint(numbers[body], inertia, place)
    return model, numbers


def pinocchio_answers(mechanism: Mechanism, states: StateBatch) -> dict[str, Array]:
    """Ask Pinocchio for every quantity at every state, in the order of the mechanism's coordinates."""
    model, numbers = pinocchio_model(mechanism)
    data = model.createData()
    into_q, into_v = np.zeros(mechanism.nq, dtype=int), np.zeros(mechanism.nv, dtype=int)
    for body, number in enumerate(numbers):
        joint = mechanism.joints[mechanism.body_joint[body]]
        theirs = model.joints[number]
        into_q[joint.q] = np.arange(theirs.idx_q, theirs.idx_q + theirs.nq)
        into_v[joint.v] = np.arange(theirs.idx_v, theirs.idx_v + theirs.nv)
    from_q, from_v = np.argsort(into_q), np.argsort(into_v)
    square = np.ix_(into_v, into_v)
    rows: list[dict[str, Any]] = []
    for n in range(len(states)):
        q = states.q[n, from_q]
        v, a, tau = states.v[n, from_v], states.a[n, from_v], states.tau[n, from_v]
        rows.append(
            {
                "mass_matrix": pin.crba(model, data, q)[square].copy(),
                "coriolis_matrix": pin.computeCoriolisMatrix(model, data, q, v)[square].copy(),
                "gravity_vector": pin.computeGeneralizedGravity(model, data, q)[into_v].copy(),
                "bias_force": pin.rnea(model, data, q, v, 0.0 * v)[into_v].copy(),
                "inverse_dynamics": pin.rnea(model, data, q, v, a)[into_v].copy(),
                "forward_dynamics": pin.aba(model, data, q, v, tau)[into_v].copy(),
                "kinetic_energy": pin.computeKineticEnergy(model, data, q, v),
                "potential_energy": pin.computePotentialEnergy(model, data, q),
            }
        )
    return {name: np.array([row[name] for row in rows]) for name in QUANTITIES}


def worst_margins(mechanism: Mechanism, *, seed: int, eps: float = EPS) -> dict[str, float]:
    """Return the largest error / bound of every quantity, Pinocchio against the reference."""
    states = draw_states(mechanism, count=4, seed=seed)
    ours = evaluate_many(mechanism, QUANTITIES, states.q, states.v, states.a, states.tau)
    theirs = pinocchio_answers(mechanism, states)
    size = scales(mechanism, states, ours["mass_matrix"])
    margins: dict[str, float] = {}
    for name in QUANTITIES:
        error = np.abs(theirs[name] - ours[name])
        if name == "potential_energy":  # Pinocchio leaves a welded root out
            error = np.abs((theirs[name] - theirs[name][0]) - (ours[name] - ours[name][0]))
        given = {"answer": theirs[name], "tau": states.tau} if name == "forward_dynamics" else {}
        limit = bound(name, size, eps, eps, **given)
        assert np.isfinite(error).all(), name
        margins[name] = float(np.max(np.where(error == 0.0, 0.0, error / np.where(limit > 0.0, limit, 1e-300))))
    return margins


@pytest.mark.parametrize("group", SMALL_GROUPS)
def test_no_alarm_on_robots_fixed_to_the_world(group: str) -> None:
    for seed in range(17):
        margins = worst_margins(build_mechanism(random_robot(seed, group=group)), seed=seed)
        assert max(margins.values()) <= 1.0, (seed, margins)


@pytest.mark.parametrize("group", SMALL_GROUPS)
def test_no_alarm_on_robots_with_a_floating_base(group: str) -> None:
    for seed in range(5):
        robot = random_robot(seed, group=group, floating=True)
        margins = worst_margins(build_mechanism(robot, base="floating"), seed=seed)
        assert max(margins.values()) <= 1.0, (seed, margins)


def test_no_alarm_on_deep_robots() -> None:
    for seed in range(3):
        margins = worst_margins(build_mechanism(random_robot(seed, group="deep")), seed=seed)
        assert max(margins.values()) <= 1.0, (seed, margins)


@pytest.mark.parametrize("group", SMALL_GROUPS)
def test_no_alarm_with_ball_joints_free_joints_and_another_gravity(group: str) -> None:
    for seed in range(8):
        robot = random_robot(seed, group=group, dofs=12, kinds=("ball", "floating"))
        margins = worst_margins(build_mechanism(robot, gravity=(1.0, -20.0, 3.0)), seed=seed)
        assert max(margins.values()) <= 1.0, (seed, margins)


@pytest.mark.parametrize("group", SMALL_GROUPS)
def test_no_alarm_with_armature(group: str) -> None:
    for seed in range(5):
        margins = worst_margins(build_mechanism(random_robot(seed, group=group, armature=True)), seed=seed)
        # Pinocchio 4.1 leaves the armature of revolute joints with an oblique axis out of its kinetic energy.
        del margins["kinetic_energy"]
        assert max(margins.values()) <= 1.0, (seed, margins)


def test_a_change_in_the_tenth_digit_of_a_mass_is_an_alarm() -> None:
    robot = random_robot(0, group="plain")
    mechanism = build_mechanism(robot)
    states = draw_states(mechanism, count=4, seed=0)
    ours = evaluate_many(mechanism, ("mass_matrix",), states.q)["mass_matrix"]
    wrong = ours.copy()
    wrong[:, -1, -1] *= 1.0 + 1e-9
    limit = bound("mass_matrix", scales(mechanism, states), EPS)
    assert (np.abs(wrong - ours) > limit).any()
