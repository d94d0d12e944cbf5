"""What a rounding study keeps, to go on later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.analysis.study_file import kept, line_of, start_or_continue
from robodyn_check.analysis.study_population import Case
from robodyn_check.analysis.study_rounding import Measured, Observation
from robodyn_check.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

PARAMETERS = {"libraries": ["pinocchio"], "samples": 2, "seed": 0}


def observation(seed: int) -> Observation:
    return Observation(
        case=Case(population="mimic", seed=seed),
        subject="pinocchio",
        measured=(
            Measured(code="RD250", quantity="mass_matrix", verdict="pass", largest=0.1 + seed, margin=0.0),
            Measured(code="RD901", quantity="", verdict="error", message="killed"),
        ),
        digits={"mass_matrix": 14.5},
        trouble="",
        seconds=0.25,
    )


def test_what_is_kept_is_read_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    start_or_continue(path, PARAMETERS)
    with path.open("a") as file:
        file.write(line_of([observation(1), observation(2)]))
    start_or_continue(path, PARAMETERS)
    assert list(kept(path)) == [observation(1), observation(2)]


def test_a_line_that_was_cut_off_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    start_or_continue(path, PARAMETERS)
    with path.open("a") as file:
        file.write(line_of([observation(1)]) + line_of([observation(2)])[:40])
    start_or_continue(path, PARAMETERS)
    assert list(kept(path)) == [observation(1)]


def test_the_file_of_another_study_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    start_or_continue(path, PARAMETERS)
    with pytest.raises(UsageError, match=r"keeps another study.*name another file, or delete it"):
        start_or_continue(path, {**PARAMETERS, "seed": 1})


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--keep .*: the folder '.*nowhere' does not exist"):
        start_or_continue(tmp_path / "nowhere" / "study.jsonl", PARAMETERS)
