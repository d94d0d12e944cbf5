from __future__ import annotations

from dataclasses import replace

from robodyn_check.report.finding_text import facts, finding_lines, place
from robodyn_check.report.results import Where
from tests.report.fixtures import failed


def test_a_message_that_is_the_heading_is_not_said_twice():
    result = replace(failed("drake"), message="it broke")
    assert any("it broke" in line for line in finding_lines(result, 80, seed=7))
    assert not any("it broke" in line for line in finding_lines(result, 80, seed=7, told="it broke"))


def test_an_exact_claim_shows_that_equality_was_expected():
    rows = dict(facts(replace(failed("drake"), bound=0.0, margin=None, error=1e-17), seed=7))
    assert rows["error"] == "1.0e-17; the two must be equal to the last bit"


def test_a_value_that_is_not_finite_is_shown_as_such():
    result = failed("drake")
    assert result.worst is not None
    rows = dict(facts(replace(result, worst=replace(result.worst, got=None)), seed=None))
    assert rows["drake"] == "not finite"
    assert rows["element"] == "M[elbow, elbow], state 2"


def test_places_are_file_and_line():
    assert place(Where(file="a b.urdf", line=3)) == "a b.urdf:3"
    assert place(Where(file="a.urdf", line=None)) == "a.urdf"
