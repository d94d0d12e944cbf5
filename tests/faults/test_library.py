"""The planted faults: unique, deterministic, silent where they have nothing to touch, and truly faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.faults.fault import LibraryFault, Scene, reference_answerer
from robodyn_check.faults.in_inertials import (
    merged_without_rotation,
    origin_taken_as_com,
    products_negated,
    rotation_ignored,
    rotation_transposed,
    shifted_twice,
)
from robodyn_check.faults.library import LIBRARY_FAULTS, library_fault
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.placements import Reader, float_number
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Request
from robodyn_check.states import draw_states

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.robot import Inertial

READ = Reader(float_number)


def scene(seed: int = 3, **options: object) -> Scene:
    """Return a scene with a random robot."""
    robot = random_robot(seed, group="branched", dofs=5, **options)  # type: ignore[arg-type]
    mechanism = build_mechanism(robot)
    return Scene(robot=robot, mechanism=mechanism, answer=reference_answerer(mechanism), seed=seed)


def requests(place: Scene) -> list[Request]:
    """Return one request of each quantity."""
    states = draw_states(place.mechanism, count=6, seed=1)
    return [Request(quantity=name, q=states.q, v=states.v, a=states.a, tau=states.tau) for name in QUANTITIES]


def test_names_are_unique_and_quantities_exist():
    names = [fault.name for fault in LIBRARY_FAULTS]
    assert len(set(names)) == len(names)
    assert {quantity for fault in LIBRARY_FAULTS for quantity in fault.shows_on} <= set(QUANTITIES)


@pytest.mark.parametrize("fault", LIBRARY_FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_the_same_each_time_and_keeps_shapes(fault: LibraryFault):
    place = scene(armature=True, mimic=True)
    first, second = fault.plant(place), fault.plant(place)
    if first is None or second is None:
        assert fault.name in {"quaternion-order", "base-velocity-frame"}
        return
    assert first.element == second.element
    for request in requests(place):
        one, other, right = first.answer(request), second.answer(request), place.answer(request)
        assert isinstance(one, Answer)
        assert isinstance(other, Answer)
        assert isinstance(right, Answer)
        assert one.values.shape == right.values.shape
        assert np.array_equal(one.values, other.values, equal_nan=True)


@pytest.mark.parametrize(
    "name", ["armature-dropped", "armature-doubled", "armature-not-in-mass-matrix", "mimic-reduced"]
)
def test_a_fault_is_not_planted_where_it_has_nothing_to_touch(name: str):
    assert library_fault(name).plant(scene()) is None


def test_a_fault_in_a_link_names_the_link():
    planted = library_fault("fixed-link-lost").plant(scene())
    assert planted is not None
    assert planted.element in scene().mechanism.links


@pytest.mark.parametrize("change", [rotation_ignored, rotation_transposed, products_negated], ids=lambda f: f.__name__)
def test_a_misread_inertial_keeps_mass_and_centre_of_mass(change: Callable[[Inertial], Inertial]):
    inertial = next(link.inertial for link in random_robot(1).links if link.inertial and link.inertial.origin.rotation)
    before, after = READ.mass_properties(inertial), READ.mass_properties(change(inertial))
    assert after.mass == before.mass
    assert after.com == pytest.approx(before.com)
    assert np.trace(after.inertia) == pytest.approx(np.trace(before.inertia))
    assert not np.allclose(after.inertia, before.inertia)


def test_shifting_to_the_origin_and_back_undo_each_other():
    inertial = next(link.inertial for link in random_robot(1).links if link.inertial and link.inertial.origin.rotation)
    back = READ.mass_properties(origin_taken_as_com(shifted_twice(inertial)))
    assert back.inertia == pytest.approx(READ.mass_properties(inertial).inertia)


def test_merging_without_rotation_leaves_the_inertia_in_the_parent_s_axes_as_written_in_the_child_s():
    inertial = next(link.inertial for link in random_robot(1).links if link.inertial)
    turn = READ.rotation(random_robot(1).joints[0].placements[0].rotation or inertial.origin.rotation)  # type: ignore[arg-type]
    right = READ.mass_properties(inertial).inertia
    wrong = READ.mass_properties(merged_without_rotation(inertial, turn, np.zeros(3))).inertia
    assert turn @ wrong @ turn.T == pytest.approx(right)
