"""The class of a Coriolis matrix is found and shown, and weaker than declared is a fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.checks.registry import load
from robodyn_check.faults.library import library_fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.checks.conftest import Bench


@pytest.mark.parametrize(
    ("fault", "declared", "verdict", "said"),
    [
        (None, "any", "pass", "It is Christoffel's matrix."),
        ("coriolis-another-skew", "skew", "pass", "It is a skew factorisation that is not Christoffel's."),
        ("coriolis-another-skew", "christoffel", "fail", "declares its C to be 'christoffel'. It is a skew"),
        ("coriolis-not-skew", "any", "pass", "It is a factorisation with the right product that is not skew."),
        ("coriolis-not-skew", "skew", "fail", "declares its C to be 'skew'. It is a factorisation"),
        ("coriolis-transposed", "any", "fail", "no Coriolis matrix of this robot: its product with v is wrong."),
    ],
)
def test_the_class_is_found(
    build_bench: Callable[..., Bench], fault: str | None, declared: str, verdict: str, said: str
):
    bench = build_bench("deep")
    planted = None if fault is None else library_fault(fault).plant(bench.scene)
    answer = bench.scene.answer if planted is None else planted.answer
    (result,) = bench.judge(answer, coriolis=declared, checks=load(["RD421"]))
    assert result.verdict == verdict
    assert said in (result.message or "")
