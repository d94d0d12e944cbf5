"""A process of its own: one thread, its own home, the last words of its stderr."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

import pytest

from robodyn_check.harness.process import KEPT_STDERR, AdapterProcess, Launch, Ring


def test_the_ring_keeps_the_last_bytes():
    ring = Ring(capacity=10)
    for number in range(100):
        ring.add(str(number).encode() + b"\n")
    assert ring.text() == "\n97\n98\n99\n"
    ring.add(b"x" * 1000)
    assert ring.text() == "x" * 10
    assert KEPT_STDERR == 64 * 1024


def test_the_ring_shows_no_control_characters():
    ring = Ring()
    ring.add(b"\x1b[31mred\x07\nok\xff")
    assert "\x1b" not in ring.text()
    assert ring.text().endswith("\nok�")


def test_a_process_has_its_own_home_session_and_one_thread():
    code = (
        "import os, sys; home = os.environ['HOME']; assert os.getcwd() == home and os.getsid(0) == os.getpid();"
        "assert os.environ['OMP_NUM_THREADS'] == '1'; assert os.environ['TMPDIR'] == home; sys.exit(5)"
    )
    process = AdapterProcess(Launch(command=(sys.executable, "-c", code)))
    deadline = time.monotonic() + 20
    while process.ended() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.ended() == "exit code 5"
    process.close()


def test_memory_of_children_is_seen():
    child = "x = bytearray(80_000_000); import time; time.sleep(60)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    process = AdapterProcess(Launch(command=(sys.executable, "-c", code)))
    deadline = time.monotonic() + 20
    while process.memory() < 80_000_000 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert process.memory() > 80_000_000
    process.close()
    assert process.memory() == 0


def test_a_child_that_left_the_group_dies_with_the_process():
    child = "print('here', flush=True); import time; time.sleep(60)"
    code = (
        "import subprocess, sys, time;"
        f"print(subprocess.Popen([sys.executable, '-c', {child!r}], process_group=0).pid, flush=True); time.sleep(60)"
    )
    process = AdapterProcess(Launch(command=(sys.executable, "-c", code)))
    said, deadline = b"", time.monotonic() + 20
    while b"here" not in said and time.monotonic() < deadline:
        with contextlib.suppress(BlockingIOError):
            said += os.read(process.stderr, 1000)
        time.sleep(0.02)
    pid = int(said.split()[0])
    process.close()
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Tell whether a process is there and no zombie that nobody has asked for yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def test_a_command_that_does_not_exist_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(FileNotFoundError):
        AdapterProcess(Launch(command=("/no/such/program",)))
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert list(tmp_path.iterdir()) == []
