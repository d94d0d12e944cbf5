"""The verdict about one adapter, on one page of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.conform.trials import model_title
from robodyn_check.report.grouping import groups
from robodyn_check.report.layout import table, wrap
from robodyn_check.report.words import one_line, plural

if TYPE_CHECKING:
    from robodyn_check.conform.claim import Finding
    from robodyn_check.conform.run import Conformance
    from robodyn_check.report.results import ModelReport, Report

#: Findings told on the page; the report has all.
MOST_FINDINGS = 8
VERDICTS = ("pass", "warn", "fail", "error", "skip", "known")


def verdict_page(found: Conformance, *, width: int = 80) -> str:
    """Return the page, ending with a line break and the verdict as its last line."""
    lines = [f"robodyn-check conform: {_who(found)}", "", *_protocol_lines(found.protocol, width)]
    if found.report is not None:
        lines += ["", *_model_lines(found.report, found.subject, width)]
        lines += _finding_lines(found.report, found.subject, width)
    elif not found.speaks:
        lines += ["", "Its numbers were not looked at: without a greeting nothing can be asked."]
    return "\n".join([*lines, "", *wrap(_verdict(found), width)]) + "\n"


def _who(found: Conformance) -> str:
    records = [] if found.report is None else [s for model in found.report.models for s in model.subjects]
    own = [record for record in records if record.name == found.subject and record.version]
    return one_line(f"{found.subject} {own[0].version}" if own else found.subject)


def _protocol_lines(findings: tuple[Finding, ...], width: int) -> list[str]:
    held = sum(finding.verdict == "pass" for finding in findings)
    asked = sum(finding.verdict != "skip" for finding in findings)
    skipped = f", {len(findings) - asked} skipped" if asked < len(findings) else ""
    lines = [f"Protocol: {held} of {asked} claims hold{skipped}"]
    for finding in findings:
        if finding.verdict == "fail":
            lines += wrap(f"FAIL  {finding.slug}: {finding.title}", width, first="  ", rest="        ")
            lines += [x for line in finding.message.splitlines() for x in wrap(line, width, first="        ")]
    for finding in findings:
        if finding.verdict == "skip" and held:
            lines += wrap(f"skip  {finding.slug}: {one_line(finding.message)}", width, first="  ", rest="        ")
    return lines


def _model_lines(report: Report, subject: str, width: int) -> list[str]:
    states = {model.states.count for model in report.models if model.states is not None}
    seeds = {model.states.seed for model in report.models if model.states is not None}
    drawn = f"up to {max(states, default=0)} states each, seed {min(seeds, default=0)}"
    what = f"{plural(len(report.models), 'model')}, {drawn}"
    rows = [_row(model, subject) for model in report.models]
    reasons = dict.fromkeys(reason for model in report.models if (reason := _reason(model, subject)))
    lines = [f"Dynamics: {what}", *table(["model", *VERDICTS], rows, width=width)]
    return [*lines, *(x for reason in reasons for x in wrap(f"not checked: {reason}", width, first="  ", rest="    "))]


def _row(model: ModelReport, subject: str) -> list[str]:
    """Count the verdicts of one model; what is known stands in its own column alone."""
    own = [result for result in model.results if result.subject == subject]
    counted = dict.fromkeys(VERDICTS, 0)
    for result in own:
        counted["known" if result.known else result.verdict] += 1
    return [model_title(model.model.path), *(str(counted[verdict] or "-") for verdict in VERDICTS)]


def _reason(model: ModelReport, subject: str) -> str:
    """Say why a model was skipped as a whole."""
    skipped = (record for record in model.subjects if record.name == subject and record.status == "skip")
    return one_line(next((record.reason or "" for record in skipped), ""))


def _finding_lines(report: Report, subject: str, width: int) -> list[str]:
    """Tell every finding once, with the models it appears on."""
    told: dict[tuple[str, str], tuple[list[str], str, set[str]]] = {}
    for model in report.models:
        for group in groups(model):
            if group.subject == subject and group.verdict in {"fail", "error"}:
                first = group.results[0]
                key = (group.word, group.title)
                where, _, codes = told.setdefault(key, ([], first.message or first.slug, set()))
                where.append(model_title(model.model.path))
                codes.update(result.code for result in group.results)
    lines: list[str] = []
    for (word, title), (where, message, codes) in list(told.items())[:MOST_FINDINGS]:
        more = f" and {len(where) - 3} more" if len(where) > 3 else ""
        lines += [
            "",
            *wrap(one_line(f"{word}  {title}: {', '.join(where[:3])}{more}"), width, first="  ", rest="        "),
        ]
        shown = [*sorted(codes)[:8], *(["…"] if len(codes) > 8 else [])]
        lines += wrap(f"{', '.join(shown)}", width, first="        ")
        if message != title:
            lines += wrap(one_line(message), width, first="        ")
    if len(told) > MOST_FINDINGS:
        lines += ["", f"  and {len(told) - MOST_FINDINGS} more findings; --report FILE writes them all"]
    return lines


def _verdict(found: Conformance) -> str:
    """Return the closing sentence."""
    broken, report = found.broken, found.report
    name = found.subject
    if broken:
        tail = "" if report is None else f" Its numbers: {_numbers(report, name)}."
        return f"DOES NOT CONFORM: {name} breaks the protocol in {plural(len(broken), 'place')}.{tail}"
    if report is None:
        return f"SPEAKS THE PROTOCOL: {name}; its numbers were not looked at."
    if report.exit_code == 0:
        return f"CONFORMS: {name} speaks the protocol and is right: {_numbers(report, name)}."
    if report.exit_code == 5:
        return f"NOTHING CHECKED: {name} speaks the protocol, but took none of the models. Name one that it takes."
    word = "INCOMPLETE" if not report.complete else "DOES NOT CONFORM"
    return f"{word}: {name} speaks the protocol, but: {_numbers(report, name)}."


def _numbers(report: Report, subject: str) -> str:
    own = [result for model in report.models for result in model.results if result.subject == subject]
    wrong = sum(result.verdict in {"fail", "error"} and result.known is None for result in own)
    known = sum(result.known is not None for result in own)
    passed = sum(result.verdict == "pass" for result in own)
    tail = f", {known} known" if known else ""
    return f"{plural(passed, 'check')} passed, {wrong} failed{tail}"
