"""The exam's page: what was planted, what was found, what was missed, how small a change is seen. Markdown."""

from __future__ import annotations

from collections import Counter
from statistics import median, quantiles
from typing import TYPE_CHECKING

from robodyn_check.run.exam_sizes import BOUNDS, RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from robodyn_check.run.exam import Exam, Mark
    from robodyn_check.run.exam_sizes import Threshold

#: Cells of the table of sizes: share of numbers whose change of at most this relative size is seen.
COLUMNS = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4)
#: Families of numbers that mean the same to a reader.
KINDS = (
    ("mass", ("mass",)),
    ("centre of mass", ("com",)),
    ("inertia entries", ("inertia-diagonal", "inertia-product")),
    ("inertial rotation", ("inertial-rpy",)),
    ("joint origin", ("joint-xyz",)),
    ("joint rotation", ("joint-rpy",)),
    ("joint axis", ("axis",)),
)


def exam_page(exam: Exam, command: str) -> str:
    """Return the page.

    Args:
        exam: The outcome.
        command: The command line that repeats it.
    """
    counted = Counter(mark.outcome for mark in exam.marks)
    planted = counted["found"] + counted["missed"]
    models = len({mark.model for mark in exam.marks} | {one.model for one in exam.thresholds})
    lines = [
        "# The exam",
        "",
        f"`{command}` planted known faults into {models} robots and asked the checks.",
        "",
        (
            f"- Faults in a library, and whole faults in its file: **{counted['found']} of {planted} found**; "
            f"{counted['not observable']} more change nothing that moves, which is proven and counted apart; "
            f"{counted['not applicable']} have nothing to sit on in that robot."
        ),
        f"- False alarms on the {exam.twins} unfaulted twins: **{len(exam.false_alarms)}**.",
        *_threshold_lines(exam.thresholds),
        "",
        *_missed_lines(exam),
        "## Faults by name",
        "",
        "| fault | cause to be named | found | missed | not observable | first seen on |",
        "|---|---|---|---|---|---|",
        *_fault_rows(exam.marks),
        "",
        *_size_table(exam.thresholds),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _missed_lines(exam: Exam) -> list[str]:
    missed = [mark for mark in exam.marks if mark.outcome == "missed" or not mark.on_expected]
    lines = [f"- missed: {mark.fault} on {mark.model} ({mark.element or 'whole robot'})" for mark in missed]
    lines += [f"- false alarm: {text}" for text in exam.false_alarms]
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
        rows.append(
            f"| {fault} | {same[0].cause} | {outcomes['found']} | {outcomes['missed']} | "
            f"{outcomes['not observable']} | {seen} |"
        )
    return rows


def _threshold_lines(thresholds: Sequence[Threshold]) -> list[str]:
    found = sorted(size for one in thresholds if (size := one.smallest[BOUNDS]) is not None)
    if len(found) < 2:
        return []
    hidden = sum(not one.observable for one in thresholds)
    unseen = sum(one.observable and one.smallest[BOUNDS] is None for one in thresholds)
    p90 = quantiles(found, n=10, method="inclusive")[-1]
    return [
        (
            "- Changed numbers of a file, by numbers alone: smallest relative change seen, "
            f"median **{median(found):.1g}**, p90 **{p90:.1g}** over {len(found)} numbers; {unseen} never seen, "
            f"{hidden} provably without effect."
        ),
    ]


def _size_table(thresholds: Sequence[Threshold]) -> list[str]:
    observable = [one for one in thresholds if one.observable]
    if not observable:
        return []
    head = " | ".join(f"{size:.0e}" for size in COLUMNS)
    lines = [
        "## How small a change is seen",
        "",
        "Share of the observable numbers whose change of this relative size, or a smaller one, is seen.",
        "",
        f"| rule | numbers | median | {head} |",
        "|---|---|---|" + "---|" * len(COLUMNS),
    ]
    for title, kinds in KINDS:
        of_kind = [one for one in observable if one.kind in kinds]
        if of_kind:
            lines.append(_size_row(f"bounds: {title}", BOUNDS, of_kind))
    lines += [_size_row(f"**{rule}, all**", rule, observable) for rule in (BOUNDS, *RULES)]
    return lines


def _size_row(title: str, rule: str, thresholds: Sequence[Threshold]) -> str:
    sizes = [one.smallest[rule] for one in thresholds]
    seen = sorted(size for size in sizes if size is not None)
    middle = f"{median(seen):.1g}" if seen else "-"
    shares = " | ".join(
        f"{sum(size is not None and size <= column * 1.01 for size in sizes) / len(sizes):.0%}" for column in COLUMNS
    )
    return f"| {title} | {len(sizes)} | {middle} | {shares} |"
