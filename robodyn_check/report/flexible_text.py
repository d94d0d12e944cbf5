"""The page of ``flex`` at a terminal: joints, frequencies by pose, then the ordinary report of verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.layout import table, to_ascii, wrap
from robodyn_check.report.terminal import terminal
from robodyn_check.report.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.report.flexible_results import FlexibleReport


def flexible_text(flexible: FlexibleReport, *, width: int = 80, color: bool = False, ascii_only: bool = False) -> str:
    """Return the whole page; arguments as of `report.terminal.terminal`."""
    lines = [f"Elastic joints of {one_line(flexible.model)}"]
    for note in flexible.notes:
        lines += wrap(one_line(note), width, first="  ", rest="    ")
    lines.append("")
    rows = [
        (
            one_line(drive.joint),
            f"{drive.stiffness:g}",
            f"{drive.damping:g}",
            f"{drive.motor_inertia:g}",
            f"{drive.relative_degree_motor}, {drive.relative_degree_link}",
        )
        for drive in flexible.drives
    ]
    lines += table(("joint", "K N m/rad", "D N m s/rad", "J kg m²", "degree θ, q"), rows, width=width)
    for pose in flexible.poses:
        lines += (
            ["", f"Pose {pose.name}: q = {_numbers(pose.q, 4)}"] if len(pose.q) <= 10 else ["", f"Pose {pose.name}"]
        )
        head = ("rad/s", *(f"{k}" for k in range(1, len(pose.elastic) + 1)))
        body = [
            ("free, no gravity", *map(_short, pose.elastic)),
            ("free", *map(_short, pose.elastic_with_gravity)),
            ("motors locked", *map(_short, pose.locked)),
        ]
        lines += table(head, body, width=width)
        fallen = sum(value < 0 for value in pose.slow)
        if fallen:
            lines += wrap(f"gravity makes {fallen} of {len(pose.slow)} slow motions unstable here", width, first="  ")
        if any(ratio > 0 for ratio in pose.damping_ratios):
            lines += wrap(f"damping ratios: {_numbers(pose.damping_ratios, 2)}", width, first="  ", rest="    ")
    text = "\n".join(lines) + "\n\n"
    page = to_ascii(text) if ascii_only else text
    return page + terminal(flexible.report, width=width, color=color, ascii_only=ascii_only)


def _short(value: float | None) -> str:
    return "unstable" if value is None else f"{value:.5g}"


def _numbers(values: Iterable[float], digits: int) -> str:
    return ", ".join(f"{value:.{digits}g}" for value in values)
