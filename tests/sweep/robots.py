"""Small sweeps: copies of the pendulum that differ by a comment, and adapters that cost nothing to start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from robodyn_check.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[2]
PENDULUM = ROOT / "models" / "pendulum" / "model.urdf"
ADAPTER = str(ROOT / "tests" / "run" / "pendulum_adapter.py")
#: Columns that say when and how fast, not what.
VOLATILE = {"seconds", "report", "part"}

#: An adapter whose `load` kills the process that started it, or is slow, by its profile.
KILLER = """
import os, signal, time
import numpy as np
from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.layout import JointLayout, Layout

class Killer(Adapter):
    name = "killer"
    profiles = {"slow": "takes half a second to load"}
    def version(self):
        return "1"
    def load(self, source: Source) -> Layout:
        if source.profile == "slow":
            time.sleep(0.5)
        elif "poison" in str(source.path):
            os.kill(os.getppid(), signal.SIGKILL)
        return Layout(joints=(JointLayout(name="swing", q=(0,), v=(0,)),), links=("base", "rod"), nq=1, nv=1)
    def mass_matrix(self, q):
        return np.array([[0.75]])
"""


def copies(folder: Path, count: int, *, name: str = "robot") -> list[str]:
    """Write pendulums of different content."""
    folder.mkdir(parents=True, exist_ok=True)
    text = PENDULUM.read_text(encoding="utf-8")
    paths = [folder / f"{name}{number}.urdf" for number in range(count)]
    for path in paths:
        path.write_text(f"{text}<!-- {path.name} -->\n", encoding="utf-8")
    return [str(path) for path in paths]


def killer(folder: Path) -> str:
    """Write the adapter that kills."""
    path = folder / "killer.py"
    path.write_text(KILLER, encoding="utf-8")
    return str(path)


def settings(models: Sequence[str], *specs: str, adapter: str = ADAPTER) -> Settings:
    """Return the settings of a small sweep."""
    return Settings(models=tuple(models), lib=specs or ("pendulum",), adapter=(adapter,), samples=10, certify=0)


def command(*words: str) -> list[str]:
    """Return the command line of a sweep in a process of its own."""
    return [sys.executable, "-c", "from robodyn_check.cli.main import run\nif __name__ == '__main__': run()", *words]


def start(*words: str) -> subprocess.Popen[str]:
    """Start the tool."""
    return subprocess.Popen(
        command(*words),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def content(folder: Path) -> tuple[list[object], list[object]]:
    """Return what a dataset says, without when and how fast, in an order of its own."""
    tables: list[list[object]] = []
    for name in ("tasks", "results"):
        rows: list[object] = [
            tuple((key, value) for key, value in sorted(row.items()) if key not in VOLATILE)
            for path in (folder / name).glob("*/part-*.parquet")
            for row in pq.read_table(path).to_pylist()
        ]
        tables.append(sorted(rows, key=repr))
    return tables[0], tables[1]
