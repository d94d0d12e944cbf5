"""A library over several of its versions: verdict, margin and time of every quantity, version by version."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES
from robodyn_check.regression.asking import ask_version
from robodyn_check.regression.bump import Standing, standing
from robodyn_check.regression.findings import plain_model
from robodyn_check.regression.page import Cell, Chart, Line, Page, Section, Table
from robodyn_check.report.words import listing, plural, short

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robodyn_check.regression.asking import Asking
    from robodyn_check.regression.page import Kind
    from robodyn_check.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendRow:
    """One quantity of one model: its standing with the truth in every version (verdict "": not judged)."""

    model: str
    quantity: str
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """All versions, oldest first. ``troubles``: why a version could not be asked, "" where it could."""

    library: str
    versions: tuple[str, ...]
    troubles: tuple[str, ...]
    seconds: tuple[float, ...]
    rows: tuple[TrendRow, ...]
    sentence: str
    exit_code: int
    schema_version: str = "1.0"


def trend(
    settings: Settings,
    library: str,
    versions: Sequence[str],
    *,
    progress: Callable[[str], None] | None = None,
) -> Trend:
    """Ask every version in turn; the exit code is 1 where the newest one that answers is wrong.

    Raises:
        ModelError: A model that cannot be read.
    """
    return trend_of(library, [ask_version(settings, library, version, progress=progress) for version in versions])


def trend_of(library: str, askings: Sequence[Asking]) -> Trend:
    """Return the trend of versions that were asked."""
    rows = []
    models = [] if not askings else [plain_model(model.model.path) for model in askings[0].report.models]
    for number, model in enumerate(models):
        for quantity in QUANTITIES:
            found = tuple(standing(one.report.models[number], one.spec, quantity) for one in askings)
            if any(one.verdict for one in found):
                rows.append(TrendRow(model=model, quantity=quantity, standings=found))
    wrong = [bool(one.findings()) for one in askings]
    return Trend(
        library=library,
        versions=tuple(one.version for one in askings),
        troubles=tuple(one.trouble for one in askings),
        seconds=tuple(_seconds(one) for one in askings),
        rows=tuple(rows),
        sentence=_sentence(library, askings, wrong),
        exit_code=_exit_code(askings, wrong),
    )


def trend_page(found: Trend) -> Page:
    """Return the page of a trend."""
    sections = []
    for model in dict.fromkeys(row.model for row in found.rows):
        rows = [row for row in found.rows if row.model == model]
        table = Table(
            header=("quantity", *found.versions),
            rows=tuple((Cell(text=row.quantity), *map(_cell, row.standings)) for row in rows),
        )
        chart = Chart(
            title=f"{model}: error / bound by version; the dashed line is the bound, above it is wrong",
            places=found.versions,
            lines=tuple(Line(name=row.quantity, values=tuple(one.margin for one in row.standings)) for row in rows),
            limit=1.0,
        )
        sections.append(Section(heading=model, tables=(table,), charts=(chart,)))
    troubles = [
        f"{version}: {trouble}" for version, trouble in zip(found.versions, found.troubles, strict=True) if trouble
    ]
    if troubles:
        sections.append(Section(heading="Not asked", lines=tuple(troubles)))
    times = tuple((Cell(text=v), Cell(text=f"{s:.3g}")) for v, s in zip(found.versions, found.seconds, strict=True))
    sections.append(
        Section(heading="Time in the library", tables=(Table(header=("version", "s, all questions"), rows=times),))
    )
    word, kind = {0: ("PASS", "pass"), 1: ("FAIL", "fail")}.get(found.exit_code, ("NOTHING CHECKED", "skip"))
    return Page(
        title=f"{found.library} {found.versions[0]} to {found.versions[-1]}" if found.versions else found.library,
        word=word,
        kind=kind,  # type: ignore[arg-type]
        sentence=found.sentence,
        sections=tuple(sections),
    )


def _cell(one: Standing) -> Cell:
    kinds: dict[str, Kind] = {"pass": "pass", "warn": "warn", "fail": "fail", "error": "error"}
    if not one.verdict:
        return Cell(text="-", kind="skip")
    word = {"fail": "FAIL", "error": "ERROR"}.get(one.verdict, one.verdict)
    return Cell(text=word if one.margin is None else f"{word} {short(one.margin)}", kind=kinds[one.verdict])


def _seconds(asking: Asking) -> float:
    return sum(one.seconds for model in asking.report.models for one in model.subjects if one.name == asking.spec)


def _sentence(library: str, askings: Sequence[Asking], wrong: Sequence[bool]) -> str:
    """Say where the library turned right or wrong."""
    asked = [(one, is_wrong) for one, is_wrong in zip(askings, wrong, strict=True) if not one.trouble]
    if not asked:
        return f"no version of {library} could be asked."
    turns = []
    for (before, was), (after, is_wrong) in itertools.pairwise(asked):
        if was != is_wrong:
            turns.append(f"{'wrong' if is_wrong else 'right'} from {after.version} on")
        elif is_wrong and before.findings() != after.findings():
            turns.append(f"wrong in other ways from {after.version} on")
    first = "wrong" if asked[0][1] else "right"
    story = f"{first} in {asked[0][0].version}" + (f", {', '.join(turns)}" if turns else " and in all later ones")
    newest, is_wrong = asked[-1]
    quantities = sorted({name.quantity or name.code for name in newest.findings()})
    now = f"; {newest.version} is wrong about {listing(quantities, most=3)}" if is_wrong else ""
    return f"{library}, {plural(len(asked), 'version')}: {story}{now}."


def _exit_code(askings: Sequence[Asking], wrong: Sequence[bool]) -> int:
    asked = [is_wrong for one, is_wrong in zip(askings, wrong, strict=True) if not one.trouble]
    return 5 if not asked else 1 if asked[-1] else 0
