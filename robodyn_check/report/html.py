"""The page for people: one HTML file, no network, readable without scripts and in print.

Everything of models and libraries goes through jinja2's autoescape; only our own style sheet and script are trusted.
The script adds a filter whose state lives in the URL; without it the page is the same, unfiltered.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.certificate import certificate_sentence
from robodyn_check.report.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, StripRow, heat_rows, strip_rows
from robodyn_check.report.drift import DriftRow, drift_rows
from robodyn_check.report.finding_text import facts, place
from robodyn_check.report.grouping import Group, groups
from robodyn_check.report.matrix import Row, check_rows, columns, pair_lines, quantity_rows
from robodyn_check.report.opposition import opposition_blocks
from robodyn_check.report.robot_tree import TreeRow, tree_rows
from robodyn_check.report.summary import (
    coverage_line,
    headline,
    libraries,
    model_sentence,
    repeat_line,
    subject_title,
    summary_line,
    verdict_sentence,
)
from robodyn_check.report.words import VERDICT_MEANINGS, clean, plural, short

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport, Report, Result

TEMPLATES = Path(__file__).with_name("templates")
#: Heat maps stop after this many cells a page, so that it stays small; the JSON report has them all.
HEAT_CELLS = 6000
#: The robot's table stops after this many links.
TREE_ROWS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelView:
    """One model, laid out for the template; ``anchors`` maps id(result) to the place of its finding on the page."""

    number: int
    report: ModelReport
    groups: tuple[Group, ...]
    columns: tuple[str, ...]
    quantity_rows: tuple[Row, ...]
    check_rows: tuple[Row, ...]
    strips: tuple[StripRow, ...]
    drifts: tuple[DriftRow, ...]
    tree: tuple[TreeRow, ...]
    anchors: dict[int, str]
    pictured: frozenset[int]

    def anchor(self, result: Result) -> str | None:
        """Return where a finding stands on the page; None for a pass."""
        return self.anchors.get(id(result))

    def is_pictured(self, result: Result) -> bool:
        """Tell whether the page has room for the heat map of a finding."""
        return id(result) in self.pictured

    def last_words(self, name: str) -> str | None:
        """Return the end of what a library wrote to stderr."""
        return next((subject.stderr_tail for subject in self.report.subjects if subject.name == name), None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The words that its groups carry, for the filter."""
        return tuple(dict.fromkeys(group.word for group in self.groups))

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects that its groups are about, for the filter."""
        return tuple(dict.fromkeys(group.subject for group in self.groups))


def html(report: Report) -> str:
    """Return the report as one HTML page."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"clean": clean, "web": web_address}
    environment.globals |= {
        "coverage_line": coverage_line,
        "certificate_sentence": certificate_sentence,
        "facts": facts,
        "heat_rows": heat_rows,
        "libraries": libraries,
        "model_sentence": model_sentence,
        "opposition_blocks": opposition_blocks,
        "pair_lines": pair_lines,
        "place": place,
        "plural": plural,
        "quantities": QUANTITIES,
        "repeat_line": repeat_line,
        "short": short,
        "subject_title": subject_title,
        "zip": zip,
    }
    views = [_view(number, model) for number, model in enumerate(report.models, start=1)]
    return environment.get_template("report.html.j2").render(
        report=report,
        models=views,
        headline=headline(report),
        sentence=verdict_sentence(report),
        counts=summary_line(report),
        meanings=VERDICT_MEANINGS,
        frame={"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": RIGHT, "top": TOP, "bottom": BOTTOM},
        tree_rows=TREE_ROWS,
        style=_trusted("style.css"),
        script=_trusted("report.js"),
    )


def web_address(link: str) -> str | None:
    """Return a link that may be clicked: http and https only."""
    return link if link.startswith(("https://", "http://")) else None


def _trusted(name: str) -> Markup:
    """Read one of our own assets, which is markup by itself."""
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 - our own file, nothing of a model


def _view(number: int, model: ModelReport) -> ModelView:
    found = groups(model)
    findings = [result for group in found for result in group.results]
    room, pictured = HEAT_CELLS, set()
    for result in findings:
        if result.difference is not None:
            cells = len(result.difference.rows) * len(result.difference.columns)
            if cells <= room:
                room -= cells
                pictured.add(id(result))
    return ModelView(
        number=number,
        report=model,
        groups=found,
        columns=columns(model),
        quantity_rows=quantity_rows(model),
        check_rows=check_rows(model),
        strips=strip_rows(model),
        drifts=drift_rows(model),
        tree=tree_rows(model),
        anchors={id(result): f"finding-{number}-{k}" for k, result in enumerate(findings, start=1)},
        pictured=frozenset(pictured),
    )
