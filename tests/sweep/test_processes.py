from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.sweep.dataset import Dataset
from robodyn_check.sweep.processes import Processes
from robodyn_check.sweep.query import ask
from robodyn_check.sweep.run import run_sweep
from tests.sweep.robots import ADAPTER, content, copies, killer, settings, start

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.settings import Settings
    from robodyn_check.sweep.run import Sweep


def sweep(folder: Path, given: Settings, *, count: int = 1, retry_failed: bool = False) -> Sweep:
    with Dataset(folder) as dataset, Processes(count) as processes:
        dataset.remember({})
        return run_sweep(given, dataset, processes, retry_failed=retry_failed)


def finished(folder: Path) -> int:
    """Return how many tasks a running sweep has finished."""
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("journal-*.jsonl"))


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Settings, Sweep]:
    folder = tmp_path_factory.mktemp("swept")
    given = settings(copies(folder / "robots", 4), "pendulum", "pendulum:wrong")
    return folder / "data", given, sweep(folder / "data", given, count=2)


def test_every_model_and_library_has_its_verdict(swept: tuple[Path, Settings, Sweep]) -> None:
    folder, _, done = swept
    assert done.table() == {"pendulum": {"pass": 4}, "pendulum:wrong": {"fail": 4}}
    assert (done.worked, done.answered, done.exit_code) == (8, 0, 1)
    assert ask(folder, "SELECT spec, verdict, count(*) FROM tasks GROUP BY ALL ORDER BY ALL").rows == (
        ("pendulum", "pass", 4),
        ("pendulum:wrong", "fail", 4),
    )


def test_only_failures_keep_their_whole_report(swept: tuple[Path, Settings, Sweep]) -> None:
    assert ask(swept[0], "SELECT spec, count(*) FROM reports GROUP BY ALL").rows == (("pendulum:wrong", 4),)


def test_what_the_dataset_has_is_not_computed_again(swept: tuple[Path, Settings, Sweep]) -> None:
    folder, given, done = swept
    again = sweep(folder, given)
    assert (again.worked, again.answered) == (0, 8)
    assert again.verdicts == done.verdicts


def test_one_process_and_two_give_the_same_dataset(swept: tuple[Path, Settings, Sweep], tmp_path: Path) -> None:
    sweep(tmp_path / "data", swept[1])
    assert content(tmp_path / "data") == content(swept[0])


def test_failures_alone_are_asked_again_when_wanted(tmp_path: Path) -> None:
    given = settings(copies(tmp_path / "robots", 2), "pendulum", "pendulum:wrong")
    sweep(tmp_path / "data", given)
    assert sweep(tmp_path / "data", given, retry_failed=True).worked == 2


def test_an_unreadable_model_is_an_error_with_its_line_and_costs_nothing_else(tmp_path: Path) -> None:
    models = copies(tmp_path / "robots", 1)
    broken = tmp_path / "robots" / "broken.urdf"
    broken.write_text("<robot>\n<link>\n</robot>\n")
    done = sweep(tmp_path / "data", settings([*models, str(broken)]))
    assert sorted(done.verdicts.values()) == ["error", "pass"]
    ((reason,),) = ask(tmp_path / "data", "SELECT reason FROM tasks WHERE verdict = 'error'").rows
    assert "broken.urdf:" in str(reason)


def test_a_task_that_kills_its_worker_is_an_error_and_all_others_get_their_answer(tmp_path: Path) -> None:
    models = [*copies(tmp_path / "robots", 3), *copies(tmp_path / "robots", 1, name="poison")]
    done = sweep(tmp_path / "data", settings(models, "killer", adapter=killer(tmp_path)))
    assert len(done.verdicts) == 4
    rows = ask(tmp_path / "data", "SELECT model, verdict, reason FROM tasks WHERE verdict = 'error'").rows
    assert [str(row[0]).rsplit("/", 1)[1] for row in rows] == ["poison0.urdf"]
    assert rows[0][2] == "the worker process that did this task died, and so did the next one"


def test_killed_three_times_and_resumed_the_dataset_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    models = copies(tmp_path / "robots", 8)
    adapter = killer(tmp_path)
    words = [*models, "--adapter", adapter, "--lib", "killer:slow", "--samples", "10", "--certify", "0", "--jobs", "2"]
    killed = tmp_path / "killed"
    begun = ["sweep", *words, "--out", str(killed)]
    before = 0
    for _ in range(3):
        process = start(*begun)
        deadline = time.monotonic() + 120
        while not before < finished(killed) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert process.poll() is None, process.communicate()[0]
        process.send_signal(signal.SIGKILL)
        process.communicate()
        begun = ["sweep", "--resume", "--jobs", "2", "--out", str(killed)]
        before = 0  # the next sweep begins a journal of its own
    last = start(*begun)
    said, _ = last.communicate(timeout=240)
    assert last.returncode == 0, said
    whole = sweep(tmp_path / "whole", settings(models, "killer:slow", adapter=adapter))
    assert whole.worked == 8
    assert content(killed) == content(tmp_path / "whole")
    assert "0 answered" not in said


def test_resume_takes_no_other_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "robots", "--resume", "--samples", "3", "--out", str(tmp_path)]) == 2
    assert "leave out models, samples" in capsys.readouterr().err


def test_nothing_to_resume_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "--resume", "--out", str(tmp_path / "none")]) == 2
    assert "holds no sweep to resume; start one" in capsys.readouterr().err


def test_a_sweep_needs_a_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sweep"]) == 2
    assert "no model given. Name files, folders or globs" in capsys.readouterr().err


def test_the_verb_says_what_was_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = copies(tmp_path / "robots", 1)[0]
    words = ["--adapter", ADAPTER, "--samples", "10", "--certify", "0", "--jobs", "1", "--out", str(tmp_path / "data")]
    assert main(["sweep", model, *words]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0].split() == ["library", "pass"]
    assert "1 models, 1 tasks: 1 done now, 0 answered from the dataset" in said
