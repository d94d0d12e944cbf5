"""``study`` from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli import study
from robodyn_check.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

#: No library, so that only the reference is asked.
NONE = ("--robots", "2", "--samples", "1")


@pytest.fixture
def reference_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "DEFAULT_LIBRARIES", ())


@pytest.mark.usefixtures("reference_alone")
def test_an_interrupted_study_goes_on_and_its_page_is_that_of_the_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    keep, page = tmp_path / "study.jsonl", tmp_path / "page.md"
    assert main(["study", "rounding", "--robots", "1", "--samples", "1", "--keep", str(keep)]) == 0
    first = keep.read_text()
    assert main(["study", "rounding", *NONE, "--keep", str(keep), "--output", str(page)]) == 0
    assert keep.read_text().startswith(first)
    assert len(keep.read_text().splitlines()) == 3  # what it is, and two robots
    assert capsys.readouterr().out.endswith(page.read_text())
    assert "| all |  | 2 | 1 |" in page.read_text()
    assert "**0 false alarms.**" in page.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["study", "rouding"], "study rouding: there is one study, 'rounding'"),
        (["study", "rounding", "--output", "nowhere/page.md"], "--output nowhere/page.md: the folder 'nowhere'"),
        (["study", "rounding", "--keep", "nowhere/s.jsonl"], "--keep nowhere/s.jsonl: the folder 'nowhere'"),
    ],
)
@pytest.mark.usefixtures("reference_alone")
def test_what_cannot_be_done_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(words) == 2
    assert said in capsys.readouterr().err
