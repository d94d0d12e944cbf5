"""``--save-baseline``, ``--baseline`` and ``--resume`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robodyn_check.cli.main import main

from .conftest import MODEL, SWING, Environment

WORDS = [str(MODEL), "--adapter", str(SWING), "--samples", "12", "--certify", "0", "--select", "RD25,RD45,RD94"]


def check(*words: object) -> int:
    return main([*WORDS, *map(str, words)])


def report_of(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def baseline_results(path: Path) -> dict[str, dict[str, Any]]:
    results = report_of(path)["models"][0]["results"]
    return {one["quantity"] or "": one for one in results if one["code"] == "RD945"}


@pytest.fixture
def saved(tmp_path: Path, environment: Environment) -> Path:
    path = tmp_path / "baseline.json"
    assert check("--lib", f"swing{environment('1.0')}", "--save-baseline", path) == 0
    return path


@pytest.mark.parametrize(
    ("behaviour", "verdict", "code"),
    [("1.1", "pass", 0), ("1.2 rounds", "pass", 0), ("1.3 wrong", "warn", 1), ("1.6 gone", "warn", 1)],
)
def test_answers_are_compared_with_the_baseline(
    tmp_path: Path, saved: Path, environment: Environment, behaviour: str, verdict: str, code: int
) -> None:
    out = tmp_path / "now.json"
    words = ("--lib", f"swing{environment(behaviour)}", "--baseline", saved, "--format", f"json={out}")
    assert check(*words) == code
    found = baseline_results(out)
    assert found["gravity_vector"]["verdict"] == "pass"
    assert found["gravity_vector"]["margin"] == 0
    assert found["mass_matrix"]["verdict"] == verdict


def test_other_doubles_within_the_bound_are_counted(tmp_path: Path, saved: Path, environment: Environment) -> None:
    out = tmp_path / "now.json"
    check("--lib", f"swing{environment('1.2 rounds')}", "--baseline", saved, "--format", f"json={out}")
    change = baseline_results(out)["mass_matrix"]
    assert change["message"] == "12 numbers of 12 differ from the baseline"
    assert 0 < change["margin"] < 1


def test_what_was_wrong_in_the_baseline_is_known(tmp_path: Path, environment: Environment) -> None:
    path, out = tmp_path / "baseline.json", tmp_path / "now.json"
    spec = f"swing{environment('1.3 wrong')}"
    assert check("--lib", spec, "--save-baseline", path) == 1
    assert check("--lib", spec, "--baseline", path, "--format", f"json={out}") == 0
    failed = [one for one in report_of(out)["models"][0]["results"] if one["verdict"] == "fail"]
    assert failed
    assert {one["known"]["source"] for one in failed} == {str(path)}


def test_other_states_are_not_compared(tmp_path: Path, saved: Path, environment: Environment) -> None:
    out = tmp_path / "now.json"
    check("--lib", f"swing{environment('1.0')}", "--baseline", saved, "--seed", "3", "--format", f"json={out}")
    (result,) = baseline_results(out).values()
    assert result["verdict"] == "skip"
    assert "not those of the baseline" in result["message"]


def test_a_fail_writes_the_values_beside_the_report(tmp_path: Path, environment: Environment) -> None:
    out = tmp_path / "now.json"
    check("--lib", f"swing{environment('1.3 wrong')}", "--format", f"json={out}")
    assert report_of(out)["values_file"]["name"] == "now.values.npz"
    assert (tmp_path / "now.values.npz").is_file()


def test_a_pass_writes_no_values(tmp_path: Path, environment: Environment) -> None:
    out = tmp_path / "now.json"
    check("--lib", f"swing{environment('1.0')}", "--format", f"json={out}")
    assert report_of(out)["values_file"] is None
    assert not (tmp_path / "now.values.npz").exists()


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        ("--baseline", None, "cannot be read"),
        ("--baseline", "{", "the report is not JSON"),
        ("--resume", None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, content: str | None, message: str
) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert check(option, path) == 2
    assert message in capsys.readouterr().err


def test_a_report_without_values_is_no_baseline(
    tmp_path: Path, environment: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "now.json"
    check("--lib", f"swing{environment('1.0')}", "--format", f"json={out}")
    assert check("--baseline", out) == 2
    assert "the report has no values beside it. Write it with --save-baseline." in capsys.readouterr().err


def test_an_interrupted_run_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from robodyn_check import pipeline  # noqa: PLC0415 - patched here

    models = [tmp_path / f"{name}.urdf" for name in ("first", "second", "third")]
    for path in models:
        path.write_text(MODEL.read_text(encoding="utf-8"), encoding="utf-8")
    words = [*map(str, models), *WORDS[1:]]
    out, seen = tmp_path / "report.json", []
    real = pipeline.check_model

    def interrupted(gathered: Any, *rest: Any) -> None:
        seen.append(Path(gathered.path).stem)
        real(gathered, *rest)
        if seen == ["first", "second"]:
            raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "check_model", interrupted)
    assert main([*words, "--format", f"json={out}"]) == 130
    first = report_of(out)
    assert [one["complete"] for one in first["models"]] == [True, False]

    seen.append("again")
    assert main([*words, "--resume", str(out), "--format", f"json={out}"]) == 0
    assert seen == ["first", "second", "again", "second", "third"]
    whole = report_of(out)
    assert whole["footer"]["complete"] is True
    assert [Path(one["model"]["path"]).stem for one in whole["models"]] == ["first", "second", "third"]
    assert whole["models"][0] == first["models"][0]


def test_a_model_that_changed_is_checked_again(tmp_path: Path) -> None:
    from robodyn_check.regression.resume import finished_models  # noqa: PLC0415 - beside its use
    from robodyn_check.report.json_format import read_report  # noqa: PLC0415 - the same
    from robodyn_check.settings import Settings  # noqa: PLC0415 - the same

    model, out = tmp_path / "model.urdf", tmp_path / "report.json"
    model.write_text(MODEL.read_text(encoding="utf-8"), encoding="utf-8")
    main([str(model), *WORDS[1:], "--format", f"json={out}"])
    report = read_report(out.read_text(encoding="utf-8"))
    settings = Settings(models=(str(model),), adapter=(str(SWING),), samples=12, certify=0)
    assert list(finished_models(report, settings, out)) == [str(model)]
    model.write_text(MODEL.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert finished_models(report, settings, out) == {}


def test_another_run_is_not_taken_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.json"
    check("--format", f"json={out}")
    assert check("--resume", out, "--seed", "4") == 2
    assert "that run was another one" in capsys.readouterr().err
