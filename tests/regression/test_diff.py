from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from robodyn_check.regression.diff import diff_reports
from robodyn_check.regression.diff_page import diff_page
from robodyn_check.regression.page_text import page_text
from robodyn_check.report.results import (
    Known,
    ModelRecord,
    ModelReport,
    Report,
    Result,
    StatesRecord,
    SubjectRecord,
    Summary,
    Tool,
    Where,
    Worst,
)

TOOL = Tool(name="robodyn-check", version="1", python="3", numpy="2", platform="x")
FAIL: dict[str, Any] = {
    "code": "RD250",
    "slug": "mass-matrix-agreement",
    "verdict": "fail",
    "subject": "lib==1.0",
    "quantity": "mass_matrix",
    "against": "reference",
    "message": "wrong",
    "error": 1.0,
    "bound": 1e-14,
    "margin": 1e14,
    "worst": Worst(index=(0, 0), labels=("a", "a"), got=1.0, expected=2.0, bound=1e-14, state=3),
    "where": Where(file="arm.urdf", line=5),
}


def result(**changes: Any) -> Result:
    return Result(**{**FAIL, **changes})


def report(*results: Result, path: str = "robots/arm.urdf", version: str = "1.0", seed: int = 0) -> Report:
    model = ModelReport(
        model=ModelRecord(path=path, sha256="0", format="urdf", nq=1, nv=1, joints=("a",)),
        mechanism={},
        states=StatesRecord(seed=seed, count=10, base="fixed", gravity=(0.0, 0.0, -9.81)),
        subjects=(SubjectRecord(name=f"lib=={version}", library="lib", version=version, status="ok"),),
        results=results,
    )
    return Report(tool=TOOL, command="", models=(model,), summary=Summary(), exit_code=0)


PASS = result(verdict="pass", message=None, error=0.0, margin=0.0)


@pytest.mark.parametrize(
    ("old", "new", "what", "why"),
    [
        (PASS, result(), "new", ""),
        (None, result(), "new", ""),
        (result(), PASS, "fixed", ""),
        (result(), None, "no longer checked", ""),
        (result(), result(verdict="skip", message="not offered", error=None), "no longer checked", "not offered"),
        (result(), result(verdict="error"), "changed", "fail became error"),
        (result(), result(error=1.5), "changed", "error 1 became 1.5"),
        (result(), result(known=Known(reason="r", link=None, source="f")), "changed", "is now known"),
        (result(), result(error=1.0 + 4e-15), "same", ""),
        (result(), result(where=Where(file="arm.urdf", line=9)), "moved", "arm.urdf:5 became arm.urdf:9"),
        (
            result(),
            result(worst=dataclasses.replace(FAIL["worst"], labels=("a", "b"))),
            "moved",
            "worst at M[a, a], now at M[a, b]",
        ),
    ],
)
def test_a_finding_is_new_fixed_changed_or_moved(old: Result | None, new: Result | None, what: str, why: str) -> None:
    found = diff_reports(report(*([old] if old else [])), report(*([new] if new else [])))
    (change,) = found.findings
    assert (change.what, change.why) == (what, why)
    assert found.exit_code == (1 if what == "new" else 0)


def test_order_version_folder_and_machine_do_not_matter() -> None:
    one, two = result(), result(code="RD350", quantity="inverse_dynamics")
    old = report(one, two, path="/home/ann/robots/arm.urdf")
    moved = [dataclasses.replace(each, subject="lib==2.0") for each in (two, one)]
    new = report(*moved, path="/home/bob/robots/arm.urdf", version="2.0")
    found = diff_reports(old, new)
    assert {change.what for change in found.findings} == {"same"}
    assert found.subjects == ("lib: version 1.0 became 2.0",)


def test_a_pair_of_libraries_has_one_name_whoever_is_blamed() -> None:
    old = report(result(subject="one", against="two"))
    new = report(result(subject="two", against="one"))
    assert [change.what for change in diff_reports(old, new).findings] == ["same"]


def test_two_passes_are_no_finding() -> None:
    assert diff_reports(report(PASS), report(PASS)).findings == ()


def test_other_states_and_models_are_said() -> None:
    found = diff_reports(report(PASS), report(PASS, seed=2))
    assert found.models == ("robots/arm.urdf: 10 states, seed 0 became 10 states, seed 2",)
    found = diff_reports(report(result()), report(result(), path="robots/leg.urdf"))
    assert found.findings == ()
    assert found.models == (
        "only in the old report: robots/arm.urdf",
        "only in the new report: robots/leg.urdf",
    )


def test_the_page_says_what_is_worse() -> None:
    found = diff_reports(report(PASS), report(result()))
    text = page_text(diff_page(found, "old.json", "new.json"))
    assert "WORSE: 1 new; new: RD250 mass_matrix of lib against reference." in text
    assert "fail, 1; bound 1.0e-14; 1.0e+14 times the bound" in text
