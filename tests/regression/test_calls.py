from __future__ import annotations

import sys
from pathlib import Path

import pytest

from robodyn_check.regression.calls import call_changes, describe_calls, gone, names_used

OVERLOADS = "f(arg0: int, m: numpy.ndarray[numpy.float64], dst: tuple[int, int] = (1, 2)) -> None"


def test_an_adapter_tells_which_names_it_uses() -> None:
    modules, names = names_used(
        "import numpy\nimport mujoco\nfrom pydrake.all import Parser\nimport json\n"
        "def load(self):\n    self.mujoco.mj_fullM(1)\n    getattr(self.data, 'qM')\n    hasattr(self, 'nq')\n"
    )
    assert modules == ("mujoco", "pydrake.all:Parser")
    assert {"mj_fullM", "qM", "nq"} <= set(names)


def test_calls_are_described_by_the_environment(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text("def f(a, b): ...\nclass Data:\n    held = 1\n", encoding="utf-8")
    adapter = tmp_path / "adapter.py"
    adapter.write_text("import lib\nlib.f(1, 2)\nlib.Data().held\nlib.nothing\n", encoding="utf-8")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}" exec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    assert describe_calls(python, adapter) == {
        "lib": "there",
        "lib.f": "(a, b)",
        "lib.Data": "()",
        "Data.held": "attribute",
    }


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("(m, dst, M)", "(m, d, dst)", "takes other arguments"),
        ("attribute", None, "no longer exists"),
        (None, "(a)", "is new"),
        (OVERLOADS, OVERLOADS.replace("numpy.float64", "numpy.double"), None),
        (OVERLOADS, OVERLOADS.replace("dst", "out"), "takes other arguments"),
        ("f(a: int) -> int", "f(a: int) -> float", None),
    ],
)
def test_only_names_and_arguments_count(old: str | None, new: str | None, what: str | None) -> None:
    before, after = ({"lib": "there", **({"lib.f": text} if text else {})} for text in (old, new))
    assert [change.what for change in call_changes(before, after)] == ([what] if what else [])


def test_an_environment_that_cannot_be_asked_changes_nothing() -> None:
    assert call_changes({}, {"lib.f": "(a)"}) == ()
    assert describe_calls(Path("/nowhere/python"), Path(__file__)) == {}


def test_a_new_name_breaks_nobody() -> None:
    changes = call_changes({"lib": "there"}, {"lib": "there", "lib.f": "(a)"})
    assert gone(changes) == ()
