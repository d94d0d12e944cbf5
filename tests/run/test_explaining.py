"""A diagnosis that breaks costs an error of ours and nothing else."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check import check
from robodyn_check.diagnosis.causes import UNEXPLAINED
from robodyn_check.model.read import read_model
from robodyn_check.report.results import Result
from robodyn_check.run import explaining
from robodyn_check.run.assemble import REFERENCE
from robodyn_check.run.exam_class import exam_class

if TYPE_CHECKING:
    import pytest

ADAPTER = Path(__file__).parent / "pendulum_adapter.py"
MODEL = Path(__file__).parents[2] / "models" / "pendulum" / "model.urdf"


def test_what_was_judged_survives_a_diagnosis_that_raises(monkeypatch: pytest.MonkeyPatch):
    def broken(*_arguments: object, **_options: object) -> None:
        raise ArithmeticError("SVD did not converge")

    monkeypatch.setattr(explaining, "diagnosis_of", broken)
    report = check(MODEL, libraries=["pendulum:wrong"], adapters=[ADAPTER], samples=6, certify=0)
    results = report.models[0].results
    ours = [result for result in results if result.message and "SVD did not converge" in result.message]
    assert [result.verdict for result in ours] == ["error"]
    assert any(result.verdict == "fail" and result.code == "RD250" for result in results)


def test_a_fail_near_its_bound_is_not_explained_and_says_why():
    pupils = exam_class(read_model(MODEL), base="fixed", seed=0)
    near = Result(
        code="RD250",
        slug="mass-matrix-agrees",
        verdict="fail",
        subject="library",
        against=REFERENCE,
        quantity="mass_matrix",
        margin=1.7,
    )
    own = dataclasses.replace(near, against=None)
    named = explaining.with_causes([near, own], "library", None, setting=pupils.setting, robot=pupils.robot)
    assert named[0].cause is not None
    assert named[0].cause.name == UNEXPLAINED
    assert "1.7 times its bound: so near that rounding" in named[0].cause.evidence[0]
    assert named[1].cause is None
