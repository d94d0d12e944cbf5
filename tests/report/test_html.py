from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest

from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.html import HEAT_CELLS, html, web_address
from robodyn_check.report.results import Difference, Result
from tests.report import fixtures

VOID = {"meta", "link", "input", "path", "br"}


class Page(HTMLParser):
    """What a page has: tags, identifiers, references, and whether its tags nest."""

    def __init__(self, text: str) -> None:
        """Read the page."""
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        self.sources += [given[name] or "" for name in ("src", "srcset", "data") if name in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the base's
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


EVERY = [*fixtures.REPORTS.values(), fixtures.hostile]
IDS = [*fixtures.REPORTS, "hostile"]


@pytest.mark.parametrize("make", EVERY, ids=IDS)
def test_tags_nest_and_identifiers_are_unique(make: fixtures.Make):
    page = Page(html(make()))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))


@pytest.mark.parametrize("make", EVERY, ids=IDS)
def test_links_inside_the_page_lead_somewhere_and_nothing_is_fetched(make: fixtures.Make):
    page = Page(html(make()))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert page.sources == []
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest", html(make()))


def test_a_robot_named_script_is_text():
    text = html(fixtures.hostile())
    assert Page(text).tags.count("script") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "\x1b" not in text


def test_only_web_addresses_become_links():
    assert web_address("https://example.org") == "https://example.org"
    assert web_address("javascript:alert(1)") is None


def test_the_verdict_comes_first_then_the_table_then_failures():
    text = html(fixtures.mixed())
    order = ["<h1>", "Verdict by quantity", 'class="group v-fail"', 'class="group v-error"', 'class="group v-known"',
             'class="group v-warn"', 'class="group v-skip"', "state by state", "The robot", "The run"]  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_heat_maps_stop_where_the_page_would_grow():
    side = 40
    names = tuple(f"j{k}" for k in range(side))
    difference = Difference(rows=names, columns=names, margins=((5.0,) * side,) * side)
    results = tuple(fixtures.failed("drake", difference=difference) for _ in range(10))
    text = html(fixtures.report(fixtures.model(results, (fixtures.subject("drake"),))))
    assert text.count("<figure") == HEAT_CELLS // side**2
    assert text.count("left out to keep the page small") == 10 - HEAT_CELLS // side**2


def test_3000_findings_render_in_seconds():
    report = fixtures.many()
    start = time.perf_counter()
    text = html(report)
    assert time.perf_counter() - start < 20
    assert text.count('<article class="finding"') == 3000


def test_a_default_run_stays_below_its_size():
    errors = tuple((1 + k * 37 % 101) / 3 for k in range(200))
    libraries = ("pinocchio", "mujoco", "drake")
    results = tuple(
        Result(
            code=f"RD{250 + check}", slug=f"check-{check}", verdict="pass", subject=library, quantity=quantity,
            against="reference", errors=errors, error=1e-15, bound=2e-15, margin=0.5,
        )
        for library in libraries for quantity in QUANTITIES for check in range(5)
    )  # fmt: skip
    report = fixtures.report(fixtures.model(results, tuple(fixtures.subject(library) for library in libraries)))
    assert len(html(report).encode()) < 1_500_000
