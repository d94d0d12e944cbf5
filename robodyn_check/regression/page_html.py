"""A page as one HTML file: no network, no script, the report's own style sheet, everything of a stranger escaped."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from robodyn_check.report import html as report_html
from robodyn_check.report.words import clean, short
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from robodyn_check.regression.page import Chart, Page

TEMPLATES = Path(__file__).with_name("templates")
#: The drawing's size and margins, in its own units.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 220, 60, 630, 14, 190
#: A value of zero is drawn at the foot; nothing is drawn below this power of ten.
_LOWEST = -6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A chart in coordinates: tick marks, the limit, and one path of dots and lines for each name."""

    chart: Chart
    ticks: tuple[tuple[int, str], ...]
    places: tuple[tuple[int, str], ...]
    limit: int | None
    paths: tuple[tuple[str, str], ...]


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

    paths = []
    for line in chart.lines:
        points, joined = [], False
        for x, value in zip(across, line.values, strict=True):
            if value is None:
                joined = False
                continue
            points.append(f"{'L' if joined else 'M'}{x} {height(value)}h0")
            joined = True
        finite = [value for value in line.values if value is not None]
        paths.append((f"{line.name}: {', '.join(short(value) for value in finite)}", "".join(points)))
    return Drawing(
        chart=chart,
        ticks=tuple((height(10.0**power), f"1e{power}") for power in range(low, high + 1, step)),
        places=tuple(zip(across, chart.places, strict=True)),
        limit=None if chart.limit is None else height(chart.limit),
        paths=tuple(paths),
    )


def _log(value: float) -> float:
    return max(_LOWEST, log10(value)) if value > 0 else _LOWEST
