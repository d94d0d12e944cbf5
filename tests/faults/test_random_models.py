"""Random robots: same text for same seed, physical, and as populated as their group says."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.faults.random_models import GROUPS, SMALL_GROUPS, random_robot
from robodyn_check.model.mechanism import JOINT_SIZES


@pytest.mark.parametrize("group", GROUPS)
def test_a_seed_gives_the_same_robot(group: str) -> None:
    assert random_robot(3, group=group) == random_robot(3, group=group)
    assert random_robot(3, group=group) != random_robot(4, group=group)


@pytest.mark.parametrize("group", GROUPS)
def test_the_number_of_dofs_is_in_the_range_of_the_group(group: str) -> None:
    low, high = GROUPS[group].dofs
    for seed in range(20):
        moving = [joint for joint in random_robot(seed, group=group).joints if joint.kind != "fixed"]
        assert low <= len(moving) <= high


@pytest.mark.parametrize("group", GROUPS)
def test_every_inertia_is_physical(group: str) -> None:
    for seed in range(10):
        for link in random_robot(seed, group=group).links:
            if link.inertial is None:
                continue
            xx, xy, xz, yy, yz, zz = (number.value for number in link.inertial.inertia)
            low, middle, high = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            assert low > 0.0
            assert low + middle > high
            assert link.inertial.mass.value > 0.0


def test_every_number_has_at_most_six_digits_and_axes_are_exact_unit_vectors() -> None:
    for seed in range(20):
        for joint in random_robot(seed).joints:
            for number in joint.placements[0].xyz:
                assert number.text == f"{number.value:.6g}"
            if joint.axis is not None:
                digits = [round(100 * number.value) for number in joint.axis]
                assert sum(digit * digit for digit in digits) == 10_000


def test_small_robots_come_from_the_six_groups_by_turns() -> None:
    names = {random_robot(seed).name.split("_")[0] for seed in range(6)}
    assert names == set(SMALL_GROUPS)


def test_wanted_kinds_mimic_and_armature_occur() -> None:
    robot = random_robot(1, group="plain", dofs=12, kinds=("ball", "planar", "floating"), mimic=True, armature=True)
    moving = [joint for joint in robot.joints if joint.kind != "fixed"]
    assert {"ball", "planar", "floating"} <= {joint.kind for joint in moving}
    assert all(joint.armature is not None for joint in moving)
    assert sum(JOINT_SIZES[joint.kind][1] for joint in moving) >= 12
    followers = [joint for joint in random_robot(2, group="plain", dofs=4, mimic=True).joints if joint.mimic]
    assert len(followers) == 1


def test_an_mjcf_robot_stands_on_the_world() -> None:
    robot = random_robot(1, source_format="mjcf")
    assert robot.joints[0].parent is None
    assert robot.root_links() == ()


def test_a_robot_for_a_floating_base_has_a_root_with_inertia() -> None:
    massless = [seed for seed in range(20) if random_robot(seed).links[0].inertial is None]
    assert massless
    for seed in range(20):
        floating = random_robot(seed, floating=True)
        assert floating.links[0].inertial is not None
        assert floating.links[1:] == random_robot(seed).links[1:]
