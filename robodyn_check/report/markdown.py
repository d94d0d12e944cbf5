"""Markdown for a comment on a pull request: the sentence, the table, the findings, as much as a comment may hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from robodyn_check.report.finding_text import facts
from robodyn_check.report.grouping import groups
from robodyn_check.report.matrix import columns, quantity_rows
from robodyn_check.report.opposition import opposition_blocks
from robodyn_check.report.summary import coverage_line, headline, libraries, repeat_line, summary_line, verdict_sentence
from robodyn_check.report.words import one_line, plural

if TYPE_CHECKING:
    from robodyn_check.report.grouping import Group
    from robodyn_check.report.results import ModelReport, Report, Result

#: Bytes; a GitHub comment may have 65 536 characters.
COMMENT_LIMIT = 60_000
#: What Markdown or GitHub would read as markup, a mention, a reference or HTML.
_SPECIAL = re.compile(r"([\\`*_\[\]#|~$>])")


def markdown(report: Report, *, limit: int = COMMENT_LIMIT) -> str:
    """Return the report as Markdown of at most ``limit`` bytes; what did not fit is counted at the end."""
    head = [f"### robodyn-check: {headline(report)}", "", escape(verdict_sentence(report)), ""]
    for model in report.models:
        head += _overview(model)
    tail = [f"{summary_line(report)} · robodyn-check {escape(report.tool.version)}", ""]
    blocks = [block for model in report.models for group in groups(model) for block in _group_blocks(model, group)]
    return _fit(head, blocks, tail, limit)


def escape(text: str) -> str:
    """Escape text of models and libraries: no markup, no HTML, no mention."""
    escaped = _SPECIAL.sub(r"\\\1", one_line(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace("@", "&#64;")


def code(text: str) -> str:
    """Show text literally, whatever backticks it has."""
    plain = one_line(text)
    longest = max((len(run) for run in re.findall(r"`+", plain)), default=0)
    fence = "`" * (longest + 1)
    space = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{space}{plain}{space}{fence}"


def _overview(model: ModelReport) -> list[str]:
    names, rows = columns(model), quantity_rows(model)
    lines = [f"**{code(model.model.path)}**", ""]
    for subject in libraries(model):
        again = repeat_line(subject)
        lines.append(f"- {escape(coverage_line(subject))}" + (f"; {escape(again)}" if again else ""))
    if names and rows:
        lines += ["", "| | " + " | ".join(escape(name) for name in names) + " |", "|---" * (len(names) + 1) + "|"]
        for row in rows:
            cells = ["" if cell is None else _cell(cell.word) for cell in row.cells]
            lines.append(f"| {escape(row.title)} | " + " | ".join(cells) + " |")
        lines += ["", "A number is error / bound: up to 1 is rounding, above 1 is wrong."]
    for claim, *proofs in opposition_blocks(model):
        lines += ["", f"**{escape(claim)}**", "", *(f"- {escape(proof)}" for proof in proofs)]
    return [*lines, ""]


def _cell(word: str) -> str:
    return f"**{word}**" if word.startswith(("FAIL", "ERROR")) else word


def _group_blocks(model: ModelReport, group: Group) -> list[str]:
    cause = "cause: " if group.cause is not None else ""
    heading = f"{group.word} · {escape(group.subject)} · {cause}{escape(group.title)}"
    if group.verdict == "skip":
        return [f"- {heading}: {plural(len(group.results), 'check')}\n"]
    lines = ["", f"#### {heading}", ""]
    if group.cause is not None:
        lines += [escape(group.cause.text), ""]
        lines += [f"- {escape(proof)}" for proof in group.cause.evidence]
        if group.cause.advice:
            lines += ["", f"**What to do:** {escape(group.cause.advice)}"]
        if group.cause.link:
            lines += ["", f"See {code(group.cause.link)}"]
    seed = model.states.seed if model.states else None
    first, *others = ["\n".join(_finding(result, seed)) for result in group.results]
    return ["\n".join(lines) + "\n" + first, *others]


def _finding(result: Result, seed: int | None) -> list[str]:
    about = f" {code(result.quantity)}" if result.quantity else ""
    lines = ["", f"**{result.code}**{about} ({escape(result.slug)}): {escape(result.message or '')}", ""]
    return lines + [f"- {escape(label)}: {code(text)}" for label, text in facts(result, seed=seed)]


def _fit(head: list[str], blocks: list[str], tail: list[str], limit: int) -> str:
    """Join blocks until the limit; the last lines always fit."""
    closing = "\n".join(["", *tail])
    text = "\n".join(head)
    note = "\n\n… and {} more findings; the full report has them.\n"
    room = limit - _size(closing) - _size(note) - 20
    if _size(text) > room:
        text = text.encode()[:room].decode(errors="ignore")
        return text + note.format(len(blocks)) + closing
    kept, used = [text], _size(text)
    for position, block in enumerate(blocks):
        used += _size(block) + 1
        if used > room:
            return "\n".join(kept) + note.format(len(blocks) - position) + closing
        kept.append(block)
    return "\n".join([*kept, closing])


def _size(text: str) -> int:
    return len(text.encode())
