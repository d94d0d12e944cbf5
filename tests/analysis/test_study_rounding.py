"""The rounding study's population and tables."""

from __future__ import annotations

from robodyn_check.analysis.study_rounding import (
    Case,
    Observation,
    count_digits,
    digits_as_markdown,
    population,
    rows_as_markdown,
    tabulate,
)
from robodyn_check.faults.random_models import SMALL_GROUPS
from robodyn_check.report.results import Result, Verdict


def result(*, margin: float | None, largest: float = 0.0, verdict: Verdict = "pass", code: str = "RD250") -> Result:
    return Result(
        code=code,
        slug="mass-matrix-agreement",
        verdict=verdict,
        subject="library",
        quantity="mass_matrix",
        errors=(largest, None),
        margin=margin,
    )


def seen(seed: int, *results: Result, subject: str = "library", digits: float = 15.0) -> Observation:
    return Observation(
        case=Case(group="plain", seed=seed), subject=subject, results=results, digits={"mass_matrix": digits}
    )


def test_a_population_has_every_group_and_both_bases_in_any_prefix() -> None:
    cases = population(60, seed=100)
    assert sum(case.base == "fixed" and case.group != "deep" for case in cases) == 60
    assert sum(case.base == "floating" for case in cases) == 20
    assert sum(case.group == "deep" for case in cases) == 3
    assert {case.group for case in cases[:10]} == {*SMALL_GROUPS, "deep"}
    assert {case.group for case in cases if case.base == "floating"} == set(SMALL_GROUPS)
    assert population(60, seed=100)[:12] == population(12, seed=100)[:12]


def test_a_case_is_named_so_that_it_can_be_drawn_again() -> None:
    case = Case(group="ill", seed=7, base="floating")
    assert str(case) == "ill:7:floating"
    assert case.robot().name == "ill_7"
    assert case.robot().links[0].inertial is not None


def test_a_row_keeps_the_largest_error_the_worst_robot_and_counts_alarms() -> None:
    (row,) = tabulate(
        [
            seen(1, result(margin=0.1, largest=6.4)),
            seen(2, result(margin=1.5, largest=96.0, verdict="fail")),
            seen(3, result(margin=0.2, largest=12.8)),
        ]
    )
    assert row.largest == 96.0
    assert row.margin == 1.5
    assert row.worst == Case(group="plain", seed=2)
    assert (row.robots, row.alarms) == (3, 1)


def test_skips_and_hygiene_are_no_rows() -> None:
    skipped = result(margin=None, verdict="skip")
    assert tabulate([seen(1, skipped, result(margin=0.0, code="RD902"))]) == ()


def test_the_table_shows_every_library_and_its_alarms() -> None:
    rows = tabulate(
        [
            seen(1, result(margin=0.1, largest=6.4)),
            seen(1, result(margin=2.0, largest=128.0, verdict="fail"), subject="other"),
            seen(1, result(margin=0.0, code="RD403"), subject="other"),
        ]
    )
    table = rows_as_markdown(rows, {"RD250": "64 eps S_M"}).splitlines()
    assert table[0] == "| check | quantity | bound | library | other |"
    assert "| RD250 mass-matrix-agreement | mass_matrix | 64 eps S_M | 6.4 | 1.3e+02 (**1 of 1 fail**) |" in table
    assert "| RD403 mass-matrix-agreement | mass_matrix |  | - | 0 |" in table


def test_digits_are_told_of_the_worst_and_of_the_middle_robot() -> None:
    digits = count_digits([seen(1, digits=12.0), seen(2, digits=14.0), seen(3, digits=15.5)])
    assert (digits[0].worst, digits[0].middle, digits[0].robots) == (12.0, 14.0, 3)
    assert "| mass_matrix | 12.0 / 14.0 |" in digits_as_markdown(digits)
