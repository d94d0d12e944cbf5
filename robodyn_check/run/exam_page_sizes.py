"""The part of the exam's page on changed numbers: how small a change is seen, and by which rule."""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING

from robodyn_check.run.exam_rules import RULES
from robodyn_check.run.exam_sizes import BOTH, BOUNDS, HELD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def size_lines(thresholds: Sequence[Threshold]) -> list[str]:
    """Return the lines of the page's head."""
    seen = [_size(one, BOUNDS) for one in thresholds if one.observable]
    if len(seen) < 2:
        return []
    hidden = len(thresholds) - len(seen)
    never = sum(one.observable and one.smallest[BOUNDS] is None for one in thresholds)
    kept = sum(one.kept_promise for one in thresholds)
    smaller = sum(0.0 < one.held < HELD for one in thresholds)
    return [
        (
            "- Changed numbers of a file, by the answers alone: smallest relative change seen, "
            f"median **{median(seen):.1g}**, p90 **{_p90(seen):.1g}** over the {len(seen)} numbers that have an effect "
            f"on the motion, {never} of them never seen; {hidden} more have provably none."
        ),
        (
            f"- With the readback every change of at least {HELD:.0e} of what the library holds (of the largest entry "
            f"of its kind in the body as merged) was seen for **{kept} of {len(thresholds)}** numbers; smaller ones, "
            f"which were not all seen, are counted apart: {smaller}."
        ),
    ]


def size_table(thresholds: Sequence[Threshold], alarms: Mapping[str, int]) -> list[str]:
    """Return the section with one row a rule.

    Args:
        thresholds: Of all numbers.
        alarms: Fixed tolerance -> robots on which it takes a right answer, rounded otherwise, for wrong.
    """
    observable = [one for one in thresholds if one.observable]
    if not observable:
        return []
    head = " | ".join(f"{size:.0e}" for size in COLUMNS)
    lines = [
        "## How small a change is seen",
        "",
        "Share of the observable numbers whose change of this relative size, or a smaller one, is seen; of a rule with",
        "false alarms it is worth nothing. They are counted on right answers that are rounded otherwise.",
        "",
        f"| rule | numbers | false alarms, robots | median | p90 | {head} |",
        "|---|---|---|---|---|" + "---|" * len(COLUMNS),
    ]
    for title, kinds in KINDS:
        of_kind = [one for one in observable if one.kind in kinds]
        if of_kind:
            lines.append(_row(f"bounds: {title}", BOUNDS, of_kind, "0"))
    lines += [_row(f"**{rule}, all**", rule, observable, "0") for rule in (BOUNDS, BOTH)]
    lines += [_row(f"{rule}, all", rule, observable, str(alarms.get(rule, 0))) for rule in RULES]
    return lines


def _row(title: str, rule: str, thresholds: Sequence[Threshold], alarms: str) -> str:
    """Return one row."""
    sizes = [_size(one, rule) for one in thresholds]
    shares = " | ".join(f"{sum(size <= column * 1.01 for size in sizes) / len(sizes):.0%}" for column in COLUMNS)
    return f"| {title} | {len(sizes)} | {alarms} | {median(sizes):.1g} | {_p90(sizes):.1g} | {shares} |"


def _size(one: Threshold, rule: str) -> float:
    """Return the smallest size seen; what was never seen counts as seen at size 1 at the earliest."""
    size = one.smallest[rule]
    return 1.0 if size is None else size


def _p90(sizes: Sequence[float]) -> float:
    return quantiles(sizes, n=10, method="inclusive")[-1] if len(sizes) > 1 else sizes[0]
