"""Symbols that are not symmetric are found, also where every other check of the Coriolis matrix is silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.registry import load
from robodyn_check.faults.fault import tampered

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.faults.fault import Answerer, FloatArray
    from robodyn_check.requests import Request
    from tests.checks.conftest import Bench


def with_a_special_case(answer: Answerer) -> Answerer:
    """Return a subject whose C has two entries more where exactly one joint moves, with speed 1: skew, no force."""

    def more(request: Request, values: FloatArray) -> FloatArray:
        assert request.v is not None, "C is asked with a velocity"
        for row, v in enumerate(request.v):
            if np.count_nonzero(v) == 1 and v.max() == 1.0:
                first, second = [k for k in range(len(v)) if v[k] == 0.0][:2]
                values[row, first, second] += 1e-6
                values[row, second, first] -= 1e-6
        return values

    return tampered(answer, {"coriolis_matrix": more})


def test_a_special_case_for_one_moving_joint_is_found_by_this_check_alone(build_bench: Callable[[str], Bench]) -> None:
    bench = build_bench("deep")
    results = bench.judge(with_a_special_case(bench.scene.answer), checks=load(["RD4"]))
    assert [result.code for result in results if result.verdict not in {"pass", "skip"}] == ["RD425"]


def test_the_symbol_is_named_by_its_joints_and_the_velocity(build_bench: Callable[[str], Bench]) -> None:
    bench = build_bench("vertical_root")
    (result,) = bench.judge(with_a_special_case(bench.scene.answer), checks=load(["RD425"]))
    assert result.worst is not None
    assert result.worst.labels[2].startswith("velocity of ")
    assert "with the two velocities exchanged" in (result.message or "")


def test_only_a_declared_christoffel_matrix_is_asked(build_bench: Callable[[str], Bench]) -> None:
    bench = build_bench("vertical_root")
    (result,) = bench.judge(bench.scene.answer, coriolis="skew", checks=load(["RD425"]))
    assert (result.verdict, result.message) == ("skip", "the subject does not declare Christoffel's matrix")
