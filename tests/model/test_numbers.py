"""The number grammar: every legal spelling is read, nothing is guessed."""

from __future__ import annotations

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.faults import Faults
from robodyn_check.model.numbers import read_number, read_numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (".5", 0.5),
        ("1.", 1.0),
        ("+1e-3", 1e-3),
        ("-0", -0.0),
        ("1E+2", 100.0),
        (" \t2\n", 2.0),
        ("007", 7.0),
        ("5e-324", 5e-324),
    ],
)
def test_a_legal_spelling_is_read_and_its_text_kept(text: str, value: float) -> None:
    faults = Faults("m.urdf")
    number = read_number(text, line=3, what="mass", faults=faults)
    assert number is not None
    assert (number.value, number.text, number.line, len(faults)) == (value, text.strip(), 3, 0)


def test_tabs_and_newlines_separate_numbers() -> None:
    numbers = read_numbers("1\t2\r\n  3", count=3, line=1, what="xyz", faults=Faults("m.urdf"))
    assert numbers is not None
    assert [number.value for number in numbers] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("text", "words", "cause"),
    [
        ("nan", "'nan' is not a finite number", "non-finite-number"),
        ("-Infinity", "'-Infinity' is not a finite number", "non-finite-number"),
        ("1.#QNAN", "is not a finite number", "non-finite-number"),
        ("1e999", "'1e999' is larger than any double", "non-finite-number"),
        ("1e-999", "'1e-999' is smaller than any double", "not-a-number"),
        ("0e99999", "'0e99999' has an exponent that no double has", "not-a-number"),
        ("1" * 2000, "has 2000 characters, expected at most 1100", "not-a-number"),
        ("0x10", "'0x10' is hexadecimal", "not-a-number"),
        ("1,5", "'1,5' has a comma", "not-a-number"),
        ("1_000", "followed by '_000'", "not-a-number"),
        ("-1.57.", "followed by '.'", "not-a-number"),
        ("1.0kg", "followed by 'kg'", "not-a-number"),
        ("1.0f", "followed by 'f'", "not-a-number"),
        ("e5", "'e5' is not a number", "not-a-number"),
        (".", "'.' is not a number", "not-a-number"),
        ("--1", "'--1' is not a number", "not-a-number"),
        ("１", "'１' is not a number", "not-a-number"),
        ("1\u00a02", "followed by", "not-a-number"),
        ("${m}", "run xacro first", "xacro-not-expanded"),
        ("", "mass: is empty, expected one number", "wrong-number-count"),
        ("1 2", "mass: has 2 ('1 2'), expected one number", "wrong-number-count"),
    ],
)
def test_what_is_no_number_is_a_fault_with_value_and_line(text: str, words: str, cause: str) -> None:
    faults = Faults("m.urdf")
    assert read_number(text, line=7, what="mass", faults=faults) is None
    with pytest.raises(ModelError) as caught:
        faults.raise_if_any()
    (fault,) = caught.value.faults
    assert words in str(fault)
    assert str(fault).startswith("m.urdf:7: mass: ")
    assert fault.cause == cause


def test_faults_come_sorted_by_line_and_once() -> None:
    faults = Faults("m.urdf")
    faults.add(9, "late")
    faults.add(2, "early")
    faults.add(9, "late")
    with pytest.raises(ModelError, match=r"^m\.urdf:2: early\nm\.urdf:9: late$"):
        faults.raise_if_any()
