from __future__ import annotations

import pytest

from robodyn_check.report.charts import BOTTOM, TOP, Strip, bound_in_units, heat_rows, strip_rows
from robodyn_check.report.results import Difference, Result
from tests.report import fixtures
from tests.report.fixtures import failed, model, passed, subject


def strip(result: Result) -> Strip:
    (row,) = strip_rows(model((result,), (subject("drake"),)))
    found = row.strips[0]
    assert found is not None
    return found


def test_the_bound_is_found_from_any_result_with_an_error():
    exact = passed("drake", "mass_matrix", 0.0, errors=(0.0,), error=0.0)
    assert bound_in_units((exact, passed("drake", "mass_matrix", 0.5))) == pytest.approx(64)
    assert bound_in_units((exact,)) is None


def test_dots_inside_the_bound_lie_under_its_line_and_those_beyond_above():
    found = strip(failed("drake", margin=1e6, errors=(6.4e7, 1.0, None)))
    assert found.bound_y is not None
    height = {name: int(getattr(found, name).split(" ")[1].split("h")[0]) for name in ("inside", "beyond")}
    assert TOP <= height["beyond"] < found.bound_y < height["inside"] <= BOTTOM


def test_states_without_a_number_are_crosses():
    assert strip(failed("drake", errors=(1e3, None))).missing.count("l4 4") == 1
    assert strip(passed("drake", "mass_matrix")).missing == ""


def test_the_sentence_tells_what_the_picture_shows():
    sentence = strip(failed("drake", margin=1e6, errors=(6.4e7, 1.0, None))).sentence
    assert sentence == (
        "drake, mass_matrix: largest error 6.4e+07 eps·S, over 3 states, bound 64 eps·S, "
        "beyond it at 1 state; no number at 1 state"
    )


def test_a_pass_at_its_very_bound_is_not_drawn_as_beyond():
    assert strip(passed("drake", "mass_matrix", 1.0)).beyond == ""


def test_exact_answers_lie_on_the_axis():
    found = strip(passed("drake", "mass_matrix", 0.0, errors=(0.0, 0.0), error=0.0))
    assert found.inside.count(f" {BOTTOM}h0") == 2


def test_many_states_do_not_make_a_large_picture():
    errors = tuple(1.0 + k % 97 for k in range(20_000))
    assert len(strip(passed("drake", "mass_matrix", 0.9, errors=errors)).inside) < 60_000 < 20_000 * 8


def test_each_quantity_has_a_row_and_libraries_share_its_axis():
    rows = strip_rows(fixtures.mixed().models[0])
    assert [row.quantity for row in rows] == ["link_poses", "mass_matrix", "gravity_vector", "inverse_dynamics"]
    assert len({entry.top for entry in rows[1].strips if entry}) == 1


def test_heat_levels_rise_by_two_powers_of_ten():
    margins = ((0.0, 1.0, 1.1, 99.0, 101.0, 1e11, 1e13, None),)
    columns = tuple("abcdefgh")
    cells = heat_rows(Difference(rows=("r",), columns=columns, margins=margins))[0]
    assert [cell.level for cell in cells] == [0, 0, 1, 1, 2, 6, 7, 7]
    assert cells[4].title == "r, e: error 101 times the bound"
    assert cells[7].title == "r, h: not finite"
