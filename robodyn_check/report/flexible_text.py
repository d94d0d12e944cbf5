"""The page of ``flex`` at a terminal: joints, frequencies by pose, then the ordinary report of verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.layout import table, to_ascii, wrap
from robodyn_check.report.terminal import terminal
from robodyn_check.report.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.report.flexible_results import BeamReport, FlexibleReport


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


def beam_text(found: BeamReport, *, width: int = 80, color: bool = False, ascii_only: bool = False) -> str:
    """Return the page of a beam; arguments as of `report.terminal.terminal`."""
    lines = [f"Elastic link {one_line(found.model)}"]
    lines += wrap(", ".join(f"{name} {value:g}" for name, value in found.beam.items()), width, first="  ", rest="  ")
    for modes in found.modes:
        head = (f"{modes.end}, rad/s", *(f"mode {k}" for k in range(1, len(modes.exact) + 1)))
        body = [(f"{n} shape functions", *(f"{value:.9g}" for value in row)) for n, row in modes.assumed]
        lines += ["", *table(head, [*body, ("exact", *(f"{value:.9g}" for value in modes.exact))], width=width)]
    rows = [(f"{n}", f"{monomial:.2g}", f"{orthogonal:.2g}") for n, monomial, orthogonal in found.conditions]
    lines += ["", *table(("shape functions", "cond, polynomials", "cond, orthogonal"), rows, width=width)]
    segments = [f"{n} segments" for n, _ in found.chains[0][1]] if found.chains else []
    body = [(one_line(name), *(f"{omega:.7g}" for _, omega in row)) for name, row in found.chains]
    lines += ["", *table(("clamped chain without tip mass, rad/s", *segments), body, width=width)] if body else []
    text = "\n".join(lines) + "\n\n"
    page = to_ascii(text) if ascii_only else text
    return page + terminal(found.report, width=width, color=color, ascii_only=ascii_only)


def _short(value: float | None) -> str:
    return "unstable" if value is None else f"{value:.5g}"


def _numbers(values: Iterable[float], digits: int) -> str:
    return ", ".join(f"{value:.{digits}g}" for value in values)
