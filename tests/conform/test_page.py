"""The verdict page and the list of known failures that goes with it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from robodyn_check.conform.claim import Finding
from robodyn_check.conform.known_list import known_list
from robodyn_check.conform.page import verdict_page
from robodyn_check.conform.run import Conformance
from robodyn_check.known import apply_known, load_known
from tests.report import fixtures

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.report.results import ModelReport, Report, Result

HOLDS = Finding(slug="greets", title="initialize says who answers", verdict="pass")
BROKEN = Finding(slug="shuts-down", title="the process ends", verdict="fail", message="still runs 10 s later")


def on(path: str, *results: Result) -> ModelReport:
    made = fixtures.model(results, (fixtures.subject("mine"),))
    return dataclasses.replace(made, model=dataclasses.replace(made.model, path=path))


def wrong() -> Report:
    """A mass matrix that is wrong on one of two models, a gravity that is wrong on both."""
    gravity = fixtures.failed("mine", "gravity_vector", message='gravity_vector is "0"\\n')
    return fixtures.report(
        on("/robots/arm/model.urdf", fixtures.failed("mine"), gravity),
        on("/robots/leg/model.urdf", fixtures.passed("mine", "mass_matrix"), gravity),
    )


@pytest.mark.parametrize(
    ("findings", "report", "code", "words"),
    [
        ((HOLDS,), None, 0, "SPEAKS THE PROTOCOL: mine"),
        ((HOLDS, BROKEN), None, 1, "DOES NOT CONFORM: mine breaks the protocol in 1 place."),
        ((HOLDS,), wrong(), 1, "DOES NOT CONFORM: mine speaks the protocol, but: 1 check passed, 3 failed."),
        (
            (HOLDS,),
            fixtures.report(on("arm.urdf", fixtures.passed("mine", "mass_matrix"))),
            0,
            "CONFORMS: mine speaks the protocol and is right: 1 check passed, 0 failed.",
        ),
    ],
    ids=["protocol-only", "protocol-broken", "numbers-wrong", "right"],
)
def test_the_last_line_is_the_verdict(findings: tuple[Finding, ...], report: Report | None, code: int, words: str):
    found = Conformance(subject="mine", protocol=findings, report=report)
    page = verdict_page(found)
    assert found.exit_code == code
    assert words in " ".join(page.split())
    assert all(len(line) <= 80 for line in page.splitlines())
    assert len(page.splitlines()) <= 60


def test_a_broken_claim_is_told_with_what_happened():
    page = verdict_page(Conformance(subject="mine", protocol=(HOLDS, BROKEN)))
    assert "FAIL  shuts-down: the process ends" in page
    assert "still runs 10 s later" in page


def test_the_list_excuses_exactly_what_was_found(tmp_path: Path):
    path = tmp_path / "known-failures.toml"
    path.write_text(known_list(wrong(), "mine"), encoding="utf-8")
    entries = load_known(path)
    assert [(entry.quantity, entry.model) for entry in entries] == [
        ("mass_matrix", "*arm/model.urdf"),
        ("gravity_vector", ""),
    ]
    for model in wrong().models:
        flagged = apply_known(model.results, model.subjects, entries, model=model.model.path, features=frozenset[str]())
        assert all((result.known is not None) is (result.verdict == "fail") for result in flagged)


def test_nothing_wrong_needs_no_list():
    assert known_list(fixtures.all_pass(), "pinocchio") == ""
