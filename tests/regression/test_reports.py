"""The reports that come along: whole, readable, and true of the libraries installed here."""

from __future__ import annotations

import json
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.regression.baseline import load_baseline
from robodyn_check.report.json_format import read_report

from .conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

REPORTS = ROOT / "reports"
BASELINES = sorted((REPORTS / "baselines").glob("*.json"))


@pytest.mark.parametrize("path", BASELINES, ids=lambda path: path.stem)
def test_a_baseline_is_whole_and_names_a_bundled_model(path: Path) -> None:
    baseline = load_baseline(path)
    (model,) = baseline.report.models
    assert (ROOT / model.model.path).is_file()
    assert baseline.bad == frozenset()
    assert len(baseline.values) == len(model.subjects)


def test_libraries_answer_as_in_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pinocchio")
    monkeypatch.chdir(ROOT)
    out, path = tmp_path / "now.json", REPORTS / "baselines" / "planar_2r.json"
    words = ["models/planar_2r/model.urdf", "--lib", "pinocchio", "--samples", "5", "--certify", "0"]
    assert main([*words, "--baseline", str(path), "--format", f"json={out}"]) == 0
    report = read_report(out.read_text(encoding="utf-8"))
    compared = [one for one in report.models[0].results if one.code == "RD945"]
    assert {one.verdict for one in compared} == {"pass"}
    assert len(compared) >= 10
    (before,) = [one for one in load_baseline(path).report.models[0].subjects if one.name == "pinocchio"]
    if before.version == metadata.version("pin"):
        assert all(one.margin is not None and one.margin < 1 for one in compared)


@pytest.mark.parametrize(
    ("name", "quantity", "status"),
    [
        ("mujoco-3.13.0-3.14.0", "mass_matrix", "fixed"),
        ("mujoco-3.9.0-3.13.0", "mass_matrix", "unchanged"),
        ("mujoco-calls-3.9.0-3.13.0", "mass_matrix", "call no longer exists"),
        ("pin-3.9.0-4.1.0", "mass_matrix", "unchanged"),
    ],
)
def test_the_histories_say_what_happened(name: str, quantity: str, status: str) -> None:
    data = json.loads((REPORTS / "bumps" / f"{name}.json").read_text(encoding="utf-8"))
    found = {one["quantity"]: one["status"] for one in data["models"][0]["quantities"]}
    assert found[quantity] == status
