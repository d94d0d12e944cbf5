"""A diagnosis that breaks costs an error of ours and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check import check
from robodyn_check.run import explaining

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
