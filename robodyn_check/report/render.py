"""One door to all formats: `render` turns a report into the text of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError

if TYPE_CHECKING:
    from robodyn_check.report.results import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format: the module of this package and its function ``Report -> str``, loaded on first use; its purpose."""

    module: str
    function: str
    purpose: str


FORMATS: dict[str, Format] = {
    "terminal": Format(module="terminal", function="terminal", purpose="for people, 80 columns, failures last"),
    "json": Format(module="json_format", function="to_json", purpose="the whole report; every verb reads it back"),
    "junit": Format(module="junit", function="junit", purpose="test results for CI servers"),
    "markdown": Format(module="markdown", function="markdown", purpose="a comment on a pull request"),
    "github": Format(
        module="github", function="workflow_commands", purpose="annotations of a GitHub workflow, at most 10"
    ),
    "github-summary": Format(
        module="github", function="job_summary", purpose="job summary of a GitHub workflow, for $GITHUB_STEP_SUMMARY"
    ),
    "sarif": Format(module="sarif", function="sarif", purpose="code scanning: rules with help, file and line"),
    "badge": Format(module="badge", function="badge", purpose="an endpoint badge of shields.io"),
    "html": Format(module="html", function="html", purpose="one page for people: verdict, evidence, pictures, robot"),
}


def render(
    report: Report,
    format: str,  # noqa: A002 - the word that users type
    *,
    width: int = 80,
    color: bool = False,
    ascii_only: bool = False,
) -> str:
    """Return a report as text in one of `FORMATS`; nothing else is read, no file, no clock.

    Args:
        report: The report.
        format: A key of `FORMATS`.
        width: Columns of the terminal; it and the next two are for the format ``terminal`` alone.
        color: Add ANSI colour; the words are the same without.
        ascii_only: The terminal cannot show more than ASCII.

    Raises:
        UsageError: No such format; the message lists those that exist.
    """
    if format not in FORMATS:
        raise UsageError(f"there is no format {format!r}. Formats: {', '.join(FORMATS)}.")
    if format == "terminal":
        from robodyn_check.report.terminal import terminal  # noqa: PLC0415 - each format loads on first use

        return terminal(report, width=width, color=color, ascii_only=ascii_only)
    entry = FORMATS[format]
    text = getattr(import_module(f"robodyn_check.report.{entry.module}"), entry.function)(report)
    assert isinstance(text, str)
    return text
