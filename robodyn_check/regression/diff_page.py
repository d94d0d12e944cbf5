"""The page of a comparison of two reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.regression.diff import WHATS
from robodyn_check.regression.page import Cell, Page, Section, Table
from robodyn_check.report.words import error_words, plural

if TYPE_CHECKING:
    from robodyn_check.regression.diff import Diff, FindingChange, What
    from robodyn_check.regression.page import Kind
    from robodyn_check.report.results import Result

_KINDS: dict[What, Kind] = {"new": "fail", "changed": "warn", "moved": "", "no longer checked": "warn", "fixed": "pass"}


def diff_page(diff: Diff, old: str, new: str) -> Page:
    """Return the page of a diff; ``old`` and ``new`` name the reports."""
    worse = bool(diff.of("new"))
    doubtful = bool(diff.of("changed") or diff.of("no longer checked"))
    sections = [_section(what, diff.of(what)) for what in WHATS if what != "same" and diff.of(what)]
    if diff.of("same"):
        text = f"{plural(len(diff.of('same')), 'finding')} in both reports, up to the bounds"
        sections.append(Section(heading="The same in both", lines=(text,)))
    about = (*diff.models, *diff.subjects)
    if about:
        sections.insert(0, Section(heading="What the reports are about", lines=about))
    return Page(
        title=f"{old} -> {new}",
        word="WORSE" if worse else "CHANGED" if doubtful else "NO WORSE",
        kind="fail" if worse else "warn" if doubtful else "pass",
        sentence=diff.sentence,
        sections=tuple(sections),
    )


def _section(what: What, changes: tuple[FindingChange, ...]) -> Section:
    several = len({one.name.model for one in changes}) > 1
    rows = tuple(
        (
            Cell(text=f"{one.name.model}: {one.name}" if several else str(one.name)),
            Cell(text=what, kind=_KINDS[what]),
            Cell(text=_words(one.old)),
            Cell(text=_words(one.new)),
            Cell(text=one.why),
        )
        for one in changes
    )
    heading = f"{what[0].upper()}{what[1:]} ({len(changes)})"
    table = Table(header=("finding", "what", "old", "new", "why"), rows=rows)
    return Section(heading=heading, tables=(table,))


def _words(result: Result | None) -> str:
    if result is None:
        return "-"
    error = error_words(result) if result.verdict in {"fail", "warn"} else None
    return result.verdict + (f", {error}" if error else "") + (", known" if result.known else "")
