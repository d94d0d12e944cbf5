"""The Bode picture of elastic joints as SVG: one column a joint, magnitude above, phase below, motor and link.

One file, no script, no font; it reads in print, and each curve has its sentence for a screen reader. Axes are labelled
with powers of ten and multiples of 90°.
"""

from __future__ import annotations

from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from robodyn_check.report.words import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.flexible_results import CurveRecord

#: Size of one plot, its margins, and the gap below the magnitude, SVG units.
_WIDTH, _MAGNITUDE, _PHASE = 300, 170, 120
_LEFT, _TOP, _RIGHT, _GAP, _BOTTOM = 46, 44, 14, 16, 34
_COLUMNS = 4
_COLORS = {"motor": "#0b62a4", "link": "#b3480b"}
_DASHES = {"motor": "", "link": ' stroke-dasharray="6 3"'}
_NAMES = {"motor": "motor angle / motor torque", "link": "link angle / motor torque"}
#: Degrees between two lines of the phase; the axis shows at least this range.
_QUARTER, _LOWEST, _HIGHEST = 90, -360, 0


def bode_svg(curves: Sequence[CurveRecord], *, title: str) -> str:
    """Draw curves, those of one joint in one column.

    Args:
        curves: Frequency responses of one pose.
        title: A line above all.
    """
    joints = list(dict.fromkeys(curve.joint for curve in curves))
    across = min(_COLUMNS, max(1, len(joints)))
    down = ceil(len(joints) / across)
    cell_width = _LEFT + _WIDTH + _RIGHT
    cell_height = _TOP + _MAGNITUDE + _GAP + _PHASE + _BOTTOM
    width, height = across * cell_width, down * cell_height + 56
    low = floor(log10(min(curve.frequency[0] for curve in curves)))
    high = ceil(log10(max(curve.frequency[-1] for curve in curves)))
    lines = [
        _opening(width, height),
        f"<title>{escape(one_line(title))}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" fill="#111" font-size="14">{escape(one_line(title))}</text>',
        *_legend(),
    ]
    for number, joint in enumerate(joints):
        x, y = number % across * cell_width, 46 + number // across * cell_height
        own = [curve for curve in curves if curve.joint == joint]
        lines += [f'<g transform="translate({x},{y})">', *_column(joint, own, low, high), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _opening(width: int, height: int) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'font-family="sans-serif" font-size="11" fill="none" role="img"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>'


def _legend() -> list[str]:
    lines = []
    for k, (output, color) in enumerate(_COLORS.items()):
        x = _LEFT + k * 230
        lines.append(f'<path d="M{x} 38h28" stroke="{color}" stroke-width="2"{_DASHES[output]}/>')
        lines.append(f'<text x="{x + 34}" y="42" fill="#111">{_NAMES[output]}</text>')
    return lines


def _column(joint: str, curves: Sequence[CurveRecord], low: int, high: int) -> list[str]:
    """Draw magnitude and phase of one joint."""
    sizes = [log10(m) for curve in curves for m in curve.magnitude if m > 0 and isfinite(m)]
    bottom, top = floor(min(sizes)), ceil(max(sizes))
    phases = [phase for curve in curves for phase in curve.phase]
    foot = min(_LOWEST, _QUARTER * floor(min(phases) / _QUARTER + 1e-6))
    head = max(_HIGHEST, _QUARTER * ceil(max(phases) / _QUARTER - 1e-6))
    under = _TOP + _MAGNITUDE + _GAP
    lines = [f'<text x="{_LEFT}" y="{_TOP - 8}" fill="#111" font-size="12">{escape(one_line(joint))}</text>']
    lines += _frame(_TOP, _MAGNITUDE, low, high, [(_at(v, bottom, top), f"1e{v}") for v in _ticks(bottom, top)])
    steps = range(foot, head + 1, _QUARTER)
    lines += _frame(under, _PHASE, low, high, [(_at(v, foot, head), f"{v}°") for v in steps], labelled=True)
    for curve in curves:
        style = f'stroke="{_COLORS[curve.output]}" stroke-width="1.4" stroke-linejoin="round"{_DASHES[curve.output]}'
        name = f"{one_line(curve.joint)}, {_NAMES[curve.output]}"
        up = [_at(log10(m), bottom, top) if m > 0 else 0.0 for m in curve.magnitude]
        turned = [_at(phase, foot, head) for phase in curve.phase]
        for shares, begin, size, what in ((up, _TOP, _MAGNITUDE, "magnitude"), (turned, under, _PHASE, "phase")):
            points = _path(curve.frequency, shares, begin, size, low, high)
            lines.append(f'<path d="{points}" {style}><title>{escape(name)}, {what}</title></path>')
    return lines


def _frame(
    y: int, size: int, low: int, high: int, rows: Sequence[tuple[float, str]], *, labelled: bool = False
) -> list[str]:
    """Draw the box, its grid and its labels; frequencies are labelled under the lower box."""
    lines = [f'<rect x="{_LEFT}" y="{y}" width="{_WIDTH}" height="{size}" stroke="#888"/>']
    for share, text in rows:
        at = _number(y + size * (1.0 - share))
        lines.append(f'<path d="M{_LEFT} {at}h{_WIDTH}" stroke="#ddd"/>')
        lines.append(f'<text x="{_LEFT - 4}" y="{at}" dy="4" text-anchor="end" fill="#444">{text}</text>')
    for decade in range(low, high + 1):
        x = _number(_LEFT + _WIDTH * _at(decade, low, high))
        lines.append(f'<path d="M{x} {y}v{size}" stroke="#ddd"/>')
        if labelled:
            lines.append(f'<text x="{x}" y="{y + size + 14}" text-anchor="middle" fill="#444">1e{decade}</text>')
    if labelled:
        middle = _LEFT + _WIDTH // 2
        lines.append(f'<text x="{middle}" y="{y + size + 28}" text-anchor="middle" fill="#444">rad/s</text>')
    return lines


def _path(frequency: Sequence[float], shares: Sequence[float], begin: int, size: int, low: int, high: int) -> str:
    points = [
        f"{_number(_LEFT + _WIDTH * _at(log10(f), low, high))} {_number(begin + size * (1.0 - min(1.0, max(0.0, s))))}"
        for f, s in zip(frequency, shares, strict=True)
    ]
    return "M" + "L".join(points)


def _ticks(low: int, high: int) -> range:
    """Powers of ten to label: at most eight."""
    return range(low, high + 1, max(1, ceil((high - low) / 8)))


def _at(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 0.5


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
