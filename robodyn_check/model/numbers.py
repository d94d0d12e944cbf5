"""The strict grammar of numbers in model files.

Loaders differ in what they make of "1,5", "0x10", "nan" or "0.1.": one stops at the comma, one reads 0, one refuses.
Here such a text is a fault with its value and line. What every loader reads is accepted: ``.5``, ``1.``, ``+1e-3``, any
number of spaces, tabs and newlines between numbers.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Number

if TYPE_CHECKING:
    from robodyn_check.model.faults import Faults

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
#: The longest number, in characters: a double written out in full has up to 1 079. Exact arithmetic reads them later.
_LONGEST = 1100
_XACRO = re.compile(r"\$[{(]")
#: Usual mistakes: pattern, what to say, kind of fault. The first that fits is told.
_MISTAKES = (
    (
        re.compile(r"\$[{(]"),
        "is an expression of xacro; run xacro first: xacro in.xacro > out.urdf",
        "xacro-not-expanded",
    ),
    (
        re.compile(r"^[+-]?(nan|inf|1\.#)", re.IGNORECASE),
        "is not a finite number; whoever wrote the file had no value here, so write the real one",
        "non-finite-number",
    ),
    (re.compile(r"^[+-]?0x", re.IGNORECASE), "is hexadecimal, expected a decimal number", "not-a-number"),
    (re.compile(","), "has a comma, expected a decimal point and white space between numbers", "not-a-number"),
)


def read_numbers(
    text: str, *, count: int | None, line: int, what: str, faults: Faults, degrees: bool = False
) -> tuple[Number, ...] | None:
    """Read numbers separated by white space.

    Args:
        text: The attribute's value.
        count: How many numbers there must be; None for any.
        line: Where the text stands.
        what: The place in words, ``mass of link 'a'``, for the message.
        faults: Where to put what is wrong.
        degrees: Marks the numbers as degrees.

    Returns:
        The numbers, or None when there was a fault (then recorded).
    """
    words = text.split() if text.isascii() else [word for word in re.split("[ \t\r\n]+", text) if word]
    if _XACRO.search(text):
        words = [text.strip()]  # an expression may hold spaces
    values: list[Number] = []
    for word in words:
        problem = _problem(word)
        if problem is not None:
            reason, cause = problem
            faults.add(line, f"{what}: {quoted(word)} {reason}", cause=cause)
            return None
        values.append(Number(text=word, value=float(word), line=line, degrees=degrees))
    if count is not None and len(values) != count:
        expected = "one number" if count == 1 else f"{count} numbers"
        found = "is empty" if not values else f"has {len(values)} ({quoted(text.strip())})"
        faults.add(line, f"{what}: {found}, expected {expected}", cause="wrong-number-count")
        return None
    return tuple(values)


def read_number(text: str, *, line: int, what: str, faults: Faults, degrees: bool = False) -> Number | None:
    """Read exactly one number; see `read_numbers`."""
    numbers = read_numbers(text, count=1, line=line, what=what, faults=faults, degrees=degrees)
    return None if numbers is None else numbers[0]


def _problem(word: str) -> tuple[str, str] | None:
    """Say why a word is not a number that a double can hold (reason, kind of fault); None when it is one."""
    if len(word) <= _LONGEST and _NUMBER.fullmatch(word):
        return _out_of_range(word)
    for pattern, reason, cause in _MISTAKES:
        if pattern.search(word):
            return reason, cause
    match = _NUMBER.match(word)
    if match and match.end() == len(word):
        return f"has {len(word)} characters, expected at most {_LONGEST}", "not-a-number"
    if match:
        return f"is a number followed by {quoted(word[match.end() :])}, expected a number alone", "not-a-number"
    return "is not a number", "not-a-number"


def _out_of_range(word: str) -> tuple[str, str] | None:
    value = float(word)
    if math.isinf(value):
        return "is larger than any double", "non-finite-number"
    mantissa, _, exponent = word.lower().partition("e")
    if value == 0 and len(exponent.lstrip("+-0")) > 3:
        return "has an exponent that no double has; write 0 if that is meant", "not-a-number"
    if value == 0 and re.search("[1-9]", mantissa):
        return "is smaller than any double; write 0 if that is meant", "not-a-number"
    return None
