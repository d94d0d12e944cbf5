from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from robodyn_check.report.results import Verdict
from robodyn_check.report.words import (
    VERDICT_WORDS,
    clean,
    element,
    error_words,
    listing,
    number,
    one_line,
    plural,
    rank,
    short,
)
from tests.report.fixtures import failed


def test_every_verdict_has_its_own_word():
    assert set(VERDICT_WORDS) == set(get_args(Verdict))
    assert len(set(VERDICT_WORDS.values())) == len(VERDICT_WORDS)


def test_a_known_failure_never_outranks_an_open_one():
    assert rank("fail") < rank("error") < rank("fail", known=True) < rank("error", known=True) < rank("warn")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.123, "0.12"), (9.9, "9.9"), (31.2, "31"), (9999.0, "9999"), (3.14e7, "3.1e+07"), (2e-4, "2.0e-04"),
     (-31.0, "-31"), (None, "not finite"), (float("inf"), "not finite"), (float("nan"), "not finite")],
)  # fmt: skip
def test_short_numbers_are_read_at_a_glance(value: float | None, text: str):
    assert short(value) == text


@pytest.mark.parametrize("value", [0.1, 1 / 3, -1e-300, 12345678901234567.0])
def test_numbers_read_back_bit_for_bit(value: float):
    assert float(number(value)) == value


def test_numbers_that_are_none_say_so():
    assert number(None) == "not finite"


def test_the_worst_element_is_named_by_its_joints():
    assert element(failed("drake")) == "M[elbow, elbow]"


@pytest.mark.parametrize(
    ("error", "bound", "margin", "text"),
    [
        (0.1, 5e-14, 2e12, "0.1; bound 5.0e-14; 2.0e+12 times the bound"),
        (0.1, 0.0, None, "0.1; the two must be equal to the last bit"),
        (0.0, 0.0, 0.0, "0, exact"),
        (0.1, None, None, "0.1, which no bound allows"),
        (None, None, None, None),
    ],
)
def test_errors_are_told_with_their_bound(
    error: float | None, bound: float | None, margin: float | None, text: str | None
):
    assert error_words(replace(failed("drake"), error=error, bound=bound, margin=margin)) == text


@pytest.mark.parametrize(
    ("words", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c", "d", "e", "f"], "a, b, c, d and 2 more")],
)
def test_lists_read_as_a_sentence(words: list[str], text: str):
    assert listing(words) == text


def test_plurals():
    assert [plural(1, "state"), plural(2, "state"), plural(3, "quantity")] == ["1 state", "2 states", "3 quantities"]


def test_control_characters_and_direction_marks_are_spelled_out():
    assert clean("a\x1b[31mb\u202ec\x00") == r"a\x1b[31mb\x202ec\x00"
    assert one_line("two\n lines\tand tab") == "two lines and tab"
    assert clean("Gelenk_é_关节") == "Gelenk_é_关节"
