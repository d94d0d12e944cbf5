"""The exam's page: what was planted, found, named and missed, how small a change is seen. Markdown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from robodyn_check.run.exam_page_naming import naming_lines, naming_table
from robodyn_check.run.exam_page_sizes import size_lines, size_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.run.exam import Exam
    from robodyn_check.run.exam_marks import Mark


def exam_page(exam: Exam, command: str, *, version: str) -> str:
    """Return the page.

    Args:
        exam: The outcome.
        command: The command line that repeats it.
        version: Of robodyn-check, and so of its bounds.
    """
    counted = Counter(mark.outcome for mark in exam.marks)
    planted = counted["found"] + counted["missed"]
    models = len({mark.model for mark in exam.marks} | {one.model for one in exam.thresholds})
    lines = [
        "# The exam",
        "",
        f"`{command}` (robodyn-check {version}, whose bounds these are) planted known faults into {models} robots and",
        "asked the checks, then the diagnosis.",
        "",
        (
            f"- Faults in a library, and whole faults in its file: **{counted['found']} of {planted} found**; "
            f"{counted['not observable']} more change no value by more than rounding, which is proven, and are counted "
            f"apart; {counted['not applicable']} have nothing to sit on in that robot."
        ),
        f"- False alarms on the {exam.twins} twins without a fault: **{len(exam.false_alarms)}**.",
        *naming_lines(exam),
        *size_lines(exam.thresholds),
        "",
        *_missed_lines(exam),
        *naming_table(exam),
        "## Faults by name",
        "",
        "| fault | cause to be named | found | named | placed | missed | not observable | first seen on |",
        "|---|---|---|---|---|---|---|---|",
        *_fault_rows(exam.marks),
        "",
        *size_table(exam.thresholds, exam.rule_alarms),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _missed_lines(exam: Exam) -> list[str]:
    missed = [mark for mark in exam.marks if mark.outcome == "missed" or not mark.on_expected]
    lines = [f"- missed: {mark.fault} on {mark.model} ({mark.element or 'whole robot'})" for mark in missed]
    lines += [f"- ended by an error of robodyn-check: {text}" for text in exam.broken]
    lines += [f"- false alarm: {text}" for text in exam.false_alarms]
    lines += [
        f"- not in the readback: {one.kind} of {one.element} on {one.model}, a change of {one.held:.1g} of what is held"
        for one in exam.thresholds
        if not one.kept_promise
    ]
    return ["## What went wrong", "", *lines, ""] if lines else []


def _fault_rows(marks: Iterable[Mark]) -> list[str]:
    by_fault: dict[str, list[Mark]] = {}
    for mark in marks:
        by_fault.setdefault(mark.fault, []).append(mark)
    rows = []
    for fault, same in by_fault.items():
        outcomes = Counter(mark.outcome for mark in same)
        first = Counter(mark.quantities[0] for mark in same if mark.quantities)
        seen = ", ".join(name for name, _ in first.most_common(2)) or "-"
        named, placed = (
            sum(getattr(mark.naming, kind) == "right" for mark in same if mark.naming) for kind in ("name", "place")
        )
        rows.append(
            f"| {fault} | {same[0].cause} | {outcomes['found']} | {named} | {placed} | {outcomes['missed']} | "
            f"{outcomes['not observable']} | {seen} |"
        )
    return rows
