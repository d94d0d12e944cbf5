"""The certificate proves the reference right, and notices when it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import flint
import numpy as np
import pytest

from robodyn_check.certify import energies as second
from robodyn_check.certify.certificate import certify, spread, states_to_certify
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference import chunk, engine
from robodyn_check.states import draw_states
from robodyn_check.tolerance import scales

if TYPE_CHECKING:
    from robodyn_check.certify.certificate import Certificate
    from robodyn_check.model.robot import RobotModel


#: far below what doubles resolve
with flint.ctx.workprec(128):
    ALMOST_ONE = 1 + flint.arb(2) ** -60


def certificate(
    robot: RobotModel, *, base: str = "fixed", gravity: tuple[float, ...] | None = None, count: int = 2
) -> Certificate:
    mechanism = build_mechanism(robot, base=base, gravity=gravity)  # type: ignore[arg-type]
    states = draw_states(mechanism, count=6, seed=7)
    size = scales(mechanism, states, engine.evaluate(mechanism, "mass_matrix", states.q))
    return certify(robot, mechanism, states, size, spread(6, count), gravity=gravity)


ROBOTS = {
    "serial": {"group": "plain"},
    "prismatic": {"group": "prismatic"},
    "branched": {"group": "branched"},
    "ill": {"group": "ill"},
    "armature": {"armature": True, "source_format": "mjcf"},
    "every kind with armature": {
        "kinds": ("ball", "planar", "floating", "prismatic"),
        "armature": True,
        "source_format": "mjcf",
    },
    "every kind": {"kinds": ("ball", "planar", "revolute", "prismatic", "floating"), "source_format": "mjcf"},
}


@pytest.mark.parametrize("options", ROBOTS.values(), ids=ROBOTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_both_derivations_hold_the_same_truth(options: dict[str, object], seed: int):
    found = certificate(random_robot(seed, **options))  # type: ignore[arg-type]
    assert not found.disjoint
    assert not found.outside
    assert not found.missing
    assert set(found.errors) == set(QUANTITIES)
    assert max(found.errors.values()) > 0.0, "doubles are not exact: an error of zero everywhere proves nothing"


def test_a_floating_urdf_is_certified_too():
    assert certificate(random_robot(3), base="floating").valid


def test_another_gravity_is_certified_too():
    assert certificate(random_robot(4), gravity=(0.3, -1.2, 1.62)).valid


@pytest.mark.parametrize("quantity", sorted(QUANTITIES))
def test_a_slip_of_one_part_in_1e13_of_the_double_reference_is_outside_its_bound(
    monkeypatch: pytest.MonkeyPatch, quantity: str
):
    honest = chunk.COMPUTE[quantity]

    def careless(part: Any, out: Any) -> Any:
        value = honest(part, out)
        return value if value.dtype == object else value * (1.0 + 4e-13)

    monkeypatch.setitem(chunk.COMPUTE, quantity, careless)
    assert quantity in certificate(random_robot(5, group="plain", dofs=4)).outside


@pytest.mark.parametrize("quantity", sorted(QUANTITIES))
def test_a_slip_in_the_algorithm_contradicts_the_second_derivation(monkeypatch: pytest.MonkeyPatch, quantity: str):
    honest = chunk.COMPUTE[quantity]

    def slipped(part: Any, out: Any) -> Any:
        value = honest(part, out)
        return value * ALMOST_ONE if value.dtype == object else value

    monkeypatch.setitem(chunk.COMPUTE, quantity, slipped)
    assert quantity in certificate(random_robot(5, group="plain", dofs=4)).disjoint


def test_a_slip_in_the_second_derivation_is_noticed_as_well(monkeypatch: pytest.MonkeyPatch):
    honest = second._pseudo_inertia
    monkeypatch.setattr(second, "_pseudo_inertia", lambda inertial: honest(inertial) * ALMOST_ONE)
    assert certificate(random_robot(5, group="plain", dofs=4)).disjoint


def test_a_pendulum_has_the_closed_form():
    """M = m l² + I, g = m g0 l sin q, exact in the balls of both derivations."""
    robot = random_robot(6, group="plain", dofs=1)
    mechanism = build_mechanism(robot)
    states = draw_states(mechanism, count=3, seed=1)
    size = scales(mechanism, states, engine.evaluate(mechanism, "mass_matrix", states.q))
    found = certify(robot, mechanism, states, size, (0, 1, 2))
    np.testing.assert_allclose(found.values["coriolis_matrix"], 0.0, atol=1e-300)
    M, h = found.values["mass_matrix"][:, 0, 0], found.values["bias_force"][:, 0]
    np.testing.assert_allclose(found.values["forward_dynamics"][:, 0], (states.tau[:, 0] - h) / M, rtol=1e-14)
    np.testing.assert_allclose(found.values["kinetic_energy"], 0.5 * M * states.v[:, 0] ** 2, rtol=1e-15)


@pytest.mark.parametrize(("dofs", "expected"), [(7, 5), (10, 5), (11, 2), (40, 2), (41, 1), (300, 1), (301, 0)])
def test_fewer_states_are_certified_for_larger_robots(dofs: int, expected: int):
    assert states_to_certify(dofs, 200) == expected
    assert states_to_certify(dofs, 200, asked=20) == 20


def test_certified_states_are_spread_over_the_batch():
    assert spread(200, 5) == (0, 50, 100, 149, 199)
    assert spread(3, 5) == (0, 1, 2)
