"""Tables of verdicts: quantity × library for the terminal, check × library for pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.summary import libraries
from robodyn_check.report.words import is_pair, plural, rank, short, word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.report.results import ModelReport, Result, Verdict

OTHER = "other checks"
#: More pairs that agree than this are counted, not listed.
_PAIRS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One verdict of a table: the worst of its results. ``margin`` is the largest of them (None: there is none)."""

    verdict: Verdict
    known: bool
    margin: float | None
    results: tuple[Result, ...]

    @property
    def word(self) -> str:
        """Verdict and margin, e.g. ``pass 0.12`` or ``FAIL 3.1e+07``."""
        text = word(self.verdict, known=self.known)
        return text if self.margin is None else f"{text} {short(self.margin)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table; a cell is None where nothing was checked."""

    title: str
    cells: tuple[Cell | None, ...]
    code: str | None = None


def cell(results: Iterable[Result]) -> Cell | None:
    """Roll results up into one cell: an open failure before a known one, then by severity."""
    results = tuple(results)
    if not results:
        return None
    worst = min(results, key=_rank)
    margins = [r.margin for r in results if r.margin is not None and _rank(r) == _rank(worst)]
    return Cell(
        verdict=worst.verdict,
        known=worst.known is not None,
        margin=max(margins, default=None),
        results=tuple(sorted(results, key=_rank)),
    )


def columns(model: ModelReport) -> tuple[str, ...]:
    """Return the columns of both tables: every library that was not skipped, in the order of the run."""
    return tuple(subject.name for subject in libraries(model) if subject.status != "skip")


def quantity_rows(model: ModelReport) -> tuple[Row, ...]:
    """Return the table quantity × library: own properties and agreement with the truth together."""
    names = columns(model)
    table: dict[str, dict[str, list[Result]]] = {}
    for result in model.results:
        if result.subject in names and not is_pair(result):
            row = result.quantity if result.quantity in QUANTITIES else OTHER
            table.setdefault(row or OTHER, {}).setdefault(result.subject, []).append(result)
    order = [name for name in (*QUANTITIES, OTHER) if name in table]
    return tuple(Row(title=name, cells=tuple(cell(table[name].get(lib, ())) for lib in names)) for name in order)


def check_rows(model: ModelReport) -> tuple[Row, ...]:
    """Return the table check × library, by code."""
    names = columns(model)
    table: dict[tuple[str, str], dict[str, list[Result]]] = {}
    for result in model.results:
        if result.subject in names and not is_pair(result):
            table.setdefault((result.code, result.slug), {}).setdefault(result.subject, []).append(result)
    return tuple(
        Row(title=slug, code=code, cells=tuple(cell(by_library.get(lib, ())) for lib in names))
        for (code, slug), by_library in sorted(table.items())
    )


def pair_lines(model: ModelReport) -> tuple[str, ...]:
    """Say of two libraries in how many quantities they agree; many pairs that agree in all are counted on one line."""
    pairs: dict[tuple[str, str], list[Result]] = {}
    for result in model.results:
        if is_pair(result) and result.verdict != "skip":
            pairs.setdefault((result.subject, result.against or ""), []).append(result)
    agreeing, apart = [], []
    for (one, other), results in pairs.items():
        quantities = {result.quantity or result.slug for result in results}
        bad = sorted({r.quantity or r.slug for r in results if r.verdict in {"fail", "error"}})
        whole = plural(len(quantities), "quantity")
        if bad:
            share = f"{len(quantities) - len(bad)} of {whole}"
            apart.append(f"{one} and {other} agree on {share}, not on {', '.join(bad)}")
        else:
            agreeing.append(f"{one} and {other} agree on {whole}")
    if len(agreeing) > _PAIRS:
        agreeing = [f"{len(agreeing)} of {len(pairs)} pairs of libraries agree on everything compared"]
    return (*agreeing, *apart)


def _rank(result: Result) -> int:
    return rank(result.verdict, known=result.known is not None)
