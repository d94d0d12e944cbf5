"""The rounding study's reduction of what was seen."""

from __future__ import annotations

from robodyn_check.analysis.study_population import Case
from robodyn_check.analysis.study_rounding import Measured, Observation, measured_of, summarise
from robodyn_check.report.results import Known, Result, Verdict


def measured(
    *, margin: float | None, largest: float | None = 0.0, verdict: str = "pass", code: str = "RD250", known: str = ""
) -> Measured:
    return Measured(
        code=code, quantity="mass_matrix", verdict=verdict, largest=largest, margin=margin, known=known, message="far"
    )


def seen(
    seed: int, *results: Measured, subject: str = "library", digits: float = 15.0, trouble: str = ""
) -> Observation:
    return Observation(
        case=Case(population="fixed", seed=seed),
        subject=subject,
        measured=results,
        digits={"mass_matrix": digits},
        trouble=trouble,
    )


def test_a_row_keeps_the_largest_error_the_worst_robot_and_counts_alarms() -> None:
    summary = summarise(
        [
            seen(1, measured(margin=0.1, largest=6.4)),
            seen(2, measured(margin=1.5, largest=96.0, verdict="fail")),
            seen(3, measured(margin=0.2, largest=12.8)),
        ]
    )
    row = summary.over_all["RD250", "mass_matrix"]
    assert (row.largest, row.margin, row.worst, row.robots) == (96.0, 1.5, "fixed:2 library", 3)
    assert [(str(alarm.case), alarm.measured.largest) for alarm in summary.alarms] == [("fixed:2", 96.0)]
    assert summary.by_population["RD250", "mass_matrix", "fixed"].largest == 96.0


def test_a_recorded_fault_is_counted_apart_and_is_in_no_table() -> None:
    summary = summarise([seen(1, measured(margin=9.0, largest=1e9, verdict="fail", known="drops the armature"))])
    assert summary.alarms == []
    assert summary.over_all == {}
    assert summary.known == {("library", "drops the armature"): 1}


def test_an_error_is_an_alarm_without_a_number() -> None:
    summary = summarise([seen(1, measured(margin=None, largest=None, verdict="error"))])
    assert len(summary.alarms) == 1
    assert summary.over_all == {}


def test_hygiene_is_no_row_but_its_fails_are_alarms() -> None:
    summary = summarise(
        [seen(1, measured(margin=0.0, code="RD902"), measured(margin=2.0, code="RD903", verdict="fail"))]
    )
    assert summary.over_all == {}
    assert len(summary.alarms) == 1


def test_single_precision_has_a_column_of_its_own_and_is_not_in_the_maximum() -> None:
    single = Observation(
        case=Case(population="fixed", seed=1),
        subject="half",
        precision="single",
        measured=(measured(margin=0.9, largest=50.0),),
    )
    summary = summarise([seen(1, measured(margin=0.1, largest=6.4)), single])
    assert summary.over_all["RD250", "mass_matrix"].largest == 6.4
    assert summary.by_subject["RD250", "mass_matrix", "half"].largest == 50.0


def test_troubles_are_counted_by_their_kind() -> None:
    summary = summarise([seen(n, trouble=f"a documented limit: no floating base, robot {n}") for n in (1, 2)])
    assert summary.troubles == {
        ("library", "a documented limit"): (2, "fixed:1: a documented limit: no floating base, robot 1")
    }
    assert summary.seen == {"library": {"fixed": 0}}


def result(verdict: Verdict, *, known: Known | None = None) -> Result:
    return Result(
        code="RD250",
        slug="mass-matrix-agreement",
        verdict=verdict,
        subject="library",
        quantity="mass_matrix",
        message="far",
        errors=(1.5, None, 3.0),
        margin=0.5,
        known=known,
    )


def test_of_a_result_the_largest_error_and_the_reason_of_a_known_fault_are_kept() -> None:
    found = measured_of(result("fail", known=Known(reason="drops it", link=None, source="shipped")))
    assert found == Measured(
        code="RD250",
        quantity="mass_matrix",
        verdict="fail",
        largest=3.0,
        margin=0.5,
        message="far",
        known="drops it",
    )


def test_skips_and_warnings_say_nothing_about_rounding() -> None:
    assert [measured_of(result("skip")), measured_of(result("warn"))] == [None, None]
