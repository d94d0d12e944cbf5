"""Adapter files are loaded by path, whatever their name, and what is wrong with one is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from robodyn_check.sdk.protocol import PROBE_VARIABLE
from robodyn_check.sdk.worker import AdapterFileError, load_adapter, main

ROOT = Path(__file__).parents[2]
HEAD = "from robodyn_check.sdk.adapter import Adapter\n"


def test_a_file_may_have_its_library_s_name(tmp_path: Path):
    path = tmp_path / "numpy.py"
    path.write_text(
        HEAD + "import numpy\nassert numpy.ones\nclass Mine(Adapter):\n    name = 'mine'\n", encoding="utf-8"
    )
    assert load_adapter(path).name == "mine"


def test_a_class_between_adapter_and_the_last_one_is_no_second_adapter(tmp_path: Path):
    path = tmp_path / "two.py"
    path.write_text(HEAD + "class Base(Adapter): ...\nclass Mine(Base):\n    name = 'mine'\n", encoding="utf-8")
    assert load_adapter(path).__name__ == "Mine"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "found none"),
        ("class A(Adapter):\n    name = 'a'\nclass B(Adapter):\n    name = 'b'\n", "found A, B"),
        ("class A(Adapter): ...\n", "with a name; found A"),
    ],
)
def test_a_file_defines_one_adapter(tmp_path: Path, text: str, found: str):
    path = tmp_path / "x.py"
    path.write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(AdapterFileError) as caught:
        load_adapter(path)
    assert f"{path} must define one subclass of robodyn_check.sdk.adapter.Adapter" in str(caught.value)
    assert found in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(AdapterFileError, match=r"none\.py is no Python file"):
        load_adapter(tmp_path / "none.py")


def test_usage_is_shown(capsys: pytest.CaptureFixture[str]):
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python -m robodyn_check.sdk.worker ADAPTER.py\n"


def run_by_hand(arguments: list[str], text: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "robodyn_check.sdk.worker", *arguments)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(command, input=text, env=environment, capture_output=True, text=True, check=False)


def test_by_hand_it_speaks_on_stdin_and_stdout():
    done = run_by_hand(
        [str(ROOT / "adapters" / "template.py")],
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1}}\n',
    )
    assert done.returncode == 0
    assert done.stdout.startswith('{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"name":"template"')


def test_a_probe_only_imports_and_tells_the_version():
    done = run_by_hand([str(ROOT / "adapters" / "template.py")], **{PROBE_VARIABLE: "1"})
    assert (done.returncode, done.stdout) == (0, "1.0\n")
    missing = ROOT / "tests" / "harness" / "bad_adapters" / "imports_at_top.py"
    done = run_by_hand([str(missing)], **{PROBE_VARIABLE: "1"})
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'no_such_library'"
