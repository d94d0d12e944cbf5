"""GitHub Actions: annotations at the lines of the model file, and the job summary. Both keep GitHub's limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.grouping import groups
from robodyn_check.report.markdown import markdown
from robodyn_check.report.summary import headline, verdict_sentence
from robodyn_check.report.words import MODEL, element, error_words, one_line

if TYPE_CHECKING:
    from robodyn_check.report.grouping import Group
    from robodyn_check.report.results import ModelReport, Report, Result

#: GitHub shows this many annotations of each kind a step; one more line than that would be dropped silently.
ANNOTATIONS = 10
#: Bytes; a job summary may have 1 MiB a step.
SUMMARY_LIMIT = 1_000_000


def workflow_commands(report: Report) -> str:
    """Return workflow commands: at most 10, open failures first, the last one saying how many are left out."""
    lines = [
        _annotation(model, group, result)
        for model in report.models
        for group in groups(model)
        if group.verdict in {"fail", "error", "warn"}
        # findings about the file each have a place of their own; those of one cause share it
        for result in (group.results if group.subject == MODEL else group.results[:1])
    ]
    if len(lines) > ANNOTATIONS:
        more = len(lines) - ANNOTATIONS + 1
        text = f"{more} more findings; the job summary and the full report have them."
        lines = [*lines[: ANNOTATIONS - 1], f"::notice title=robodyn-check::{_data(text)}"]
    closing = f"robodyn-check: {headline(report)}: {one_line(verdict_sentence(report))}"
    # a line that starts with :: would be read as a command; this one starts with our name
    return "\n".join([*lines, closing]) + "\n"


def job_summary(report: Report) -> str:
    """Return the Markdown of the job summary, below its size limit."""
    return markdown(report, limit=SUMMARY_LIMIT)


def _annotation(model: ModelReport, group: Group, worst: Result) -> str:
    kind = "error" if group.verdict in {"fail", "error"} and not group.known else "warning"
    where = (group.cause.where if group.cause else None) or worst.where
    properties = {"file": where.file if where else model.model.path}
    if where and where.line is not None:
        properties["line"] = str(where.line)
    cause = "cause: " if group.cause is not None else ""
    properties["title"] = f"{group.word}: {group.subject}: {cause}{group.title}"
    sentences = [group.cause.text if group.cause else "", worst.message or "", _numbers(worst)]
    if group.cause and group.cause.advice:
        sentences.append(f"What to do: {group.cause.advice}")
    if worst.again:
        sentences.append(f"Again: {worst.again}")
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {written}::{_data(chr(10).join(one_line(s) for s in sentences if s))}"


def _numbers(worst: Result) -> str:
    error, where = error_words(worst), element(worst)
    return f"{worst.code} {where or worst.slug}: error {error}" if error else ""


def _data(text: str) -> str:
    """Escape the text of a workflow command as its protocol asks."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property of a workflow command."""
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")
