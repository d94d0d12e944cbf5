"""The report for people at a terminal: 80 columns, the same words with and without colour, failures last.

Order: what was checked, who answered, the table of verdicts, how far the truth is proven, skips, warnings, known
failures, errors, fails, and the summary line. No rich here: the text must be the same on every terminal and in a log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.quantities import not_offered
from robodyn_check.report.certificate import certificate_sentence
from robodyn_check.report.finding_text import finding_lines, group_heading
from robodyn_check.report.grouping import groups
from robodyn_check.report.layout import paint, table, to_ascii, wrap
from robodyn_check.report.matrix import columns, pair_lines, quantity_rows
from robodyn_check.report.opposition import opposition_blocks
from robodyn_check.report.summary import (
    coverage_line,
    headline,
    libraries,
    repeat_line,
    summary_line,
    verdict_sentence,
)
from robodyn_check.report.words import MODEL_SUBJECTS, clean, one_line, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.report.grouping import Group
    from robodyn_check.report.results import ModelReport, Report, SubjectRecord

#: The headline's word -> the colour it is painted in.
_HEADLINE_COLORS = {"PASS": "pass", "FAIL": "FAIL", "ERROR": "ERROR", "WARN": "warn"}


def terminal(report: Report, *, width: int = 80, color: bool = False, ascii_only: bool = False) -> str:
    """Return the report as text.

    Args:
        report: The report.
        width: Columns to fill; commands and paths may be longer, so that they can be copied.
        color: Add ANSI colour.
        ascii_only: Spell everything in ASCII.
    """
    lines = wrap(
        f"robodyn-check {report.tool.version} (Python {report.tool.python}, NumPy {report.tool.numpy}, "
        f"{one_line(report.tool.platform)})",
        width,
        rest="  ",
    )
    for model in report.models:
        lines += ["", *_model_lines(model, width, color=color)]
    word = headline(report)
    sentence = verdict_sentence(report)
    first, *more = wrap(f"{word}: {sentence}", width, rest=" " * (len(word) + 2))
    lines += ["", paint(word, _HEADLINE_COLORS.get(word, "bold"), color=color) + first[len(word) :], *more]
    if not report.complete:
        lines += wrap("The run ended early; what was done until then is above.", width)
    lines.append(f"{summary_line(report)} (exit code {report.exit_code})")
    text = "\n".join(lines) + "\n"
    return to_ascii(text) if ascii_only else text


def _model_lines(model: ModelReport, width: int, *, color: bool) -> list[str]:
    def say(kind: str, text: str) -> str:
        return paint(text, kind, color=color)

    record, states = model.model, model.states
    lines = [say("bold", one_line(record.path))]
    what = f"{record.format.upper()}, {plural(len(record.joints), 'moving joint')}, nq {record.nq}, nv {record.nv}"
    if states is not None:
        gravity = ", ".join(f"{component:g}" for component in states.gravity)
        what += f"; {states.base} base, gravity ({gravity}) m/s²; {plural(states.count, 'state')}, seed {states.seed}"
    lines += wrap(what, width, first="  ")
    for subject in libraries(model):
        lines += wrap(one_line(coverage_line(subject)), width, first="  ", rest="    ")
        lines += wrap(one_line(repeat_line(subject) or ""), width, first="    ", rest="      ")
        lines += _notes(subject, width)
    for subject in model.subjects:
        if subject.name in MODEL_SUBJECTS and subject.notes:
            lines += [f"  {one_line(subject.name)}", *_notes(subject, width)]
    lines += _table_lines(model, width, say)
    if columns(model):
        lines += ["", *wrap(certificate_sentence(model.certificate), width, first="  ")]
    lines += [line for pair in pair_lines(model) for line in wrap(one_line(pair), width, first="  ", rest="    ")]
    for claim, *proofs in opposition_blocks(model):
        first, *more = wrap(claim, width, first="  ", rest="    ")
        lines += ["", say("FAIL", first), *more]
        lines += [line for proof in proofs for line in wrap(proof, width, first="    - ", rest="      ")]
    found = groups(model)
    lines += _skip_lines([group for group in found if group.verdict == "skip"], width)
    for group in reversed([group for group in found if group.verdict != "skip"]):
        lines += _group_lines(model, group, width, say)
    return lines


def _notes(subject: SubjectRecord, width: int) -> list[str]:
    return [x for note in subject.notes for x in wrap(f"note: {one_line(note)}", width, first="    ", rest="      ")]


def _table_lines(model: ModelReport, width: int, say: Callable[[str, str], str]) -> list[str]:
    names, rows = columns(model), quantity_rows(model)
    if not names or not rows:
        return []
    body = [[row.title, *("-" if cell is None else cell.word for cell in row.cells)] for row in rows]
    legend = "A number is error / bound: up to 1 is rounding, above 1 is wrong. A dash: not offered or not checked."
    if any(cell is not None and cell.known for row in rows for cell in row.cells):
        legend += " Known: already recorded, does not change the exit code."
    laid_out = table(["", *map(one_line, names)], body, width=width)
    painted = [line.replace("FAIL", say("FAIL", "FAIL")).replace("ERROR", say("ERROR", "ERROR")) for line in laid_out]
    return ["", *painted, *wrap(legend, width, first="  ")]


def _skip_lines(found: list[Group], width: int) -> list[str]:
    """Say what was not checked and why: first what a library does not offer, then every other reason once."""
    missing: dict[str, list[str]] = {}
    reasons: dict[str, list[Group]] = {}
    for group in found:
        quantities = [result.quantity for result in group.results if result.quantity]
        absent = next((name for name in quantities if group.title == not_offered(group.subject, name)), None)
        if absent is not None:
            missing.setdefault(group.subject, []).append(absent)
        else:
            reasons.setdefault(group.title, []).append(group)
    texts = [one_line(f"{subject} does not offer {', '.join(names)}") for subject, names in missing.items()]
    for reason, same in reasons.items():
        who = ", ".join(dict.fromkeys(one_line(group.subject) for group in same))
        count = sum(len(group.results) for group in same)
        texts.append(f"{one_line(reason)} ({who}; {plural(count, 'check')})")
    lines = [line for text in texts for line in wrap(text, width, first="    - ", rest="      ")]
    return ["", "  Not checked (skip):", *lines] if lines else []


def _group_lines(model: ModelReport, group: Group, width: int, say: Callable[[str, str], str]) -> list[str]:
    word, heading = group.word, group_heading(group)
    first, *more = wrap(f"{word}  {heading}", width, rest="  ")
    lines = ["", say("known" if group.known else word, word) + first[len(word) :], *more]
    if group.cause is not None:
        cause = group.cause
        lines += wrap(one_line(cause.text), width, first="  ")
        for proof in cause.evidence:
            lines += wrap(f"evidence: {one_line(proof)}", width, first="  ", rest="    ")
        if cause.where is not None:
            place = cause.where.file if cause.where.line is None else f"{cause.where.file}:{cause.where.line}"
            lines.append(f"  at: {clean(place)}")
        if cause.advice:
            lines += wrap(f"what to do: {one_line(cause.advice)}", width, first="  ", rest="    ")
        if cause.link:
            lines.append(f"  see: {one_line(cause.link)}")
    seed = model.states.seed if model.states else None
    for result in group.results:
        lines += finding_lines(result, width, seed=seed, told=group.title)
    if group.verdict == "error":
        lines += _last_words(model, group, width)
    return lines


def _last_words(model: ModelReport, group: Group, width: int) -> list[str]:
    tail = next((s.stderr_tail for s in model.subjects if s.name == group.subject), None)
    if not tail or not tail.strip():
        return []
    words = [clean(line) for line in tail.strip().splitlines()[-3:]]
    return [
        f"  last words of {clean(group.subject)}:",
        *(line for w in words for line in wrap(w, width, first="    | ")),
    ]
