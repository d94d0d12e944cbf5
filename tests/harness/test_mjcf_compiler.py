from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import AdapterCrashed, AdapterMissing, AdapterRefused, AdapterTimeout
from robodyn_check.harness.mjcf_compiler import run_compiler

if TYPE_CHECKING:
    from pathlib import Path

MODEL = '<mujoco><worldbody><body name="ball"><freejoint/><geom size="1" density="3"/></body></worldbody></mujoco>'


def interpreter(tmp_path: Path, script: str) -> str:
    """Write a program that stands in for the interpreter."""
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def test_the_installed_mujoco_answers_with_plain_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    (tmp_path / "model.xml").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    answer = run_compiler("model.xml")
    assert answer["mujoco"] == mujoco.__version__
    assert answer["bodies"][0]["name"] == "ball"
    assert answer["bodies"][0]["mass"] == pytest.approx(4 * 3.141592653589793, rel=1e-14)
    assert [joint["type"] for joint in answer["joints"]] == ["free"]
    assert os.listdir(tmp_path) == ["model.xml"]  # noqa: PTH208 - the names alone


def test_a_refusal_has_mujocos_own_words(tmp_path: Path):
    pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    (tmp_path / "model.xml").write_text("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>")
    with pytest.raises(AdapterRefused, match="mass and inertia of moving bodies"):
        run_compiler(tmp_path / "model.xml")


def test_an_interpreter_that_is_not_there_is_missing(tmp_path: Path):
    with pytest.raises(AdapterMissing, match=r"cannot start .*/nothing: No such file"):
        run_compiler("model.xml", python=str(tmp_path / "nothing"))


def test_an_interpreter_without_mujoco_is_missing(tmp_path: Path):
    python = interpreter(tmp_path, f'exec {sys.executable} -I -S "$@"')
    with pytest.raises(AdapterMissing, match="MuJoCo cannot be imported: ModuleNotFoundError"):
        run_compiler("model.xml", python=python)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo something else", r"ended with exit code 0 without an answer \(no last words\)"),
        ("echo broken >&2; exit 3", r"ended with exit code 3 without an answer \(broken\)"),
        ("kill -SEGV $$", "was killed by SIGSEGV without an answer"),
    ],
)
def test_a_process_without_answer_has_crashed(script: str, words: str, tmp_path: Path):
    with pytest.raises(AdapterCrashed, match=words):
        run_compiler("model.xml", python=interpreter(tmp_path, script))


def test_a_process_that_hangs_is_killed_with_its_children(tmp_path: Path):
    python = interpreter(tmp_path, f"sleep 600 & echo $! > {tmp_path}/child; wait")
    with pytest.raises(AdapterTimeout, match=r"did not end within 0\.5 s and was killed"):
        run_compiler("model.xml", python=python, timeout=0.5)
    child = int((tmp_path / "child").read_text())
    assert not alive(child)


def alive(pid: int) -> bool:
    """Return whether a process runs; one that is dead but not yet waited for does not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - the kernel's file
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
