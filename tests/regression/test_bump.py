from __future__ import annotations

import pytest

from robodyn_check.regression.bump import (
    ModelBump,
    QuantityBump,
    Standing,
    Status,
    bump_sentence,
    call_is_gone,
    exit_code_of,
    status_of,
)
from robodyn_check.regression.calls import CallChange
from robodyn_check.regression.values import Change

RIGHT, WRONG, SILENT = Standing(verdict="pass", margin=0.1), Standing(verdict="fail", margin=1e9), Standing()
SAME = Change(entries=4, equal=4, largest=0.0, units=0.0, margin=0.0)
NEAR = Change(entries=4, equal=3, largest=1e-16, units=1.0, margin=0.01)
FAR = Change(entries=4, equal=3, largest=1.0, units=1e15, margin=1e13)
GONE = Standing(verdict="error", message="AttributeError: 'MjData' object has no attribute 'qM'")
DEAD = Standing(verdict="error", message="mass_matrix: closed its pipe (killed by SIGSEGV)")
BOTH, OLD, NEW, NONE = (True, True), (True, False), (False, True), (False, False)


@pytest.mark.parametrize(
    ("old", "new", "change", "answered", "offered", "status"),
    [
        (RIGHT, RIGHT, SAME, BOTH, BOTH, "unchanged"),
        (RIGHT, RIGHT, NEAR, BOTH, BOTH, "within rounding"),
        (RIGHT, RIGHT, FAR, BOTH, BOTH, "changed"),
        (RIGHT, RIGHT, None, BOTH, BOTH, "changed"),
        (WRONG, RIGHT, FAR, BOTH, BOTH, "fixed"),
        (RIGHT, WRONG, FAR, BOTH, BOTH, "broken"),
        (WRONG, WRONG, SAME, BOTH, BOTH, "wrong in both"),
        (RIGHT, GONE, SAME, BOTH, BOTH, "call no longer exists"),
        (RIGHT, GONE, None, OLD, BOTH, "call no longer exists"),
        (RIGHT, DEAD, None, OLD, BOTH, "newly refused"),
        (RIGHT, SILENT, None, OLD, OLD, "no longer offered"),
        (SILENT, RIGHT, None, NEW, NEW, "newly offered"),
        (SILENT, WRONG, None, NEW, NEW, "wrong in both"),
        (SILENT, SILENT, None, NONE, BOTH, "not answered"),
    ],
)
def test_a_quantity_gets_its_status(
    old: Standing,
    new: Standing,
    change: Change | None,
    answered: tuple[bool, bool],
    offered: tuple[bool, bool],
    status: Status,
) -> None:
    assert status_of(old, new, change, answered=answered, offered=offered) == status


@pytest.mark.parametrize(
    ("message", "is_gone"),
    [
        ("AttributeError: module 'mujoco' has no attribute 'mj_rneUnconstrained'", True),
        ("TypeError: mj_fullM(): incompatible function arguments. The following argument types are supported", True),
        ("Boost.Python.ArgumentError: did not match C++ signature", True),
        ("TypeError: crba() missing 1 required positional argument: 'convention'", True),
        ("ValueError: the matrix is singular", False),
        ("", False),
    ],
)
def test_a_call_that_is_gone_is_told_from_other_errors(message: str, is_gone: bool) -> None:  # noqa: FBT001 - a case
    assert call_is_gone(message) is is_gone


def model(*statuses: Status) -> ModelBump:
    quantities = tuple(
        QuantityBump(quantity=f"quantity{k}", status=status, old=RIGHT, new=RIGHT) for k, status in enumerate(statuses)
    )
    return ModelBump(path="a/model.urdf", sha256="", states=10, seed=0, quantities=quantities)


@pytest.mark.parametrize(
    ("statuses", "fail_on", "code"),
    [
        (("unchanged", "fixed"), "fail", 0),
        (("unchanged", "broken"), "fail", 1),
        (("call no longer exists",), "fail", 1),
        (("newly refused",), "fail", 1),
        (("no longer offered",), "fail", 1),
        (("changed",), "fail", 0),
        (("changed",), "warn", 1),
        (("wrong in both",), "warn", 0),
        (("not answered",), "fail", 5),
        ((), "fail", 5),
    ],
)
def test_the_exit_code_says_whether_anything_got_worse(statuses: tuple[Status, ...], fail_on: str, code: int) -> None:
    assert exit_code_of([model(*statuses)], fail_on=fail_on) == code


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        (("unchanged",), "1 unchanged: safe to bump."),
        (("unchanged", "fixed"), "1 fixed (quantity1), 1 unchanged: the new version is better."),
        (("fixed", "broken"), "1 broken (quantity1), 1 fixed (quantity0): do not bump before"),
        (("wrong in both",), "nothing gets worse, but both versions are wrong"),
        (("changed",), "look at what changed before you bump"),
        ((), "could not be compared"),
    ],
)
def test_the_sentence_gives_advice(statuses: tuple[Status, ...], words: str) -> None:
    assert words in bump_sentence("lib", "1", "2", [model(*statuses)])


def test_the_sentence_names_calls_that_changed_even_where_the_adapter_copes() -> None:
    calls = [CallChange(name="mujoco.mj_fullM", old="(m, dst, M)", new="(m, d, dst)")]
    assert "look at code that uses mujoco.mj_fullM" in bump_sentence("lib", "1", "2", [model("unchanged")], calls)
