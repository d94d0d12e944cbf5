"""``bump``, ``trend``, ``bisect``, ``diff`` and ``render`` from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.report.json_format import to_json

from .conftest import MODEL, SWING
from .test_diff import PASS, report, result

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Environment

ABOUT = [str(MODEL), "--adapter", str(SWING), "--samples", "12"]


@pytest.fixture
def reports(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(to_json(report(PASS)), encoding="utf-8")
    new.write_text(to_json(report(result())), encoding="utf-8")
    return old, new


def test_bump_writes_every_format_and_exits_by_its_verdict(tmp_path: Path, environment: Environment) -> None:
    words = ["bump", "swing", environment("1.0"), environment("1.3 wrong"), *ABOUT, "--certify", "0", "--no-timings"]
    files = {name: tmp_path / f"bump.{name}" for name in ("terminal", "json", "markdown", "html")}
    formats = [word for name, file in files.items() for word in ("--format", f"{name}={file}")]
    full = tmp_path / "full.json"
    assert main([*words, *formats, "--report", str(full)]) == 1
    data = json.loads(files["json"].read_text(encoding="utf-8"))
    assert data["exit_code"] == 1
    assert {one["quantity"]: one["status"] for one in data["models"][0]["quantities"]} == {
        "mass_matrix": "broken",
        "gravity_vector": "unchanged",
    }
    assert "\nBROKEN: swing 1.0 -> 1.3 on 1 model" in files["terminal"].read_text(encoding="utf-8")
    assert "**BROKEN**" in files["markdown"].read_text(encoding="utf-8")
    assert files["html"].read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len(json.loads(full.read_text(encoding="utf-8"))["models"][0]["subjects"]) == 3


def test_trend_asks_every_version(environment: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    versions = [environment(words) for words in ("1.3 wrong", "1.0")]
    given = [word for version in versions for word in ("--version", version)]
    assert main(["trend", "swing", *ABOUT, *given, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    (masses,) = [row for row in data["rows"] if row["quantity"] == "mass_matrix"]
    assert [one["verdict"] for one in masses["standings"]] == ["fail", "pass"]


def test_bisect_finds_the_version(environment: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    old, middle, new = (environment(words) for words in ("1.0", "1.1", "1.3 wrong"))
    assert main(["bisect", "swing", old, new, *ABOUT, "--version", middle, "--code", "RD250", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["last"], data["first"]) == (middle, new)
    assert data["appeared"] == ["RD250 mass_matrix of swing against reference"]


def test_diff_exits_with_1_for_what_is_new(reports: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = map(str, reports)
    assert main(["diff", old, new]) == 1
    assert "WORSE: 1 new" in capsys.readouterr().out
    assert main(["diff", new, old, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["what"] for one in data["findings"]] == ["fixed"]


def test_render_writes_a_saved_report_in_any_format(
    tmp_path: Path, reports: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert main(["render", str(reports[1]), "--format", f"html={page}", "--format", "json"]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert capsys.readouterr().out == reports[1].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["diff", "nothing.json", "nothing.json"], "nothing.json: cannot be read"),
        (["render", "nothing.json"], "nothing.json: cannot be read"),
        (["bump", "swing", "1", "2", "--format", "pdf"], "--format pdf: expected NAME or NAME=FILE"),
        (["bump", "swing", "1", "2", "--format", "json", "--format", "html"], "would share stdout"),
        (["bump", "swing", "1", "2", "--format", "html=nowhere/x.html"], "the folder 'nowhere' does not exist"),
        (["bump", "pin", "1", "2"], "no model given"),
        (["trend", "pinn", "m.urdf", "--version", "1"], "Did you mean 'pin'"),
        (["serve", "nowhere"], "there is no such folder"),
    ],
)
def test_what_cannot_be_used_is_said(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert message in capsys.readouterr().err
