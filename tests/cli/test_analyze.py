"""``analyze`` from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.resources import resource_folder

if TYPE_CHECKING:
    from pathlib import Path

MODEL = str(resource_folder("models") / "planar_2r" / "model.urdf")


def test_json_holds_everything_and_joint_data_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = tmp_path / "arm.joints.toml"
    data.write_text("[default]\ngear_ratio = 50\nrotor_inertia = 1e-4\n")
    assert main(["analyze", MODEL, "--joints", str(data), "--samples", "20", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["joint_data"] == str(data)
    assert [row["rotor"] for row in found["joints"]] == pytest.approx([0.25] * len(found["joints"]))


def test_html_goes_to_a_file_beside_the_terminal_s_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "page.html"
    assert main(["analyze", MODEL, "--samples", "20", "--format", "terminal", "--format", f"html={file}"]) == 0
    assert "Inertia each joint carries" in capsys.readouterr().out
    assert file.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "pdf"], "--format pdf: analyze knows terminal, json, html"),
        (["--format", "json", "--format", "html"], "two formats would share stdout"),
        (["--tool", "gripper"], "--tool gripper: the model has no such link."),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["analyze", MODEL, *words]) == 2
    assert said in capsys.readouterr().err


def test_a_fault_in_the_joint_data_is_shown_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = tmp_path / "arm.joints.toml"
    data.write_text("[default]\ngear_ratoi = 50\n")
    assert main(["analyze", MODEL, "--joints", str(data)]) == 2
    assert f"{data}:2: unknown key 'gear_ratoi'" in capsys.readouterr().err
