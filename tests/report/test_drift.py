from __future__ import annotations

import re
from dataclasses import replace

import pytest

from robodyn_check.report.drift import drift_rows
from robodyn_check.report.json_format import read_report, to_json
from robodyn_check.report.render import render
from robodyn_check.report.results import ModelReport, Result, StepErrors
from tests.report import fixtures

STEPS = (8e-3, 4e-3, 2e-3)
RIGHT, FLAT = (1.6e-6, 1e-7, 6.25e-9), (1.6e-6, 1.5e-6, 1.5e-6)


def integrated(library: str, errors: tuple[float, ...], verdict: str = "pass") -> Result:
    return Result(
        code="RD505",
        slug="free-motion-energy",
        verdict=verdict,  # type: ignore[arg-type]
        subject=library,
        quantity="forward_dynamics",
        message="it falls",
        step_errors=StepErrors(steps=STEPS, errors=errors),
    )


def moved(*results: Result) -> ModelReport:
    model = fixtures.all_pass().models[0]
    return replace(model, results=(*model.results, *results))


def heights(path: str) -> list[int]:
    return [int(y) for y in re.findall(r"[ML]\d+ (\d+)", path)]


def test_the_measured_line_lies_on_the_methods_order_where_the_dynamics_are_right():
    (row,) = drift_rows(moved(integrated("pinocchio", RIGHT)))
    picture, other = row.pictures
    assert other is None
    assert picture is not None
    assert picture.measured == picture.order
    assert not picture.wrong
    assert [name for _, name in picture.places] == ["8 ms", "4 ms", "2 ms"]


def test_the_measured_line_leaves_the_methods_order_where_they_are_wrong():
    (row,) = drift_rows(moved(integrated("pinocchio", RIGHT), integrated("drake", FLAT, "fail")))
    right, flat = row.pictures
    assert right is not None
    assert flat is not None
    assert flat.wrong
    first, _, last = heights(flat.measured)
    assert abs(first - last) <= 1
    assert heights(flat.order)[-1] > last + 20
    assert (right.top, right.foot) == (flat.top, flat.foot)
    assert "does not fall as the method's order says" in flat.sentence


@pytest.mark.parametrize("errors", [(0.0, 0.0, 0.0), (1e-3, float("nan"), 1e-9), (1e-3, float("inf"), 1e-9)])
def test_what_has_no_place_on_a_log_axis_is_not_drawn(errors: tuple[float, ...]):
    assert drift_rows(moved(integrated("pinocchio", errors))) == ()


def test_the_page_shows_it_and_is_without_it_where_nothing_was_integrated():
    page = render(fixtures.report(moved(integrated("drake", FLAT, "fail"))), "html")
    assert "Energy along simulated motion" in page
    assert 'class="drift wrong"' in page
    assert "no drift to draw" in page
    assert "Energy along simulated motion" not in render(fixtures.all_pass(), "html")


def test_it_survives_json():
    report = fixtures.report(moved(integrated("drake", RIGHT)))
    assert read_report(to_json(report)) == report
