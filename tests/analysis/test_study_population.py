"""The robots of the rounding study."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from robodyn_check.analysis.study_population import POPULATIONS, Case, case_of, population
from robodyn_check.checks.root import parallel_to_gravity
from robodyn_check.model.build import build_mechanism


def test_thirty_robots_are_mixed_and_so_is_any_prefix() -> None:
    counts = Counter(case.population for case in population(30))
    assert (counts["fixed"], counts["floating"], counts["deep"]) == (18, 6, 1)
    assert sum(counts.values()) == 30
    assert {case.population for case in population(60)} == set(POPULATIONS)
    assert population(60)[:12] == population(12)


def test_no_robot_comes_twice_and_seeds_follow_each_other() -> None:
    cases = population(600, seed=50)
    assert len(set(cases)) == 600
    seeds = [case.seed for case in cases if case.population == "fixed"]
    assert seeds[0] == 50
    assert all(after == before + 1 for before, after in pairwise(seeds))


def test_eighteen_hundred_robots_have_the_shares_of_the_calibration() -> None:
    counts = Counter(case.population for case in population(1800))
    assert (counts["fixed"], counts["floating"], counts["deep"]) == (1080, 360, 60)
    assert min(counts.values()) >= 37


def test_a_case_is_named_so_that_it_can_be_drawn_again() -> None:
    case = Case(population="floating", seed=7)
    assert case_of(str(case)) == case
    assert case.robot() == case_of("floating:7").robot()
    assert case.robot().links[0].inertial is not None


@pytest.mark.parametrize("name", list(POPULATIONS))
def test_every_population_has_what_it_says(name: str) -> None:
    case = Case(population=name, seed=1)
    robot = case.robot()
    mechanism = build_mechanism(robot, base=case.base, gravity=case.gravity)
    kinds = {joint.kind for joint in robot.joints}
    has = {
        "fixed": mechanism.base == "fixed",
        "floating": mechanism.base == "floating",
        "deep": mechanism.nv >= 15,
        "singular": robot.name.startswith("singular"),
        "armature": all(joint.armature for joint in robot.joints if joint.kind != "fixed"),
        "mimic": any(joint.mimic for joint in robot.joints),
        "ball": "ball" in kinds,
        "planar": "planar" in kinds,
        "mjcf": robot.format == "mjcf",
        "gravity": list(mechanism.gravity) == [0.0, 0.0, -1.62],
        "turntable": bool(parallel_to_gravity(mechanism, (0.0, 0.0, -9.81))),
    }
    assert has[name]
