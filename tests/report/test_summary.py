from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from robodyn_check.report.render import render
from robodyn_check.report.results import Known, RepeatRecord, Report, Result, SubjectRecord, Verdict
from robodyn_check.report.summary import (
    count,
    coverage_line,
    exit_code,
    headline,
    model_title,
    nothing_checked,
    repeat_line,
    summary_line,
    verdict_sentence,
)
from tests.report import fixtures
from tests.report.fixtures import failed, model, passed, skipped, subject

SHIPPED = Known(reason="known to the tool", link=None, source="shipped")
OWN = Known(reason="known to the user", link=None, source="known-failures.toml")


def one(verdict: Verdict, known: Known | None = None) -> Result:
    return Result(code="RD260", slug="claim", verdict=verdict, subject="drake", known=known, message="what happened")


@pytest.mark.parametrize(
    ("results", "options", "code"),
    [
        ((one("pass"),), {}, 0),
        ((one("pass"), one("warn"), one("skip")), {}, 0),
        ((one("pass"), one("fail")), {}, 1),
        ((one("pass"), one("error")), {}, 1),
        ((one("pass"), one("warn")), {"fail_on": "warn"}, 1),
        ((one("fail", SHIPPED),), {}, 0),
        ((one("error", SHIPPED),), {}, 0),
        ((one("fail", SHIPPED),), {"strict": True}, 1),
        ((one("fail", OWN),), {"strict": True}, 0),
        ((one("skip"),), {}, 5),
        ((), {}, 5),
        ((one("pass"),), {"complete": False}, 3),
        ((one("fail"),), {"complete": False}, 3),
        ((one("fail"),), {"interrupted": True, "complete": False}, 130),
    ],
)
def test_exit_code_says_what_happened(results: tuple[Result, ...], options: dict[str, Any], code: int):
    assert exit_code([model(results, (subject("drake"),))], **options) == code


def test_a_run_in_which_no_library_was_there_checked_nothing_though_the_file_was_judged():
    lint = Result(code="RD101", slug="lint", verdict="warn", subject="model", message="odd")
    absent = subject("drake", status="skip", reason="not installed")
    assert nothing_checked([model((lint,), (absent,))])
    assert not nothing_checked([model((lint,), ())])


def test_known_failures_are_counted_twice_over():
    summary = count((one("fail", SHIPPED), one("fail"), one("pass"), one("skip")))
    assert (summary.fail, summary.known, summary.passed, summary.skip) == (2, 1, 1, 1)


@pytest.mark.parametrize(
    ("report", "word"),
    [
        (fixtures.all_pass(), "PASS"),
        (fixtures.mixed(), "FAIL"),
        (fixtures.interrupted(), "INCOMPLETE"),
        (fixtures.nothing(), "NOTHING CHECKED"),
        (fixtures.report(model((one("error"),), (subject("drake"),))), "ERROR"),
        (fixtures.report(model((one("fail", SHIPPED),), (subject("drake"),))), "PASS"),
        (replace(fixtures.report(model((one("fail", SHIPPED),), (subject("drake"),))), exit_code=1), "FAIL"),
        (replace(fixtures.report(model((one("warn"),), (subject("drake"),))), exit_code=1), "WARN"),
        (replace(fixtures.mixed(), exit_code=0), "FAIL"),
    ],
)
def test_headline_is_the_verdict_of_the_run(report: Report, word: str):
    assert headline(report) == word


def test_sentence_of_a_pass_names_the_libraries_and_the_model():
    assert verdict_sentence(fixtures.all_pass()) == "pinocchio and drake compute the right dynamics of arm.urdf."


def test_sentence_of_a_fail_names_library_quantity_and_cause():
    report = fixtures.report(
        model(
            (failed("drake", cause=fixtures.DROPPED_ARMATURE), passed("pinocchio", "mass_matrix")),
            (subject("drake"), subject("pinocchio")),
        )
    )
    assert verdict_sentence(report) == (
        "On arm.urdf, drake is wrong about mass_matrix (cause: armature dropped); "
        "pinocchio computes the right dynamics."
    )


