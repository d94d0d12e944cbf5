"""The exam reads what is named, passes over what a folder holds beside robots, and outlives an error of ours."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.run import exam_robots
from robodyn_check.run.exam import Exam
from robodyn_check.run.exam_page import exam_page
from robodyn_check.run.exam_robots import default_models, robots, sit

PENDULUM = Path(__file__).parents[2] / "models" / "pendulum" / "model.urdf"


def test_the_default_exam_has_about_twenty_robots():
    models = default_models()
    assert 18 <= len(models) <= 24
    assert all(path.is_file() for path in models)


def test_a_named_file_that_is_no_robot_ends_the_exam(tmp_path: Path):
    (tmp_path / "broken.urdf").write_text("<robot")
    with pytest.raises(ModelError):
        list(robots([tmp_path / "broken.urdf"]))


def test_a_file_of_a_folder_that_is_no_robot_is_passed_over(tmp_path: Path):
    (tmp_path / "broken.urdf").write_text("<robot")
    shutil.copy(PENDULUM, tmp_path / "good.urdf")
    said: list[str] = []
    found = list(robots([], [str(tmp_path / "broken.urdf"), str(tmp_path / "good.urdf")], said.append))
    assert [robot.name for robot in found] == ["pendulum"]
    assert len(said) == 1
    assert "broken.urdf: passed over" in said[0]


def test_an_error_of_ours_is_shown_and_counts(monkeypatch: pytest.MonkeyPatch):
    def broken(*_arguments: object, **_options: object) -> None:
        raise ArithmeticError("SVD did not converge")

    monkeypatch.setattr(exam_robots, "examine", broken)
    exam = Exam()
    sit(exam, read_model(PENDULUM), seed=0, numbers=1, say=lambda _text: None)
    assert exam.went_wrong
    assert "ended by an error of robodyn-check: pendulum: ArithmeticError: SVD did not converge" in exam_page(
        exam, "exam", version="1"
    )


def test_a_robot_sits_with_each_base_that_moves_it(monkeypatch: pytest.MonkeyPatch):
    bases: list[object] = []
    monkeypatch.setattr(exam_robots, "examine", lambda *_, base="fixed", **__: bases.append(base))
    free = read_model(PENDULUM.parents[1] / "free_body" / "model.urdf")
    assert build_mechanism(free).nv == 0
    sit(Exam(), free, seed=0, numbers=3, say=lambda _text: None)
    assert bases == ["floating"]
