from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.sweep.dataset import Dataset
from robodyn_check.sweep.outcome import Outcome
from robodyn_check.sweep.query import ask

if TYPE_CHECKING:
    from pathlib import Path


def outcome(key: str, verdict: str = "pass", library: str = "lib") -> Outcome:
    task = {
        "key": key,
        "model": f"{key}.urdf",
        "library": library,
        "spec": library,
        "version": "3.10.1",
        "verdict": verdict,
    }
    return Outcome(key=key, task=task, results=({"code": "RD201", "slug": "symmetric", "result": verdict},))


def open_dataset(folder: Path) -> Dataset:
    dataset = Dataset(folder)
    dataset.remember({})
    return dataset


def kill(dataset: Dataset) -> None:
    """Let go of the files as the end of a process does, without a last word."""
    dataset._lock.close()
    if dataset._journal is not None:
        dataset._journal.close()


def test_what_was_added_is_found_again(tmp_path: Path) -> None:
    with open_dataset(tmp_path / "data") as dataset:
        dataset.add(outcome("a"))
        dataset.add(outcome("b", "fail", "other"))
    with open_dataset(tmp_path / "data") as dataset:
        assert dataset.verdicts() == {"a": "pass", "b": "fail"}


def test_a_line_cut_short_is_in_flight_and_the_lines_before_it_are_kept(tmp_path: Path) -> None:
    dataset = open_dataset(tmp_path / "data")
    dataset.add(outcome("a"))
    kill(dataset)
    journal = tmp_path / "data" / "journal-000001.jsonl"
    with journal.open("a", encoding="utf-8") as file:
        file.write('{"key": "b", "task": {"libr')
    with open_dataset(tmp_path / "data") as again:
        assert again.verdicts() == {"a": "pass"}
    assert not journal.exists()


def test_a_kill_between_parquet_and_journal_doubles_nothing(tmp_path: Path) -> None:
    dataset = open_dataset(tmp_path / "data")
    dataset.add(outcome("a"))
    journal = tmp_path / "data" / "journal-000001.jsonl"
    kept = journal.read_text()
    dataset.__exit__()
    journal.write_text(kept)
    with open_dataset(tmp_path / "data"):
        pass
    assert ask(tmp_path / "data", "SELECT (SELECT count(*) FROM tasks), (SELECT count(*) FROM results)").rows == (
        (1, 1),
    )


def test_of_two_answers_the_later_counts(tmp_path: Path) -> None:
    for verdict in ("error", "pass"):
        with open_dataset(tmp_path / "data") as dataset:
            dataset.add(outcome("a", verdict))
    assert ask(tmp_path / "data", "SELECT verdict FROM tasks").rows == (("pass",),)
    assert ask(tmp_path / "data", "SELECT result FROM results").rows == (("pass",),)
    with open_dataset(tmp_path / "data") as dataset:
        assert dataset.verdicts() == {"a": "pass"}


def test_two_sweeps_do_not_write_into_one_dataset(tmp_path: Path) -> None:
    with open_dataset(tmp_path / "data"), pytest.raises(UsageError, match="another sweep is writing"):
        Dataset(tmp_path / "data")


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UsageError, match="is there and is no dataset of a sweep"):
        Dataset(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_questions_see_what_a_killed_sweep_left(tmp_path: Path) -> None:
    dataset = open_dataset(tmp_path / "data")
    dataset.add(outcome("a"))
    kill(dataset)
    assert ask(tmp_path / "data", "SELECT key FROM tasks").rows == (("a",),)


def test_questions_to_an_empty_dataset_have_no_rows(tmp_path: Path) -> None:
    with open_dataset(tmp_path / "data"):
        pass
    assert ask(tmp_path / "data", "SELECT * FROM tasks").rows == ()
