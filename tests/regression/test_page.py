from __future__ import annotations

import dataclasses
import itertools
import re

from robodyn_check.regression.page import Cell, Chart, Line, Page, Section, Table, cells
from robodyn_check.regression.page_html import draw, page_html
from robodyn_check.regression.page_text import page_markdown, page_text

HOSTILE = "<script>alert(1)</script>|`x`"
CHART = Chart(
    title="margin by version",
    places=("1.0", "2.0", "3.0"),
    lines=(Line(name=HOSTILE, values=(1e-2, None, 1e8)), Line(name="zero", values=(0.0, 0.0, 0.0))),
    limit=1.0,
)
PAGE = Page(
    title=f"lib {HOSTILE}",
    word="BROKEN",
    kind="fail",
    sentence="1 broken.",
    sections=(
        Section(
            heading=HOSTILE,
            lines=("a line\x1b[31m",),
            tables=(
                Table(
                    header=("quantity", "what"),
                    rows=(cells(HOSTILE, "ok"), (Cell(text="M"), Cell(text="broken", kind="fail"))),
                ),
            ),
            charts=(CHART,),
        ),
    ),
    again="robodyn-check bump lib 1 2",
)


def test_the_html_page_is_one_file_without_script_or_network() -> None:
    page = page_html(PAGE)
    assert "<script" not in page
    assert not re.search(r"(src|href)=\"(?!#|data:)", page)
    assert "&lt;script&gt;alert(1)" in page
    assert "\x1b" not in page
    assert '<td class="v-fail">broken</td>' in page
    assert page.count('<g class="line') == 2


def test_the_text_ends_with_the_verdict_and_shows_no_control_characters() -> None:
    text = page_text(PAGE)
    assert text.rstrip().endswith("BROKEN: 1 broken.")
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_markdown_begins_with_the_verdict_and_escapes() -> None:
    text = page_markdown(PAGE)
    assert text.splitlines()[2] == "**BROKEN**: 1 broken."
    assert "<script>" not in text
    assert all(line.count("|") - line.count("\\|") == 3 for line in text.splitlines() if line.startswith("| "))


def test_a_chart_has_a_gap_where_there_is_no_value_and_its_limit_inside() -> None:
    drawing = draw(CHART)
    line = drawing.lines[0]
    assert line.sentence.startswith(HOSTILE)
    assert line.path.count("M") == 2
    heights = [y for y, _ in drawing.ticks]
    assert drawing.limit is not None
    assert min(heights) <= drawing.limit <= max(heights)
    assert [x for x, _ in drawing.places] == sorted(x for x, _ in drawing.places)


def test_names_at_the_ends_of_lines_do_not_cover_each_other_and_stay_inside() -> None:
    lines = tuple(Line(name=f"quantity {k}", values=(1.0, 1e-3)) for k in range(12))
    drawing = draw(Chart(title="many", places=("1", "2"), lines=lines, limit=1.0))
    heights = sorted(line.name_y for line in drawing.lines)
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 11
    assert 0 < heights[0] <= heights[-1] <= 195


def test_a_line_that_was_ever_beyond_the_limit_is_marked() -> None:
    mended, right = Line(name="mended", values=(1e9, 0.1)), Line(name="right", values=(0.2, 1.0))
    chart = Chart(
        title="three",
        places=("1", "2"),
        lines=(mended, right, Line(name="never judged", values=(None, None))),
        limit=1.0,
    )
    assert [(line.name, line.beyond) for line in draw(chart).lines] == [("mended", True), ("right", False)]
    page = page_html(dataclasses.replace(PAGE, sections=(Section(heading="h", charts=(chart,)),)))
    assert page.count('class="line wrong"') == 1
    assert ">mended</text>" in page
