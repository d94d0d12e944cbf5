from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import jsonschema
import pytest
import yaml  # type: ignore[import-untyped]

from robodyn_check.cli.main import main
from robodyn_check.regression.setup_files import find_models
from robodyn_check.settings import load_settings
from robodyn_check.settings_schema import settings_schema

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / 'arm "2".urdf').write_text("<robot name='r'/>", encoding="utf-8")
    (tmp_path / "robots" / "leg.xml").write_text("<mujoco/>", encoding="utf-8")
    (tmp_path / "robots" / "package.xml").write_text("<package/>", encoding="utf-8")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "other.urdf").write_text("<robot name='o'/>", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_models_are_found_and_other_peoples_are_not(repository: Path) -> None:
    assert find_models(repository) == ('robots/arm "2".urdf', "robots/leg.xml")


def test_what_init_writes_is_read_back(repository: Path) -> None:
    assert main(["init", "--lib", "pinocchio"]) == 0
    settings = load_settings(folder=repository, environment={})
    assert settings.models == ('robots/arm "2".urdf', "robots/leg.xml")
    assert settings.lib == ("pinocchio",)
    table = tomllib.loads((repository / "robodyn-check.toml").read_text(encoding="utf-8"))
    jsonschema.validate(table, settings_schema())


@pytest.mark.parametrize("before", ['[project]\nname = "x"\n', '[project]\nname = "x"', ""])
def test_a_pyproject_gets_a_table_and_keeps_the_rest(repository: Path, before: str) -> None:
    project = repository / "pyproject.toml"
    project.write_text(before, encoding="utf-8")
    assert main(["init", "robots/leg.xml"]) == 0
    assert project.read_text(encoding="utf-8").startswith(before)
    assert load_settings(folder=repository, environment={}).models == ("robots/leg.xml",)
    assert not (repository / "robodyn-check.toml").exists()


def test_ci_and_pre_commit_files_are_valid_yaml(repository: Path) -> None:
    assert main(["init", "--ci", "github", "--ci", "gitlab", "--pre-commit"]) == 0
    for path in (".github/workflows/dynamics.yml", ".gitlab/dynamics.yml", ".pre-commit-config.yaml"):
        assert isinstance(yaml.safe_load((repository / path).read_text(encoding="utf-8")), dict)


def test_nothing_is_written_where_one_file_exists(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / ".pre-commit-config.yaml").write_text("repos: []\n", encoding="utf-8")
    assert main(["init", "--pre-commit"]) == 2
    assert "exists already; add this to it yourself" in capsys.readouterr().err
    assert not (repository / "robodyn-check.toml").exists()


def test_a_second_init_is_refused(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "pyproject.toml").write_text("", encoding="utf-8")
    assert main(["init"]) == 0
    assert main(["init"]) == 2
    assert "has [tool.robodyn-check] already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.urdf"], "nothing.urdf: there is no such file"),
        (["--ci", "jenkins"], "--ci jenkins: expected one of github, gitlab"),
    ],
)
def test_what_cannot_be_done_is_said(
    repository: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert repository.is_dir()
    assert main(["init", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_without_models_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 2
    assert "no URDF or MJCF file was found here" in capsys.readouterr().err
