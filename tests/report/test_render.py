"""Golden files of every format. ``ROBODYN_CHECK_GOLDEN=write pytest tests/report/test_render.py`` writes them again."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from robodyn_check.checks.texts import CheckText
from robodyn_check.errors import UsageError
from robodyn_check.report.render import FORMATS, render
from tests.report import fixtures

GOLDEN = Path(__file__).parents[1] / "golden"
TEMPLATES = Path(__file__).parents[2] / "robodyn_check" / "report" / "templates"
SUFFIXES = {"junit": "xml", "markdown": "md", "github-summary": "md", "sarif": "json", "badge": "json", "html": "html"}
#: The small formats show every report, the long ones the richest.
CASES = [
    *(("terminal", name) for name in fixtures.REPORTS),
    *(("badge", name) for name in fixtures.REPORTS),
    *((name, "mixed") for name in FORMATS if name not in {"terminal", "badge"}),
    ("markdown", "all_pass"),
    ("markdown", "hostile"),
    ("github", "hostile"),
    ("terminal", "hostile"),
]


#: The golden files must not change with the wording of a real check.
TEXT = CheckText(
    code="RD260",
    slug="mass-matrix-agrees",
    title="Both subjects have the same mass matrix.",
    quantities=("mass_matrix",),
    formula="M = M",
    bound="64 eps S",
    reference="Featherstone (2008), chapter 6",
    sections=(("What it checks", "Entry by entry."), ("Usual causes", "Armature left out.")),
)


@pytest.fixture(autouse=True)
def fixed_check_texts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("robodyn_check.report.sarif.texts", lambda: (TEXT,))


def compare(name: str, text: str) -> None:
    file = GOLDEN / name
    if os.environ.get("ROBODYN_CHECK_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"{name} changed; if that is right, write it again (see above)"


@pytest.mark.parametrize(("name", "report"), CASES, ids=["-".join(case) for case in CASES])
def test_format_equals_its_golden_file(name: str, report: str):
    text = render(getattr(fixtures, report)(), name)
    if name == "html":
        for asset, stands in (("style.css", "/* style.css */"), ("report.js", "// report.js")):
            text = text.replace((TEMPLATES / asset).read_text(encoding="utf-8").rstrip("\n"), stands)
    compare(f"{report}.{name}.{SUFFIXES.get(name, 'txt')}", text)


def test_terminal_in_ascii_equals_its_golden_file():
    compare("mixed.terminal-ascii.txt", render(fixtures.mixed(), "terminal", ascii_only=True))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_shows_a_report_without_models(name: str):
    assert render(fixtures.report(), name)


@pytest.mark.parametrize("name", FORMATS)
def test_equal_reports_give_equal_text(name: str):
    assert render(fixtures.mixed(), name) == render(fixtures.mixed(), name)


@pytest.mark.parametrize("name", FORMATS)
def test_format_shows_the_version_or_verdict_of_the_report_it_was_given(name: str):
    one, other = fixtures.mixed(), fixtures.all_pass()
    assert render(one, name) != render(replace(other, tool=one.tool), name)


def test_unknown_format_is_refused_with_those_that_exist():
    with pytest.raises(UsageError, match=r"there is no format 'xml'. Formats: terminal, json, junit"):
        render(fixtures.mixed(), "xml")


def test_rendering_loads_neither_numpy_nor_a_library():
    code = (
        "import sys; from tests.report import fixtures; from robodyn_check.report.render import FORMATS, render\n"
        "for name in FORMATS: render(fixtures.mixed(), name)\n"
        "print({'numpy', 'pinocchio', 'mujoco', 'rich'} & set(sys.modules))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
