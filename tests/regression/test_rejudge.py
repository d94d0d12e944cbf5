from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.errors import UsageError
from robodyn_check.pipeline import run
from robodyn_check.regression.rejudge import rejudge
from robodyn_check.regression.sidecar import Collector, encode, read, sidecar_path, with_values_file
from robodyn_check.report.json_format import read_report, to_json
from robodyn_check.settings import Settings

from .conftest import MODEL, ROOT, SWING

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.report.results import Report, Result

    from .conftest import Environment


@pytest.fixture
def saved(tmp_path: Path, environment: Environment) -> tuple[Report, Path]:
    model = tmp_path / "model.urdf"
    model.write_text(MODEL.read_text(encoding="utf-8"), encoding="utf-8")
    specs = tuple(f"swing{environment(words)}" for words in ("1.0", "1.3 wrong", "1.7 refuses"))
    settings = Settings(models=(str(model),), adapter=(str(SWING),), lib=specs, samples=12, certify=0)
    collector = Collector()
    report = run(settings, watch=collector.watch)
    path = tmp_path / "saved.json"
    content = encode(collector.values, settings.models)
    sidecar_path(path).write_bytes(content)
    report = with_values_file(report, sidecar_path(path).name, content)
    path.write_text(to_json(report), encoding="utf-8")
    return read_report(path.read_text(encoding="utf-8")), path


def judged(report: Report) -> list[Result]:
    """Return the results without their commands, which name the adapter's file: a saved run does not keep it."""
    results = [dataclasses.replace(one, again=None) for one in report.models[0].results]
    return sorted(results, key=lambda one: (one.subject, one.code, one.quantity or "", one.against or ""))


def test_the_same_checks_come_to_the_same_results_without_a_library(saved: tuple[Report, Path]) -> None:
    report, path = saved
    values = read(report, path)
    assert values is not None
    again = rejudge(report, values, Settings(certify=0))
    assert judged(again) == judged(report)
    assert again.summary == report.summary
    assert again.exit_code == report.exit_code == 1
    assert again.models[0].subjects[1:] == report.models[0].subjects[1:]


def test_a_selection_judges_only_that(saved: tuple[Report, Path]) -> None:
    out = saved[1].with_name("again.json")
    assert main(["judge", str(saved[1]), "--select", "RD450", "--certify", "0", "--format", f"json={out}"]) == 1
    results = read_report(out.read_text(encoding="utf-8")).models[0].results
    assert {one.code for one in results} == {"RD450", "RD942"}


def test_a_model_that_changed_is_not_judged(saved: tuple[Report, Path]) -> None:
    report, path = saved
    model = path.with_name("model.urdf")
    model.write_text(model.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is not the file that was checked"):
        rejudge(report, read(report, path) or {}, Settings(certify=0))


def test_a_report_without_values_cannot_be_judged(
    saved: tuple[Report, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    report, path = saved
    path.write_text(to_json(dataclasses.replace(report, values_file=None)), encoding="utf-8")
    assert main(["judge", str(path)]) == 2
    assert "has no values beside it" in capsys.readouterr().err


def test_a_fail_that_did_not_come_back_is_not_judged_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENDULUM_MARK", str(tmp_path / "mark"))
    adapter = ROOT / "tests" / "run" / "pendulum_adapter.py"
    settings = Settings(models=(str(MODEL),), adapter=(str(adapter),), lib=("pendulum:moody",), samples=8, certify=0)
    collector = Collector()
    report = run(settings, watch=collector.watch)
    again = rejudge(report, collector.values, Settings(certify=0))
    assert report.summary.error > 0
    assert again.summary == report.summary
    assert judged(again) == judged(report)
