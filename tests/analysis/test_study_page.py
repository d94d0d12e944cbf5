"""The page of the rounding study."""

from __future__ import annotations

from robodyn_check.analysis.study_page import study_page
from robodyn_check.analysis.study_population import Case
from robodyn_check.analysis.study_rounding import Measured, Observation, summarise
from robodyn_check.checks.registry import texts


def seen(seed: int, *, margin: float, verdict: str = "pass", known: str = "", digits: float = 15.0) -> Observation:
    return Observation(
        case=Case(population="fixed", seed=seed),
        subject="library",
        measured=(
            Measured(
                code="RD250",
                quantity="mass_matrix",
                verdict=verdict,
                largest=64 * margin,
                margin=margin,
                message="too far off",
                known=known,
            ),
        ),
        digits={"mass_matrix": digits},
    )


def test_the_tables_hold_the_largest_error_its_margin_and_where_it_was() -> None:
    page = study_page(summarise([seen(1, margin=0.1), seen(2, margin=0.5)]), texts(), command="robodyn-check study")
    assert "`robodyn-check study`" in page
    assert "**0 false alarms.**" in page
    row = "| RD250 mass-matrix-agreement | mass_matrix | 64 eps S_M (128 above 15 degrees of freedom) | 32 | 0.5 |"
    assert f"{row} fixed:2 library | 32 |" in page
    assert "| RD250 mass-matrix-agreement | mass_matrix | 32 | - |" in page


def test_alarms_are_listed_with_their_robot() -> None:
    page = study_page(summarise([seen(2, margin=1.5, verdict="fail")]), texts(), command="")
    assert "**1 false alarms.**" in page
    assert "- fixed:2 library: RD250 mass_matrix: too far off" in page


def test_recorded_faults_are_told_with_the_number_of_robots() -> None:
    page = study_page(
        summarise([seen(n, margin=2.0, verdict="fail", known="lost") for n in (1, 2)]), texts(), command=""
    )
    assert "- library, 2 robots: lost" in page


def test_digits_are_told_of_the_worst_and_of_the_middle_robot() -> None:
    page = study_page(
        summarise([seen(n, margin=0.1, digits=digits) for n, digits in ((1, 12.0), (2, 14.0), (3, 15.5))]),
        texts(),
        command="",
    )
    assert "| mass_matrix | 12.0 / 14.0 |" in page