def test_a_disagreement_of_two_libraries_blames_neither():
    report = fixtures.report(model((failed("drake", against="mujoco"),), (subject("drake"), subject("mujoco"))))
    assert "On arm.urdf, drake disagrees with mujoco" in verdict_sentence(report)
    assert "wrong" not in verdict_sentence(report)


def test_a_fault_of_the_file_is_said_first():
    singular = Result(code="RD203", slug="truth-regular", verdict="fail", subject="reference", message="M is singular")
    report = fixtures.report(model((singular, passed("drake", "mass_matrix")), (subject("drake"),)))
    assert verdict_sentence(report).startswith("arm.urdf itself has 1 fault (truth-regular); drake computes")


def test_a_library_with_known_failures_alone_is_not_called_right():
    report = fixtures.report(model((one("fail", SHIPPED),), (subject("drake"),)))
    assert verdict_sentence(report) == "drake fails on arm.urdf in known ways only."


def test_a_library_with_skips_alone_was_not_checked():
    report = fixtures.report(model((skipped("drake"),), (subject("drake"),)))
    assert verdict_sentence(report) == "drake was not checked."


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (subject("drake", version="1.40.0"), "drake 1.40.0: 4 of 12 quantities, 5 states"),
        (subject("drake==1.40.0", version="1.40.0"), "drake==1.40.0: 4 of 12 quantities, 5 states"),
        (subject("drake", status="skip", version=None, reason="not there"), "drake: skipped: not there"),
        (subject("brax", precision="single"), "brax 1.2.3: 4 of 12 quantities, 5 states, single precision"),
        (subject("drake", status="error", reason="died"), "drake 1.2.3: 4 of 12 quantities, 5 states; error: died"),
    ],
)
def test_coverage_line_says_how_much_was_asked(record: SubjectRecord, line: str):
    assert coverage_line(record) == line


def test_summary_line_counts_and_tells_the_known_ones():
    assert summary_line(fixtures.mixed()) == "6 pass, 1 warn, 4 fail, 1 error, 2 skip; 1 of them known"


@pytest.mark.parametrize(
    ("path", "title"),
    [("arm.urdf", "arm.urdf"), ("models/a/model.urdf", "models/a/model.urdf"), ("/x/y/a/model.urdf", "a/model.urdf")],
)
def test_models_of_the_same_file_name_are_told_apart_on_every_machine(path: str, title: str):
    entry = fixtures.all_pass().models[0]
    assert model_title(replace(entry, model=replace(entry.model, path=path))) == title


def test_a_library_is_right_though_a_wrong_one_disagrees_with_it():
    results = (failed("mujoco"), passed("drake", "mass_matrix"), failed("drake", against="mujoco"))
    report = fixtures.report(model(results, (subject("drake"), subject("mujoco"))))
    assert (
        verdict_sentence(report) == "On arm.urdf, mujoco is wrong about mass_matrix; drake computes the right dynamics."
    )


@pytest.mark.parametrize(
    ("repeat", "line"),
    [
        (None, None),
        (
            RepeatRecord(fails=4, different=0, seconds=1.26),
            "asked again in a fresh process, 1.3 s: 4 of 4 fails came back",
        ),
        (
            RepeatRecord(fails=4, different=3, seconds=0.5),
            "asked again in a fresh process, 0.5 s: 1 of 4 fails came back, the others are errors now",
        ),
        (
            RepeatRecord(fails=1, different=0, seconds=0.0, trouble="ended by\x1b"),
            "asked again in a fresh process, 0.0 s: 1 of 1 fail came back; it did not answer all: ended by\\x1b",
        ),
    ],
)
def test_how_fails_stood_up_to_a_fresh_process_is_said_with_its_cost(repeat: RepeatRecord | None, line: str | None):
    assert repeat_line(subject("drake", repeat=repeat)) == line


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_reports_for_people_say_that_fails_were_repeated(form: str):
    library = subject("drake", repeat=RepeatRecord(fails=2, different=0, seconds=1.5))
    text = render(fixtures.report(model((failed("drake"),), (library,))), form)
    assert "asked again in a fresh process, 1.5 s: 2 of 2 fails came back" in " ".join(text.split())
