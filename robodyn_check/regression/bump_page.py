"""The page of a version bump: what changed by model and quantity, what the library holds, calls, packages, times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.regression.bump import BETTER, DOUBTFUL, WORSE
from robodyn_check.regression.findings import plain_model
from robodyn_check.regression.page import Cell, Page, Section, Table, cells
from robodyn_check.report.words import listing, plural, short

if TYPE_CHECKING:
    from robodyn_check.regression.bump import Bump, ModelBump, QuantityBump, Side, Standing
    from robodyn_check.regression.page import Kind
    from robodyn_check.regression.readbacks import HeldChange
    from robodyn_check.regression.values import Change


def bump_page(bump: Bump) -> Page:
    """Return the page of a bump."""
    statuses = {one.status for model in bump.models for one in model.quantities}
    word, kind = "SAFE", "pass"
    if not bump.complete:
        word, kind = "INCOMPLETE", "warn"
    elif statuses & WORSE:
        word, kind = "BROKEN", "fail"
    elif statuses & DOUBTFUL:
        word, kind = "CHANGED", "warn"
    elif not statuses - {"not answered"}:
        word, kind = "NOTHING COMPARED", "skip"
    elif statuses & BETTER:
        word = "BETTER"
    elif "wrong in both" in statuses:
        word, kind = "NO WORSE", "warn"
    versions = (_version(bump.old), _version(bump.new))
    return Page(
        title=f"{bump.library} {versions[0]} -> {versions[1]}",
        word=word,
        kind=kind,  # type: ignore[arg-type]
        sentence=bump.sentence,
        sections=(
            *(section for model in bump.models for section in _model(model, versions)),
            *_times(bump),
            *_calls(bump),
            _environments(bump),
        ),
        again=bump.again,
    )


def _version(side: Side) -> str:
    return side.version or side.spec.partition("==")[2] or side.spec


def _model(model: ModelBump, versions: tuple[str, str]) -> list[Section]:
    lines = [f"{plural(model.states, 'state')}, seed {model.seed}; {_totals(model)}"]
    lines += [
        f"{version} does not load the model: {obstacle}"
        for version, obstacle in zip(versions, model.obstacles, strict=True)
        if obstacle
    ]
    lines += [
        f"{one.quantity}: {one.status}; in {versions[1] if one.new.message else versions[0]}: {one.message}"
        for one in model.quantities
        if one.message and not any(model.obstacles) and one.status not in {"unchanged", "not answered"}
    ]
    header = ("quantity", "what happened", f"{versions[0]} against the truth", f"{versions[1]} against the truth",
              "same doubles", "apart, eps·S")  # fmt: skip
    rows = tuple(
        (
            Cell(text=one.quantity),
            Cell(text=one.status, kind=_kind(one)),
            _standing(one.old),
            _standing(one.new),
            Cell(text=_share(one.change)),
            Cell(text="" if one.change is None else short(one.change.units)),
        )
        for one in model.quantities
    )
    sections = [Section(heading=plain_model(model.path), lines=tuple(lines), tables=(Table(header=header, rows=rows),))]
    if model.held:
        sections.append(_held(model, versions))
    return sections


def _totals(model: ModelBump) -> str:
    names = [one.status for one in model.quantities]
    return ", ".join(f"{names.count(status)} {status}" for status in dict.fromkeys(names)) or "nothing was compared"


def _held(model: ModelBump, versions: tuple[str, str]) -> Section:
    """Return what the two versions hold differently; the lines say where the file has it."""
    files = plain_model(model.path)
    rows = tuple(
        cells(
            one.element,
            one.parameter,
            one.old,
            one.new,
            one.expected,
            "" if one.line is None else f"{files}:{one.line}",
        )
        for one in model.held
    )
    return Section(
        heading=f"{files}: held differently after loading",
        lines=_who(model.held, versions),
        tables=(Table(header=("where", "parameter", *versions, "the file says", "line"), rows=rows),),
    )


def _who(held: tuple[HeldChange, ...], versions: tuple[str, str]) -> tuple[str, ...]:
    """Say which version holds what the file says, where exactly one does."""
    told = []
    for version, other, side in ((*versions, "old"), (*reversed(versions), "new")):
        right = [
            one
            for one in held
            if one.expected and _alike(getattr(one, side), one.expected) and not _alike(one.old, one.new)
        ]
        if right:
            lines = sorted({one.line for one in right if one.line is not None})
            where = f" (line{'s' if len(lines) > 1 else ''} {listing(list(map(str, lines)), most=6)})" if lines else ""
            many = f"{len(right)} of {plural(len(held), 'parameter')}"
            told.append(f"{version} holds what the file says in {many}{where}, {other} does not")
    return tuple(told)


def _alike(text: str, expected: str) -> bool:
    try:
        one, two = float(text), float(expected)
    except ValueError:
        return text == expected
    return abs(one - two) <= 1e-5 * max(abs(one), abs(two)) + 1e-14


def _standing(one: Standing) -> Cell:
    if not one.verdict:
        return Cell(text="not judged", kind="skip")
    kinds: dict[str, Kind] = {"pass": "pass", "warn": "warn", "fail": "fail", "error": "error"}
    words = {"fail": "FAIL", "error": "ERROR"}.get(one.verdict, one.verdict)
    number = "" if one.margin is None else f" {short(one.margin)}"
    codes = f" {listing(one.findings, most=2)}" if one.findings else ""
    return Cell(text=f"{words}{number}{codes}", kind=kinds[one.verdict])


def _share(change: Change | None) -> str:
    if change is None:
        return ""
    if change.is_identical:
        return "all"
    return f"{100.0 * change.equal / change.entries:.3g} %"


def _kind(one: QuantityBump) -> Kind:
    if one.status in WORSE:
        return "fail"
    if one.status in DOUBTFUL | {"wrong in both"}:
        return "warn"
    return "pass" if one.status in BETTER else "skip" if one.status == "not answered" else ""


def _times(bump: Bump) -> list[Section]:
    rows = [
        cells(
            f"{one.quantity}, {plain_model(model.path)}" if len(bump.models) > 1 else one.quantity,
            f"{one.timing.old:.2f}",
            f"{one.timing.new:.2f}",
            f"{one.timing.ratio:.2f}",
        )
        for model in bump.models
        for one in model.quantities
        if one.timing is not None
    ]
    if not rows:
        return []
    text = "Time in the library for one state, asked in turn; the least of several rounds. A ratio near 1 is no change."
    header = ("quantity", f"{_version(bump.old)}, µs", f"{_version(bump.new)}, µs", "new / old")
    return [Section(heading="Times", lines=(text,), tables=(Table(header=header, rows=tuple(rows)),))]


def _calls(bump: Bump) -> list[Section]:
    if not bump.calls:
        return []
    header = ("call", "what happened", _version(bump.old), _version(bump.new))
    rows = tuple(
        (
            Cell(text=one.name),
            Cell(text=one.what, kind="warn" if one.old else ""),
            Cell(text=one.old or "-"),
            Cell(text=one.new or "-"),
        )
        for one in bump.calls
    )
    text = (
        "Names of the library that the adapter uses, as each version describes them; your own calls may need the same."
    )
    return [Section(heading="Calls", lines=(text,), tables=(Table(header=header, rows=rows),))]


def _environments(bump: Bump) -> Section:
    lines = [
        f"{_version(side)}: {side.environment or 'no environment'}" + "".join(f"; {note}" for note in side.notes)
        for side in (bump.old, bump.new)
    ]
    if not bump.packages:
        return Section(heading="Environments", lines=(*lines, "no package differs"))
    header = ("package", _version(bump.old), _version(bump.new))
    rows = tuple(cells(one.name, one.old or "-", one.new or "-") for one in bump.packages)
    return Section(heading="Environments", lines=tuple(lines), tables=(Table(header=header, rows=rows),))
