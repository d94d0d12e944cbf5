"""A regressor in another convention is recognised by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.checks.registry import load
from robodyn_check.faults.library import library_fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.checks.conftest import Bench


def test_columns_in_another_order_are_named(build_bench: Callable[..., Bench]):
    bench = build_bench("deep")
    planted = library_fault("regressor-order").plant(bench.scene)
    assert planted is not None
    (result,) = bench.judge(planted.answer, checks=load(["RD304"]))
    assert result.verdict == "fail"
    assert "in another convention: m, m c, I with I as xx xy yy xz yz zz about the link frame." in (
        result.message or ""
    )
