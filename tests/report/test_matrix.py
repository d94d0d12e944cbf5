from __future__ import annotations

import pytest

from robodyn_check.report.matrix import Row, cell, check_rows, columns, pair_lines, quantity_rows
from robodyn_check.report.results import Known, Result
from tests.report import fixtures
from tests.report.fixtures import failed, passed, skipped

KNOWN = Known(reason="known", link=None, source="shipped")


def words(row: Row) -> list[str | None]:
    return [None if entry is None else entry.word for entry in row.cells]


def test_quantities_stand_in_their_own_order_with_words_and_margins():
    rows = {row.title: words(row) for row in quantity_rows(fixtures.mixed().models[0])}
    assert list(rows) == ["link_poses", "mass_matrix", "gravity_vector", "inverse_dynamics", "other checks"]
    assert rows["mass_matrix"] == ["pass 0.1", "FAIL 2.0e+12", "known fail 2.0e+12"]
    assert rows["inverse_dynamics"] == ["pass 0.1", "FAIL 4.0e+09", None]


def test_a_library_that_was_skipped_has_no_column():
    assert columns(fixtures.mixed().models[0]) == ("pinocchio", "drake", "mujoco")


@pytest.mark.parametrize(
    ("results", "word"),
    [
        ((passed("a", "mass_matrix", 0.5), passed("a", "mass_matrix", 0.7)), "pass 0.7"),
        ((passed("a", "mass_matrix"), failed("a", margin=30.0)), "FAIL 30"),
        ((failed("a", margin=99.0, known=KNOWN), failed("a", margin=30.0)), "FAIL 30"),
        ((failed("a", margin=99.0, known=KNOWN), passed("a", "mass_matrix")), "known fail 99"),
        ((skipped("a"), passed("a", "mass_matrix", 0.5)), "pass 0.5"),
        ((skipped("a"),), "skip"),
    ],
)
def test_a_cell_shows_what_needs_action_most(results: tuple[Result, ...], word: str):
    entry = cell(results)
    assert entry is not None
    assert entry.word == word


def test_checks_are_rows_by_code():
    rows = check_rows(fixtures.mixed().models[0])
    assert [row.code for row in rows] == ["RD250", "RD260", "RD270", "RD280", "RD350", "RD350", "RD901"]


def test_two_libraries_that_disagree_mark_no_cell_but_have_a_line():
    results = (failed("drake", against="mujoco"), passed("drake", "link_poses", against="mujoco"))
    model = fixtures.model(results, (fixtures.subject("drake"), fixtures.subject("mujoco")))
    assert quantity_rows(model) == ()
    assert pair_lines(model) == ("drake and mujoco agree on 1 of 2 quantities, not on mass_matrix",)


def test_many_pairs_that_agree_are_counted_on_one_line():
    names = ("a", "b", "c", "d")
    pairs = [(one, other) for k, one in enumerate(names) for other in names[k + 1 :]]
    results = [passed(one, "mass_matrix", against=other) for one, other in pairs[1:]]
    bad = failed("a", against="b")
    lines = pair_lines(fixtures.model((bad, *results), tuple(fixtures.subject(name) for name in names)))
    assert lines == (
        "5 of 6 pairs of libraries agree on everything compared",
        "a and b agree on 0 of 1 quantity, not on mass_matrix",
    )
