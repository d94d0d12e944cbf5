from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from robodyn_check.regression.asking import Asking
from robodyn_check.regression.matrix import matrix, matrix_page
from robodyn_check.regression.page_text import page_markdown, page_text
from robodyn_check.report.results import Known, Result, SubjectRecord

from .test_diff import PASS, report, result

KNOWN = result(known=Known(reason="r", link=None, source="shipped"))


def asking(version: str, *results: Result, reason: str = "") -> Asking:
    spec = f"lib=={version}"
    whole = report(*(dataclasses.replace(one, subject=spec) for one in results), version=version)
    if reason:
        record = SubjectRecord(name=spec, library="lib", version=None, status="skip", reason=reason)
        whole = dataclasses.replace(whole, models=(dataclasses.replace(whole.models[0], subjects=(record,)),))
    return Asking(version=version, spec=spec, report=whole, trouble=reason)


def test_every_verdict_has_its_cell() -> None:
    found = matrix(
        {
            "lib": [
                asking("1.0", PASS),
                asking("2.0", PASS, result()),
                asking("3.0", KNOWN),
                asking("4.0", reason="does not start"),
                asking("5.0", result(verdict="error")),
            ]
        },
        samples=10,
        seed=0,
    )
    assert [(one.verdict, one.known) for one in found.entries] == [
        ("pass", False),
        ("fail", False),
        ("fail", True),
        ("", False),
        ("error", False),
    ]
    page = matrix_page(found)
    text = page_text(page, width=200)
    assert "robots/arm.urdf  pass     FAIL     known fail  -        ERROR" in text
    assert "lib 2.0 on robots/arm.urdf: mass_matrix" in text
    assert "lib 4.0 on robots/arm.urdf: does not start" in text
    assert page.word == "1 OF 5 RIGHT"
    assert "1 right, 1 not asked" in page_markdown(page)


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[2] / "reports").rglob("*.html")), ids=lambda p: p.stem)
def test_the_pages_that_come_along_need_no_network_and_name_no_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "<script src" not in text
    assert "http://" not in text.replace("http://www.w3.org/", "")
    assert re.search(r"(?<![\w.])/(tmp|home|root|work)/", text) is None
