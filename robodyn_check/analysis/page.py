"""The analysis as one HTML file: no network, no script, pictures as inline SVG, names escaped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from robodyn_check.analysis.pictures import (
    BAR,
    HALF,
    gravity_bars,
    inertia_axis,
    inertia_bars,
    push_views,
    reach_views,
    tip_views,
)
from robodyn_check.analysis.terminal import terminal
from robodyn_check.analysis.words import number
from robodyn_check.report.html import TEMPLATES
from robodyn_check.report.words import clean

if TYPE_CHECKING:
    from robodyn_check.analysis.results import Analysis


def page(found: Analysis) -> str:
    """Return the page; it shares the report's style sheet."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clean"] = clean
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    return environment.get_template("analysis.html.j2").render(
        found=found,
        number=number,
        length=BAR,
        half=HALF,
        inertia=inertia_bars(found),
        axis=inertia_axis(found),
        gravity=gravity_bars(found),
        tips=[
            {
                "name": tip.link,
                "mass": tip_views(tip),
                "reach": reach_views(tip),
                "push": push_views(tip),
                "geared": tip.reflected is not None,
            }
            for tip in found.tips
        ],
        text=terminal(found),
        style=Markup(style),  # noqa: S704 - our own style sheet, nothing of a model
    )
