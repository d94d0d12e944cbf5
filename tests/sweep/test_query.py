from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.errors import UsageError
from robodyn_check.sweep.dataset import Dataset
from robodyn_check.sweep.outcome import Outcome
from robodyn_check.sweep.query import BY, as_csv, as_json, as_table, ask, ready_question

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [
    ("a.urdf", "3.9.0", "fail", "RD250"),
    ("a.urdf", "3.10.0", "pass", "RD250"),
    ("b.urdf", "3.10.0", "known", "RD250"),
    ("b.urdf", "3.11.0", "error", "RD943"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with Dataset(tmp_path / "data") as dataset:
        dataset.remember({})
        for number, (model, version, verdict, code) in enumerate(ROWS):
            task = {
                "key": str(number),
                "model": model,
                "library": "lib",
                "spec": "lib",
                "version": version,
                "verdict": verdict,
            }
            result = {
                "code": code,
                "slug": code.lower(),
                "result": "fail" if verdict == "known" else verdict,
                "is_known": verdict == "known",
                "cause": "rotated",
            }
            dataset.add(Outcome(key=str(number), task=task, results=(result,)))
    return tmp_path / "data"


def test_fails_leaves_out_what_is_known(data: Path) -> None:
    answer = ask(data, ready_question(fails=True, by=None, since=None))
    assert [row[:4] for row in answer.rows] == [
        ("a.urdf", "lib", "3.9.0", "fail"),
        ("b.urdf", "lib", "3.11.0", "error"),
    ]


def test_since_orders_versions_by_number(data: Path) -> None:
    answer = ask(data, ready_question(fails=False, by=None, since="3.10"))
    assert {row[2] for row in answer.rows} == {"3.10.0", "3.11.0"}


def test_fails_by_check_counts_results(data: Path) -> None:
    answer = ask(data, ready_question(fails=True, by="check", since=None))
    assert sorted(row[:3] for row in answer.rows) == [("RD250", "rd250", 1), ("RD943", "rd943", 1)]


@pytest.mark.parametrize("word", BY)
@pytest.mark.parametrize("since", [None, "3"])
def test_every_ready_question_has_an_answer(data: Path, word: str, since: str | None) -> None:
    assert ask(data, ready_question(fails=True, by=word, since=since)).rows


def test_formats_carry_the_same_rows(data: Path) -> None:
    answer = ask(data, "SELECT model, version FROM tasks ORDER BY ALL LIMIT 1")
    assert as_table(answer) == "model   version\na.urdf  3.10.0\n(1 row)\n"
    assert as_csv(answer) == "model,version\na.urdf,3.10.0\n"
    assert json.loads(as_json(answer)) == [{"model": "a.urdf", "version": "3.10.0"}]


def test_a_wrong_statement_is_answered_with_the_views(data: Path) -> None:
    with pytest.raises(UsageError, match=r"(?s)nonsense.*Views: tasks, results, reports"):
        ask(data, "SELECT nonsense FROM tasks")


def test_a_statement_reaches_no_other_file(data: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(UsageError, match="Permission Error"):
        ask(data, f"FROM read_csv('{tmp_path}/secret.csv')")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing asked"),
        (["SELECT 1", "--fails"], "not both"),
        (["--by", "colour"], "--by colour: expected one of library"),
        (["--since", "new"], "--since new: expected a version such as 3.14"),
        (["--fails", "--format", "xml"], "--format xml: expected one of table, csv, json"),
        (["--fails", "--data", "nowhere"], "nowhere is no dataset of a sweep"),
    ],
)
def test_questions_that_cannot_be_asked_say_why(
    data: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", "--data", str(data), *words]) == 2
    assert said in capsys.readouterr().err


def test_the_verb_prints_the_answer(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "--data", str(data), "--by", "library", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "spec,version,tasks,pass,warn,known,skip,fail,error"
