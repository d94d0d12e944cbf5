from __future__ import annotations

import re
from dataclasses import replace

import pytest

from robodyn_check.report.results import Result
from robodyn_check.report.terminal import terminal
from tests.report import fixtures

ANSI = re.compile("\x1b\\[[0-9;]*m")


@pytest.mark.parametrize("make", fixtures.REPORTS.values(), ids=fixtures.REPORTS)
def test_colour_changes_no_word(make: fixtures.Make):
    painted = terminal(make(), color=True)
    assert ANSI.sub("", painted) == terminal(make())
    assert "\x1b" not in terminal(make())


@pytest.mark.parametrize("make", fixtures.REPORTS.values(), ids=fixtures.REPORTS)
def test_lines_fit_80_columns_except_commands(make: fixtures.Make):
    long = [line for line in terminal(make()).splitlines() if len(line) > 80 and " again " not in line]
    assert long == []


def test_failures_come_last_and_the_summary_line_is_the_last_line():
    lines = terminal(fixtures.mixed()).splitlines()
    sections = re.compile(r"(  Not checked|warn  |known fail  |ERROR  |FAIL  )")
    starts = [line.strip().split("  ")[0] for line in lines if sections.match(line)]
    assert starts == ["Not checked (skip):", "warn", "known fail", "ERROR", "FAIL", "FAIL"]
    assert lines[-1] == "6 pass, 1 warn, 4 fail, 1 error, 2 skip; 1 of them known (exit code 1)"


def test_a_failure_shows_element_values_bound_cause_place_and_command():
    text = terminal(fixtures.mixed())
    failure = text[text.index("cause: armature dropped") :]
    for part in (
        "M[elbow, elbow], state 2 of seed 20240601",
        "drake      0.1",
        "reference  0.2",
        "0.1; bound 5.0e-14; 2.0e+12 times the bound",
        "arm.urdf:31",
        "again      robodyn-check arm.urdf --lib drake --select RD260 --seed 20240601",
    ):
        assert part in failure


def test_a_crash_shows_the_last_words_of_the_library():
    assert "    | free(): invalid pointer" in terminal(fixtures.mixed())


def test_a_model_cannot_move_the_cursor():
    text = terminal(fixtures.hostile(), color=False)
    assert "\x1b" not in text
    assert r"\x1b[31m" in text


def test_ascii_terminals_get_ascii():
    assert terminal(fixtures.mixed(), ascii_only=True).isascii()


def test_a_truth_that_is_not_proven_is_said_loudly():

    model = fixtures.all_pass().models[0]
    assert model.certificate is not None
    doubtful = replace(model, certificate=replace(model.certificate, agreed=False))
    assert "Truth: NOT proven" in terminal(fixtures.report(doubtful))


def test_an_interrupted_run_says_that_it_is_incomplete():
    assert "INCOMPLETE" in terminal(fixtures.interrupted())
    assert "The run ended early" in terminal(fixtures.interrupted())


def test_a_reason_to_skip_is_said_once_for_all_libraries():
    results = tuple(
        Result(code="RD434", slug=slug, verdict="skip", subject=library, message="the base does not float")
        for library in ("drake", "mujoco")
        for slug in ("gravity-floating-base", "coriolis-base-pose")
    )
    text = terminal(fixtures.report(fixtures.model(results, (fixtures.subject("drake"), fixtures.subject("mujoco")))))
    assert text.count("the base does not float") == 1
    assert "- the base does not float (drake, mujoco; 4 checks)" in text
