"""The rounding study end to end, with the reference alone: certified truth, every check, no alarm."""

from __future__ import annotations

from robodyn_check.analysis.study_population import Case, population
from robodyn_check.analysis.study_rounding import summarise
from robodyn_check.model.build import build_mechanism
from robodyn_check.run.rounding_study import study_rounding
from robodyn_check.run.single_precision import NAME
from robodyn_check.run.study_robot import study_states


def test_the_reference_is_inside_every_bound_of_the_certified_truth_in_both_precisions() -> None:
    summary = summarise(one for robot in study_rounding(population(8)) for one in robot)
    assert summary.troubles == {}
    assert summary.alarms == []
    asked = {subject: sum(seen.values()) for subject, seen in summary.seen.items()}
    assert asked == {"reference": 8, NAME: 4}  # the first robot of each of four populations
    compared = {quantity for code, quantity in summary.over_all if code[3] in "56789"}
    assert {"mass_matrix", "coriolis_matrix", "joint_torque_regressor", "forward_dynamics"} <= compared
    assert min(min(kept) for (_, subject), kept in summary.digits.items() if subject == "reference") > 8.0


def test_single_precision_is_seen_to_be_single() -> None:
    kept = {one.subject: one.digits["inverse_dynamics"] for robot in study_rounding(population(1)) for one in robot}
    assert kept["reference"] > 14.0
    assert 5.0 < kept[NAME] < 9.0


def test_twenty_robots_see_all_kinds_of_states() -> None:
    mechanism = build_mechanism(Case(population="fixed", seed=0).robot())
    kinds = {kind for seed in range(20) for kind in study_states(mechanism, seed, 2).kinds}
    assert {"inside", "outside", "limit", "fast", "single", "still", "zero"} == kinds
