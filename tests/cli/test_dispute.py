"""``dispute`` recomputes a finding exactly and says whether it stands."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check import check
from robodyn_check.cli.main import main
from robodyn_check.report.json_format import to_json

if TYPE_CHECKING:
    from robodyn_check.report.results import Report

ADAPTER = Path(__file__).parents[1] / "run" / "pendulum_adapter.py"
MODEL = Path(__file__).parents[2] / "models" / "pendulum" / "model.urdf"


@pytest.fixture(scope="module")
def report() -> Report:
    return check(MODEL, libraries=[], adapters=[ADAPTER], samples=8, certify=0)


def written(report: Report, folder: Path, *, shift: float = 0.0) -> str:
    """Write the report, with every value of the library moved by ``shift`` of itself."""
    model = report.models[0]
    results = tuple(
        dataclasses.replace(
            result,
            worst=dataclasses.replace(result.worst, got=result.worst.got * (1 + shift) + shift),
        )
        if result.worst is not None and result.worst.got is not None and result.against == "reference"
        else result
        for result in model.results
    )
    path = folder / "report.json"
    path.write_text(to_json(dataclasses.replace(report, models=(dataclasses.replace(model, results=results),))))
    return str(path)


def test_a_right_value_makes_the_finding_fall(report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["dispute", written(report, tmp_path), "RD250"]) == 1
    out = capsys.readouterr().out
    assert "recursive  256 bits  0.75" in out
    assert "energies   512 bits  0.75" in out
    assert "does not stand" in out


def test_a_wrong_value_makes_it_stand(report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["dispute", written(report, tmp_path, shift=1e-9), "RD250"]) == 0
    assert "The finding stands" in capsys.readouterr().out


def test_an_unknown_finding_lists_those_that_exist(report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["dispute", written(report, tmp_path), "RD999"]) == 2
    assert "RD250:" in capsys.readouterr().err


def test_a_changed_model_is_refused(report: Report, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    model = report.models[0]
    other = dataclasses.replace(model, model=dataclasses.replace(model.model, sha256="0" * 64))
    assert main(["dispute", written(dataclasses.replace(report, models=(other,)), tmp_path), "RD250"]) == 2
    assert "is not the file that was checked" in capsys.readouterr().err


def test_a_missing_report_says_how_to_write_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["dispute", str(tmp_path / "none.json"), "RD250"]) == 2
    assert "--format json=FILE" in capsys.readouterr().err
