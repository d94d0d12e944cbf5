"""A page as one HTML file: no network, no script, the report's own style sheet, everything of a stranger escaped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor, log10
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from robodyn_check.report import html as report_html
from robodyn_check.report.words import clean, short
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.regression.page import Chart, Page

TEMPLATES = Path(__file__).with_name("templates")
#: The drawing's size and margins, in its own units.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 220, 60, 500, 14, 190
#: Room that a line's name needs beside its end.
_NAME_HEIGHT = 11
#: A value of zero is drawn at the foot; nothing is drawn below this power of ten.
_LOWEST = -6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLine:
    """One line: its path, its dots, the height of its name, a sentence, and whether it ever leaves the limit."""

    name: str
    sentence: str
    path: str
    dots: str
    name_y: int
    beyond: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A chart in coordinates: tick marks, the limit, the lines with their names."""

    chart: Chart
    ticks: tuple[tuple[int, str], ...]
    places: tuple[tuple[int, str], ...]
    limit: int | None
    lines: tuple[DrawnLine, ...]


def page_html(page: Page) -> str:
    """Return the page as HTML."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"clean": clean}
    environment.globals |= {"draw": draw, "frame": {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": RIGHT}}
    style = (report_html.TEMPLATES / "style.css").read_text(encoding="utf-8")
    own = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    return environment.get_template("page.html.j2").render(
        page=page,
        version=__version__,
        style=Markup(style + own),  # noqa: S704 - our own files, nothing of a model
    )


def draw(chart: Chart) -> Drawing:
    """Lay a chart out: places evenly across, values on a log axis."""
    logs = [_log(value) for line in chart.lines for value in line.values if value is not None]
    logs += [] if chart.limit is None else [_log(chart.limit)]
    low, high = floor(min(logs, default=0.0)), ceil(max(logs, default=1.0) + 0.01)
    step = max(1, (high - low) // 6)
    across = [round(LEFT + (RIGHT - LEFT) * (k + 0.5) / max(1, len(chart.places))) for k in range(len(chart.places))]

    def height(value: float) -> int:
        return round(BOTTOM - (BOTTOM - TOP) * (_log(value) - low) / max(1, high - low))

    drawn = []
    for line in chart.lines:
        points = [None if value is None else (x, height(value)) for x, value in zip(across, line.values, strict=True)]
        there = [point for point in points if point is not None]
        finite = [value for value in line.values if value is not None]
        if there:
            drawn.append(
                DrawnLine(
                    name=line.name,
                    sentence=f"{line.name}: {', '.join(short(value) for value in finite)}",
                    path=_joined(points),
                    dots="".join(f"M{x} {y}h0" for x, y in there),
                    name_y=there[-1][1],
                    beyond=chart.limit is not None and max(finite) > chart.limit,
                )
            )
    return Drawing(
        chart=chart,
        ticks=tuple((height(10.0**power), f"1e{power}") for power in range(low, high + 1, step)),
        places=tuple(zip(across, chart.places, strict=True)),
        limit=None if chart.limit is None else height(chart.limit),
        lines=_apart(drawn),
    )


def _joined(points: Sequence[tuple[int, int] | None]) -> str:
    """Return a path through neighbouring points; a gap breaks it."""
    steps, pen = [], False
    for point in points:
        if point is not None:
            steps.append(f"{'L' if pen else 'M'}{point[0]} {point[1]}")
        pen = point is not None
    return "".join(steps)


def _apart(lines: Sequence[DrawnLine]) -> tuple[DrawnLine, ...]:
    """Return the lines with their names moved until none covers another, the lowest kept inside the picture."""
    order = sorted(range(len(lines)), key=lambda k: lines[k].name_y)
    places: dict[int, int] = {}
    free = TOP
    for position, k in enumerate(order):
        last = BOTTOM - _NAME_HEIGHT * (len(order) - 1 - position)
        places[k] = max(free, min(lines[k].name_y, last))
        free = places[k] + _NAME_HEIGHT
    return tuple(replace(line, name_y=places[k]) for k, line in enumerate(lines))


def _log(value: float) -> float:
    return max(_LOWEST, log10(value)) if value > 0 else _LOWEST
