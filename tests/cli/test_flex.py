"""The verb ``flex``: page, JSON, picture, and sentences for what cannot be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from robodyn_check.cli.main import main

MODEL = Path(__file__).parents[2] / "models" / "pendulum" / "model.urdf"


@pytest.fixture
def joints(tmp_path: Path) -> Path:
    path = tmp_path / "arm.joints.toml"
    path.write_text("[default]\nstiffness = 1e3\nmotor_inertia = 0.2\n")
    return path


@pytest.fixture(autouse=True)
def no_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An adapter whose library is nowhere stands for all of them, so that the run is quick."""
    (tmp_path / "robodyn-check.toml").write_text("samples = 5\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("robodyn_check.run.flexible.FLEXIBLE_LIBRARIES", ())


def test_the_page_shows_frequencies_and_verdicts(joints: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["flex", str(MODEL), "--joints", str(joints), "--poses", "1"]) == 0
    page = capsys.readouterr().out
    assert "Elastic joints of" in page
    assert "free, no gravity" in page
    assert "motors locked" in page
    assert all(len(line) <= 80 for line in page.splitlines() if "/" not in line)


def test_json_and_picture(joints: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    picture = tmp_path / "bode.svg"
    command = ["flex", str(MODEL), "--joints", str(joints), "--format", "json", "--bode", str(picture)]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["drives"][0]["relative_degree_link"] == 4
    assert found["report"]["models"][0]["results"]
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "html"], "flex prints 'terminal' or 'json'"),
        (["--bode", "nowhere/x.svg"], "the folder 'nowhere' does not exist"),
        (["--joints", "nowhere.toml"], "nowhere.toml: cannot be read"),
        ([], "no --joints FILE"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert main(["flex", str(MODEL), *arguments]) == 2
    assert message in capsys.readouterr().err
