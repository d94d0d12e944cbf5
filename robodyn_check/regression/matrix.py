"""Library × version × model × verdict, as one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.regression.findings import BAD, plain_model
from robodyn_check.regression.page import Cell, Page, Section, Table
from robodyn_check.report.words import is_pair, listing, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.regression.asking import Asking
    from robodyn_check.regression.page import Kind
    from robodyn_check.report.results import ModelReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One library's version about one model.

    ``verdict``: the worst one, or "" where it was not asked; ``quantities``: what it is wrong about.
    """

    library: str
    version: str
    model: str
    verdict: str
    known: bool
    quantities: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """All entries, with the states that they were judged at."""

    entries: tuple[Entry, ...]
    samples: int
    seed: int
    schema_version: str = "1.0"


def matrix(askings: Mapping[str, Sequence[Asking]], *, samples: int, seed: int) -> Matrix:
    """Return the matrix of everything that was asked, by library."""
    entries = [
        _entry(library, asking, model)
        for library, versions in askings.items()
        for asking in versions
        for model in asking.report.models
    ]
    return Matrix(entries=tuple(entries), samples=samples, seed=seed)


def matrix_page(found: Matrix) -> Page:
    """Return the matrix as a page: one table, models down, versions across."""
    models = list(dict.fromkeys(entry.model for entry in found.entries))
    columns = list(dict.fromkeys((entry.library, entry.version) for entry in found.entries))
    by_place = {(entry.model, entry.library, entry.version): entry for entry in found.entries}
    header = ("model", *(f"{library} {version}" for library, version in columns))
    rows = tuple((Cell(text=model), *(_cell(by_place.get((model, *column))) for column in columns)) for model in models)
    wrong = [entry for entry in found.entries if entry.verdict in BAD]
    lines = tuple(
        f"{entry.library} {entry.version} on {entry.model}: {listing(entry.quantities, most=6)}" for entry in wrong
    )
    troubles = tuple(
        f"{entry.library} {entry.version} on {entry.model}: {entry.reason}" for entry in found.entries if entry.reason
    )
    sections = [Section(heading="Verdicts", tables=(Table(header=header, rows=rows),))]
    if lines:
        sections.append(Section(heading="What is wrong", lines=lines))
    if troubles:
        sections.append(Section(heading="Not asked", lines=troubles))
    right = sum(entry.verdict in {"pass", "warn"} for entry in found.entries)
    return Page(
        title=f"Libraries, versions and models, {plural(found.samples, 'state')}, seed {found.seed}",
        word=f"{right} OF {len(found.entries)} RIGHT",
        kind="warn" if wrong else "pass",
        sentence=f"{plural(len(columns), 'version')} on {plural(len(models), 'model')}: "
        f"{len(wrong)} wrong, {right} right, {len(found.entries) - right - len(wrong)} not asked.",
        sections=tuple(sections),
    )


def _entry(library: str, asking: Asking, model: ModelReport) -> Entry:
    results = [
        one for one in model.results if one.subject == asking.spec and not is_pair(one) and one.verdict != "skip"
    ]
    bad = [one for one in results if one.verdict in BAD]
    record = next((one for one in model.subjects if one.name == asking.spec), None)
    asked = record is not None and record.status in {"ok", "fail"}
    order = ("error", "fail", "warn", "pass")
    return Entry(
        library=library,
        version=(record.version if record is not None else None) or asking.version,
        model=plain_model(model.model.path),
        verdict=min((one.verdict for one in results), key=order.index, default="") if asked or bad else "",
        known=bool(bad) and all(one.known is not None for one in bad),
        quantities=tuple(dict.fromkeys(one.quantity or one.slug for one in bad)),
        reason="" if asked else (record.reason or "" if record is not None else asking.trouble),
    )


def _cell(entry: Entry | None) -> Cell:
    if entry is None or not entry.verdict:
        return Cell(text="-", kind="skip")
    kinds: dict[str, Kind] = {"pass": "pass", "warn": "pass", "fail": "fail", "error": "error"}
    words = {"fail": "FAIL", "error": "ERROR", "warn": "pass"}
    if entry.known:
        return Cell(text=f"known {entry.verdict}", kind="warn")
    return Cell(text=words.get(entry.verdict, entry.verdict), kind=kinds[entry.verdict])
