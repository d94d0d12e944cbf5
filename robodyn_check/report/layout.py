"""Plain text laid out in columns: wrapping, padding by what a terminal shows, colour, an ASCII spelling."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

#: ANSI codes by the word they decorate; colour repeats what the word says and carries nothing alone.
COLORS = {"pass": "32", "FAIL": "1;31", "ERROR": "1;35", "warn": "33", "skip": "2", "known": "33", "bold": "1"}
#: How symbols of equations and sentences are spelled where only ASCII can be shown.
ASCII = {
    "·": "*", "×": "x", "…": "...", "—": "-", "–": "-", "’": "'", "“": '"', "”": '"', "≤": "<=", "≥": ">=", "±": "+-",
    "⁻": "-", "¹": "1", "²": "2", "³": "3", "½": "1/2", "ᵀ": "^T", "γ": "gamma", "π": "pi", "Σ": "sum ", "ε": "eps",
    "µ": "mu", "τ": "tau", "ω": "omega", "Δ": "delta ", "→": "->", "°": "deg", "∂": "d", "̇": "'", "≠": "!=",
    "√": "sqrt",
}  # fmt: skip


def cells(text: str) -> int:
    """Return how many columns a terminal gives this text."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def pad(text: str, width: int) -> str:
    """Fill with spaces to a width in columns."""
    return text + " " * max(0, width - cells(text))


def wrap(text: str, width: int, *, first: str = "", rest: str | None = None) -> list[str]:
    """Wrap a sentence; words longer than a line stay whole, so paths and commands can be copied."""
    return textwrap.wrap(
        text,
        max(width, 20),
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, width: int, indent: str = "  ") -> list[str]:
    """Lay out a table; where it is wider than ``width`` its columns continue below, under the first one again."""
    sizes = [max(cells(line[k]) for line in (header, *rows)) for k in range(len(header))]
    lines: list[str] = []
    start = 1
    while start < len(header) or start == 1:
        stop, used = start, cells(indent) + sizes[0]
        while stop < len(header) and (stop == start or used + 2 + sizes[stop] <= width):
            used += 2 + sizes[stop]
            stop += 1
        shown = (0, *range(start, stop))
        if lines:
            lines.append("")
        lines += [(indent + "  ".join(pad(line[k], sizes[k]) for k in shown)).rstrip() for line in (header, *rows)]
        start = stop
        if start == 1:
            break
    return lines


def paint(text: str, kind: str, *, color: bool) -> str:
    """Decorate text with the colour of a word, where colour is wanted."""
    return f"\x1b[{COLORS[kind]}m{text}\x1b[0m" if color and kind in COLORS else text


def to_ascii(text: str) -> str:
    r"""Spell text in ASCII: symbols by their names, all else by its code point (``\u4e2d``)."""
    spelled = "".join(ASCII.get(character, character) for character in text)
    return spelled.encode("ascii", "backslashreplace").decode("ascii")
