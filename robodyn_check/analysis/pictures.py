"""Pictures of the analysis as numbers for inline SVG: bars of each joint, ellipses of each tip in three views."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.analysis.words import number

if TYPE_CHECKING:
    from robodyn_check.analysis.results import Analysis, Ellipsoid, JointInertia, Tip

#: Length of a bar and half the side of a view of an ellipsoid, SVG units.
BAR, HALF = 320, 90
#: Rows above which bars are left to the table.
MOST_ROWS = 60
_MOST_TICKS = 6
#: Pairs of axes that are looked at, with their names.
VIEWS: tuple[tuple[int, int, str], ...] = ((0, 1, "from above: x to the right, y up"),
    (0, 2, "from the side: x to the right, z up"), (1, 2, "from the front: y to the right, z up"))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One joint: start and width of its bar in SVG units, and the sentence for who cannot see it."""

    name: str
    start: float
    width: float
    text: str
    beyond: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """One decade of a logarithmic axis: its place in SVG units, and its label."""

    place: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ellipse:
    """One outline: half axes and turn (degrees, counter-clockwise seen with the second axis up)."""

    rx: float
    ry: float
    turn: float
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One look at a tip's ellipsoids."""

    title: str
    sentence: str
    ellipses: tuple[Ellipse, ...]


def inertia_bars(found: Analysis) -> tuple[Bar, ...]:
    """Return the range of M_ii of each joint on a common log axis."""
    rows = _with_inertia(found)
    if not rows or len(rows) > MOST_ROWS:
        return ()
    low, high = _decades(rows)
    scale = BAR / (high - low)

    def place(value: float) -> float:
        return scale * (math.log10(value) - low)

    return tuple(
        Bar(
            name=row.name,
            start=place(row.least),
            width=max(3.0, place(row.most) - place(row.least)),
            text=f"{number(row.least)} to {number(row.most)}",
        )
        for row in rows
    )


def inertia_axis(found: Analysis) -> tuple[Tick, ...]:
    """Return the decades below the bars of `inertia_bars`; of many decades every second or third one."""
    low, high = _decades(_with_inertia(found))
    step = math.ceil((high - low) / _MOST_TICKS)
    return tuple(
        Tick(place=BAR * (decade - low) / (high - low), label=f"{10.0**decade:g}")
        for decade in range(low, high + 1, step)
    )


def _with_inertia(found: Analysis) -> list[JointInertia]:
    """Return the joints that a logarithmic axis can show."""
    return [row for row in found.joints if row.least > 0]


def _decades(rows: list[JointInertia]) -> tuple[int, int]:
    """Return the whole decades that hold all ranges; at least one."""
    low = math.floor(math.log10(min((row.least for row in rows), default=1.0)))
    high = math.ceil(math.log10(max((row.most for row in rows), default=1.0)))
    return low, max(high, low + 1)


def gravity_bars(found: Analysis) -> tuple[Bar, ...]:
    """Return the largest gravity torque of each joint as a share of its limit, or of the largest of all."""
    if found.gravity is None or len(found.joints) > MOST_ROWS:
        return ()
    largest = max((row.gravity for row in found.joints), default=0.0) or 1.0
    bars = []
    for row in found.joints:
        share = row.gravity / (row.limit or largest)
        of_limit = "" if row.limit is None else f", {share:.0%} of the limit {number(row.limit)}"
        bars.append(
            Bar(
                name=row.name,
                start=0.0,
                width=BAR * min(1.0, share),
                text=f"{number(row.gravity)}{of_limit}",
                beyond=row.limit is not None and share > 1.0,
            )
        )
    return tuple(bars)


def tip_views(tip: Tip) -> tuple[View, ...]:
    """Return the inertia ellipsoids of a tip, {y: yᵀ Λ y = 1}, without and with rotors, on one scale."""
    wanted = [("links", tip.mobility), *([("rotors", tip.reflected)] if tip.reflected is not None else [])]
    return _views(wanted, "velocities at which the tip carries ½ J, m/s: long where it is light")


def push_views(tip: Tip) -> tuple[View, ...]:
    """Return what motors at their torque limits reach, without and with rotors, on one scale."""
    wanted = [("links", tip.push), ("rotors", tip.push_with_rotors)]
    there = [(kind, one) for kind, one in wanted if one is not None]
    return _views(there, "accelerations that the torque limits reach, m/s²") if there else ()


def reach_views(tip: Tip) -> tuple[View, ...]:
    """Return the velocities that joint speeds of unit length reach."""
    return _views([("links", tip.reach)], "velocities that joint speeds of length 1 reach")


def _views(ellipsoids: list[tuple[str, Ellipsoid]], meaning: str) -> tuple[View, ...]:
    """Project ellipsoids {A^½ x, |x| ≤ 1} to each view, on one scale; a projection has the 2 × 2 block of A."""
    largest = max((one.axes[0] for _, one in ellipsoids), default=0.0)
    if largest <= 0.0:
        return ()
    views = []
    for i, j, title in VIEWS:
        outlines = tuple(_outline(one, i, j, HALF * 0.95 / largest, kind) for kind, one in ellipsoids)
        axes = "; ".join(f"{kind}: {', '.join(number(axis) for axis in one.axes)}" for kind, one in ellipsoids)
        views.append(View(title=title, sentence=f"{meaning}, {title}; half axes {axes}", ellipses=outlines))
    return tuple(views)


def _outline(one: Ellipsoid, i: int, j: int, scale: float, kind: str) -> Ellipse:
    """Return the outline of an ellipsoid's projection to axes i and j."""
    a, b, c = one.matrix[i][i], one.matrix[i][j], one.matrix[j][j]
    middle, apart = (a + c) / 2, math.hypot((a - c) / 2, b)
    return Ellipse(
        rx=scale * math.sqrt(max(0.0, middle + apart)),
        ry=scale * math.sqrt(max(0.0, middle - apart)),
        turn=math.degrees(math.atan2(2 * b, a - c) / 2),
        kind=kind,
    )
