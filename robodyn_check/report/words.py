"""The words and numbers that every renderer shows alike, and text made safe to show. Plain Python."""

from __future__ import annotations

import unicodedata
from math import isfinite
from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.results import Result, Verdict

#: How a verdict is written, everywhere.
VERDICT_WORDS: dict[Verdict, str] = {"pass": "pass", "warn": "warn", "fail": "FAIL", "error": "ERROR", "skip": "skip"}
#: What each word means, for legends.
VERDICT_MEANINGS: dict[str, str] = {
    "pass": "the error is inside its bound",
    "warn": "legal, but worth a look",
    "FAIL": "a wrong number, or a legal model refused",
    "ERROR": "crash, time-out or garbage: no number to judge",
    "known": "a fail or error that is already recorded; it does not change the exit code",
    "skip": "not checked, with the reason",
}
#: The subject of findings about the model file.
MODEL = "model"
#: Subjects that are no library: the truth, and the model file itself.
MODEL_SUBJECTS = frozenset({"reference", MODEL})


def is_pair(result: Result) -> bool:
    """Tell whether two libraries are compared: a disagreement then does not say which of them is wrong."""
    return result.against is not None and result.against not in MODEL_SUBJECTS


def word(verdict: Verdict, *, known: bool = False) -> str:
    """Return the word of a verdict; a known one is ``known fail`` or ``known error``."""
    return f"known {verdict}" if known else VERDICT_WORDS[verdict]


def rank(verdict: Verdict, *, known: bool = False) -> int:
    """Order verdicts from what needs action most; a known failure never hides an open one."""
    order = ("fail", "error", "known fail", "known error", "warn", "pass", "skip")
    return order.index(f"known {verdict}" if known else verdict)


def number(value: float | None) -> str:
    """Write a value so that it reads back bit for bit; None is a value that was not finite."""
    return "not finite" if value is None else repr(float(value))


def short(value: float | None) -> str:
    """Write an error or a bound in two digits: ``0.12``, ``31``, ``3.1e+07``, ``not finite``."""
    if value is None or not isfinite(value):
        return "not finite"
    size = abs(value)
    if value == 0:
        return "0"
    return f"{value:.0f}" if 10 <= size < 10_000 else f"{value:.2g}" if 0.001 <= size < 10 else f"{value:.1e}"


def error_words(result: Result) -> str | None:
    """Say how the worst error stands to its bound; None where the check has no number."""
    if result.error is None:
        return None
    if result.bound is None:
        return f"{short(result.error)}, which no bound allows"
    if result.bound == 0:
        return "0, exact" if result.error == 0 else f"{short(result.error)}; the two must be equal to the last bit"
    times = "beyond measure" if result.margin is None else f"{short(result.margin)} times the bound"
    return f"{short(result.error)}; bound {short(result.bound)}; {times}"


def element(result: Result) -> str | None:
    """Name the worst element by joints and links: ``M[elbow, wrist]``; None where the check has no element."""
    if result.worst is None:
        return None
    symbol = QUANTITIES[result.quantity].symbol if result.quantity in QUANTITIES else (result.quantity or "value")
    labels = result.worst.labels or tuple(str(index) for index in result.worst.index)
    return f"{symbol}[{', '.join(labels)}]" if labels else symbol


def expected_from(result: Result) -> str:
    """Name the side that the value is compared with."""
    return result.against or "expected"


def listing(words: Sequence[str], *, most: int = 4) -> str:
    """Join words as a sentence does, the tail counted: ``a, b and 3 more``."""
    shown = list(words[:most]) + ([f"{len(words) - most} more"] if len(words) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


def plural(count: int, word: str) -> str:
    """Count a thing: ``1 state``, ``200 states``."""
    if count == 1:
        return f"1 {word}"
    return f"{count} {word[:-1]}ies" if word.endswith(("ty", "ry")) else f"{count} {word}s"


def clean(text: str) -> str:
    r"""Make text of models and libraries safe to show: control characters other than newlines become ``\xNN``."""
    return "".join(
        character
        if character == "\n" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Cn"}
        else " "
        if character == "\t"
        else f"\\x{ord(character):02x}"
        for character in text
    )


def one_line(text: str) -> str:
    """Return cleaned text on one line."""
    return " ".join(clean(text).split())
