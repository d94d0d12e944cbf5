from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import SettingsError, UsageError
from robodyn_check.settings import DEFAULT_LIBRARIES, KEYS, Settings, load_settings
from robodyn_check.settings_values import READERS

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_nothing_given_is_the_defaults(tmp_path: Path) -> None:
    settings = load_settings(folder=tmp_path, environment={})
    assert settings == Settings()
    assert settings.libraries == DEFAULT_LIBRARIES
    assert not settings.libraries_named


def test_every_key_has_a_reader() -> None:
    assert set(READERS) == set(KEYS)


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    write(tmp_path, "robodyn-check.toml", "samples = 10\nseed = 11\ntimeout = 12\n")
    environment = {"ROBODYN_CHECK_SAMPLES": "20", "ROBODYN_CHECK_SEED": "21"}
    settings = load_settings({"samples": 30, "seed": None}, folder=tmp_path, environment=environment)
    assert (settings.samples, settings.seed, settings.timeout, settings.memory) == (30, 21, 12.0, Settings().memory)


def test_the_file_is_found_from_a_folder_below_and_is_named(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", '[tool.robodyn-check]\nlib = ["drake"]\nfail-on = "warn"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    settings = load_settings(folder=below, environment={})
    assert settings.lib == ("drake",)
    assert settings.fail_on == "warn"
    assert settings.source == str((tmp_path / "pyproject.toml").resolve())


def test_own_file_beats_the_projects(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", "[tool.robodyn-check]\nsamples = 1\n")
    write(tmp_path, "robodyn-check.toml", "samples = 2\n")
    assert load_settings(folder=tmp_path, environment={}).samples == 2


def test_a_project_without_the_table_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "robodyn-check.toml", "samples = 2\n")
    below = tmp_path / "package"
    below.mkdir()
    write(below, "pyproject.toml", "[tool.other]\nsamples = 1\n")
    assert load_settings(folder=below, environment={}).samples == 2


def test_an_unknown_key_is_refused_with_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, "robodyn-check.toml", "sample = 2\n")
    with pytest.raises(SettingsError, match=r"unknown key 'sample'\. Did you mean 'samples'\? Known keys: .*fail-on"):
        load_settings(folder=tmp_path, environment={})


def test_a_broken_file_is_refused_with_its_name(tmp_path: Path) -> None:
    write(tmp_path, "robodyn-check.toml", "samples = \n")
    with pytest.raises(SettingsError, match=r"robodyn-check\.toml: this is not valid TOML"):
        load_settings(folder=tmp_path, environment={})


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("gravity", "0,0,-1.62", (0.0, 0.0, -1.62)),
        ("gravity", "-1, 2e-3,-0", (-1.0, 0.002, 0.0)),
        ("gravity", [0, 0, 1], (0.0, 0.0, 1.0)),
        ("select", ["RD2,RD301", "regressor"], ("RD2", "RD301", "regressor")),
        ("ignore", {"RD104": "we know"}, (("RD104", "we know"),)),
        ("ignore", ["RD104"], (("RD104", ""),)),
        ("format", ["json=a,b.json"], ("json=a,b.json",)),
        ("strict", "yes", True),
        ("memory", "512", 512),
    ],
)
def test_values_are_read(key: str, value: object, expected: object) -> None:
    assert READERS[key](value) == expected


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("gravity", "0,0", r"--gravity: found '0,0', expected three numbers x,y,z in m/s²"),
        ("gravity", "0,0,nan", "expected three numbers"),
        ("samples", 0, "--samples: found 0, expected a whole number, at least 1"),
        ("samples", True, "expected a whole number"),
        ("seed", "1.5", "expected a whole number"),
        ("base", "free", "--base: found 'free', expected one of fixed, floating"),
        ("fail_on", "never", "--fail-on: found 'never', expected one of fail, warn"),
        ("timeout", "inf", "--timeout: found 'inf', expected a positive number"),
        ("timeout", 0, "expected a positive number"),
        ("ignore", {"RD104": ""}, "expected a reason"),
        ("strict", "maybe", "expected true or false"),
        ("known_failures", "", "expected text"),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_option(key: str, value: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        load_settings({key: value}, folder=tmp_path, environment={})


def test_a_bad_environment_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="ROBODYN_CHECK_SAMPLES: found 'many'"):
        load_settings(folder=tmp_path, environment={"ROBODYN_CHECK_SAMPLES": "many"})
