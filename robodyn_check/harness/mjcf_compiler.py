"""Run MuJoCo's compiler on an MJCF in a process of its own, and hand its answer on as plain data."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import AdapterCrashed, AdapterMissing, AdapterRefused, AdapterTimeout
from robodyn_check.resources import resource_folder

if TYPE_CHECKING:
    from pathlib import Path

#: Last words of a process that died, in characters.
_LAST_WORDS = 400


def run_compiler(path: str | Path, *, python: str = sys.executable, timeout: float = 60.0) -> dict[str, Any]:
    """Compile an MJCF with the installed MuJoCo.

    Args:
        path: The main file.
        python: The interpreter whose MuJoCo is asked.
        timeout: Seconds until the process is killed.

    Returns:
        ``mujoco`` (version), ``bodies``, ``joints``, ``gravity``, ``notes``, as `adapters/mujoco_compile.py` writes.

    Raises:
        AdapterMissing: The interpreter or its MuJoCo is not there.
        AdapterRefused: MuJoCo refuses the file; its words.
        AdapterCrashed: The process died or wrote something else.
        AdapterTimeout: It did not answer in time and was killed.
    """
    script = resource_folder("adapters") / "mujoco_compile.py"
    file = os.path.abspath(path)  # noqa: PTH100 - resolve() would follow links, and includes stand beside the link
    with tempfile.TemporaryDirectory(prefix="robodyn-check-") as home:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own script, in an interpreter that the user chose
                [python, str(script), file],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=home,
                env={**os.environ, "HOME": home, "OMP_NUM_THREADS": "1"},
                start_new_session=True,
            )
        except OSError as error:
            message = f"cannot start {python}: {error.strerror}"
            raise AdapterMissing(message) from None
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            message = f"MuJoCo's compiler did not end within {timeout:g} s and was killed"
            raise AdapterTimeout(message) from None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return _answer(stdout, stderr, process.returncode)


def _answer(stdout: bytes, stderr: bytes, code: int) -> dict[str, Any]:
    """Read the process's answer, or raise what became of it."""
    try:
        answer = json.loads(stdout)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        words = " ".join(stderr.decode(errors="replace").split())[-_LAST_WORDS:] or "no last words"
        message = f"MuJoCo's compiler {how} without an answer ({words})"
        raise AdapterCrashed(message)
    if "missing" in answer:
        message = f"MuJoCo cannot be imported: {answer['missing']}"
        raise AdapterMissing(message)
    if "refused" in answer:
        raise AdapterRefused(str(answer["refused"]))
    return answer
