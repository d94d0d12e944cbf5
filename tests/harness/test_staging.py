"""The staged SDK holds what an adapter may import and nothing else."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from robodyn_check.harness.staging import staged_sdk

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_staged_sdk_is_small_and_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = staged_sdk()
    assert folder == staged_sdk()
    assert [entry.name for entry in folder.iterdir()] == ["robodyn_check"]
    assert sorted(entry.name for entry in (folder / "robodyn_check").iterdir()) == [
        "__init__.py",
        "motion.py",
        "quantities.py",
        "sdk",
        "version.py",
    ]
    assert [entry.name for entry in folder.parent.iterdir()] == [folder.name]


def test_the_staged_worker_needs_numpy_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = (
        "import sys; import robodyn_check.sdk.worker as worker; assert worker.__file__.startswith(sys.argv[1]);"
        "names = {name.partition('.')[0] for name in sys.modules};"
        "print(sorted(names & {'lxml', 'typer', 'rich', 'jinja2', 'flint', 'mujoco', 'pinocchio', 'pydrake'}))"
    )
    folder = str(staged_sdk())
    done = subprocess.run(
        (sys.executable, "-c", code, folder),
        env={"PYTHONPATH": folder},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.strip() == "[]"
