"""A page of a comparison, free of any format: a verdict line, then headed sections of lines and tables.

Every comparison (bump, trend, bisect, diff, matrix) becomes one `Page`; `page_text`, `page_markdown` and `page_html`
write it. A kind is a colour at most: the words alone say everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: How a cell or verdict looks; the classes of the report's style sheet.
Kind = Literal["", "pass", "warn", "fail", "error", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One entry of a table."""

    text: str
    kind: Kind = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A header and rows of equal length; the first column names the row."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A named line of a chart: one value for each place on the horizontal axis, None where there is none."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Lines on a log axis over named places, with a limit drawn across; text formats show the tables alone."""

    title: str
    places: tuple[str, ...]
    lines: tuple[Line, ...]
    limit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, sentences, then tables and charts."""

    heading: str
    lines: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A whole page. ``word`` is the verdict in capitals, ``sentence`` says it in one line, ``again`` is the command."""

    title: str
    word: str
    kind: Kind
    sentence: str
    sections: tuple[Section, ...]
    again: str = ""


def cells(*texts: str) -> tuple[Cell, ...]:
    """Return plain cells."""
    return tuple(Cell(text=text) for text in texts)
