"""The rounding study end to end, with the reference alone: certified truth, every check, no alarm."""

from __future__ import annotations

from robodyn_check.analysis.study_rounding import count_digits, tabulate
from robodyn_check.run.rounding_study import study_rounding


def test_the_reference_is_inside_every_bound_of_the_certified_truth() -> None:
    study = study_rounding(3, samples=2)
    rows = tabulate(study.observations)
    assert study.troubles == ()
    assert len(study.observations) == 5  # three fixed, one floating, one deep
    assert [row for row in rows if row.alarms] == []
    compared = {row.quantity for row in rows if row.code[3] in "56789"}
    assert {"mass_matrix", "coriolis_matrix", "joint_torque_regressor", "forward_dynamics"} <= compared
    assert min(digits.worst for digits in count_digits(study.observations)) > 8.0
