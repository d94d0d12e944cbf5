"""Pictures of a report as numbers for inline SVG: errors of every state on a log axis, a matrix as a heat map.

A charting library in the page would need scripts to draw; these pictures must be there without scripts, in print, and
for a screen reader (each has its sentence). They are simple: dots, one dashed line, coloured cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.matrix import columns
from robodyn_check.report.words import MODEL_SUBJECTS, plural, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from robodyn_check.report.results import Difference, ModelReport, Result

#: Size of one strip and of the frame inside it, in SVG units.
WIDTH, HEIGHT = 260, 96
LEFT, RIGHT, TOP, BOTTOM = 36, 254, 12, 76
#: Below this, an error in eps·S is drawn at the foot of the axis.
_LOWEST = -2.0
#: A heat map's classes end at these powers of ten of error / bound; the last class is open.
_HEAT_STEPS = (0, 2, 4, 6, 8, 10, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Errors of one library in one quantity: SVG paths of dots inside and beyond the bound, of crosses."""

    library: str
    sentence: str
    inside: str
    beyond: str
    missing: str
    bound_y: int | None
    top: str
    foot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StripRow:
    """One quantity, one strip a library (None: nothing to draw)."""

    quantity: str
    states: int
    strips: tuple[Strip | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCell:
    """One element: ``level`` 0 is inside its bound, each further level two powers of ten; its number and a sentence."""

    level: int
    text: str
    title: str


def strip_rows(model: ModelReport) -> tuple[StripRow, ...]:
    """Return the strips of every quantity that was compared with the truth."""
    chosen: dict[tuple[str, str], Result] = {}
    for result in model.results:
        if result.quantity in QUANTITIES and result.against in MODEL_SUBJECTS and result.errors:
            best = chosen.get((result.quantity, result.subject))
            if best is None or (result.margin or 0.0) > (best.margin or 0.0):
                chosen[result.quantity, result.subject] = result
    names = columns(model)
    rows = []
    for quantity in QUANTITIES:
        found = [chosen.get((quantity, name)) for name in names]
        if any(found):
            rows.append(_row(quantity, found))
    return tuple(rows)


def bound_in_units(results: Iterable[Result]) -> float | None:
    """Return the bound in eps·S (the factor K), from any result that has an error: error in eps·S / margin."""
    for result in results:
        largest = max((error for error in result.errors if error is not None), default=0.0)
        if result.margin and isfinite(result.margin) and largest > 0:
            return largest / result.margin
    return None


def heat_rows(difference: Difference) -> tuple[tuple[HeatCell, ...], ...]:
    """Return the cells of a heat map, row by row."""
    return tuple(
        tuple(_heat(row, column, margin) for column, margin in zip(difference.columns, margins, strict=True))
        for row, margins in zip(difference.rows, difference.margins, strict=True)
    )


def _row(quantity: str, found: Sequence[Result | None]) -> StripRow:
    there = [result for result in found if result is not None]
    bound = bound_in_units(there)
    sizes = [error for result in there for error in result.errors if error]
    logs = [log10(size) for size in (*sizes, bound or 1.0) if size > 0]
    low, high = max(_LOWEST, floor(min(logs))), ceil(max(logs) + 0.2)
    return StripRow(
        quantity=quantity,
        states=max(len(result.errors) for result in there),
        strips=tuple(None if result is None else _strip(result, bound, low, high) for result in found),
    )


def _strip(result: Result, bound: float | None, low: float, high: float) -> Strip:
    count = len(result.errors)
    inside: set[tuple[int, int]] = set()
    beyond: set[tuple[int, int]] = set()
    missing: set[tuple[int, int]] = set()
    for state, error in enumerate(result.errors):
        x = round(LEFT + (RIGHT - LEFT) * (state + 0.5) / count)
        if error is None:
            missing.add((x, TOP - 6))  # above the axis: it has no place on it
        else:
            is_beyond = bound is not None and error > bound * (1 + 1e-9)
            (beyond if is_beyond else inside).add((x, _height(error, low, high)))
    return Strip(
        library=result.subject,
        sentence=_sentence(result, bound),
        inside=_dots(inside),
        beyond=_dots(beyond),
        missing="".join(f"M{x - 2} {y - 2}l4 4m0 -4l-4 4" for x, y in sorted(missing)),
        bound_y=None if bound is None else _height(bound, low, high),
        top=f"1e{high:.0f}",
        foot=f"1e{low:.0f}",
    )


def _height(error: float, low: float, high: float) -> int:
    if error <= 0:
        return BOTTOM
    share = (log10(error) - low) / (high - low)
    return round(BOTTOM - (BOTTOM - TOP) * min(1.0, max(0.0, share)))


def _dots(points: set[tuple[int, int]]) -> str:
    """Write dots as moves with a line of no length; round line ends make them dots."""
    return "".join(f"M{x} {y}h0" for x, y in sorted(points))


def _sentence(result: Result, bound: float | None) -> str:
    finite = [error for error in result.errors if error is not None]
    parts = [f"{result.subject}, {result.quantity}: largest error {short(max(finite, default=None))} eps·S"]
    parts.append(f"over {plural(len(result.errors), 'state')}")
    if bound is not None:
        parts.append(f"bound {short(bound)} eps·S, beyond it at {plural(sum(e > bound for e in finite), 'state')}")
    gaps = len(result.errors) - len(finite)
    return ", ".join(parts) + (f"; no number at {plural(gaps, 'state')}" if gaps else "")


def _heat(row: str, column: str, margin: float | None) -> HeatCell:
    name = f"{row}, {column}" if column else row
    if margin is None:
        return HeatCell(level=len(_HEAT_STEPS), text="×", title=f"{name}: not finite")
    level = 0 if margin <= 1 else sum(log10(margin) > step for step in _HEAT_STEPS)
    return HeatCell(level=level, text=short(margin), title=f"{name}: error {short(margin)} times the bound")
