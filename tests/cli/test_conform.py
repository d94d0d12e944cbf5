"""The verbs ``conform`` and ``cache``: exit codes, the page, sentences for what cannot be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_check.cli.main import main

MODEL = Path(__file__).parents[2] / "models" / "planar_2r" / "model.urdf"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_program_that_dies_at_once_does_not_conform(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "dies"
    program.write_text("#!/bin/sh\necho no licence >&2\nexit 3\n")
    program.chmod(0o755)
    assert main(["conform", "./dies", str(MODEL)]) == 1
    page = capsys.readouterr().out
    assert "exit code 3" in page
    assert "no licence" in page
    assert "DOES NOT CONFORM: dies breaks the protocol in 1 place." in page
    assert "without a greeting nothing can be asked" in page


@pytest.mark.parametrize(
    ("adapter", "words"),
    [("./absent.py", "there is no such file"), ("pinochio", "Did you mean 'pinocchio'?")],
)
def test_an_adapter_that_is_not_there_is_a_usage_error(adapter: str, words: str, capsys: pytest.CaptureFixture[str]):
    assert main(["conform", adapter, str(MODEL)]) == 2
    assert words in capsys.readouterr().err


def test_cache_lists_and_cleans(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["cache"]) == 0
    assert "no cached environments in" in capsys.readouterr().out
    folder = tmp_path / "cache" / "robodyn-check" / "environments" / "some-1.0-abc"
    folder.mkdir(parents=True)
    record = '{"folder": "%s", "adapter": "some", "requirements": ["some==1.0"], "python": "3.11", "as_of": null, '
    (folder / "environment.json").write_text(record % folder + '"made": "2025-01-01T00:00:00+00:00"}')
    assert main(["cache"]) == 0
    assert "some: some==1.0 (Python 3.11)" in capsys.readouterr().out
    assert main(["cache", "--clean", "some"]) == 0
    assert f"removed {folder}" in capsys.readouterr().out
    assert not folder.exists()
