"""`lint` belongs in a pre-commit hook: it may take twice the processor time of two imports."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINT = "from robodyn_check.cli.main import run; run()"
ROUNDS = 7


def seconds(words: list[str], cache: Path) -> float:
    """Return the processor time of one Python process, s; its compiled files are kept in ``cache``."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", *words],
        cwd=ROOT,
        env={**environment, "PYTHONPYCACHEPREFIX": str(cache)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_lint_takes_at_most_twice_the_import_of_lxml_and_typer(tmp_path: Path) -> None:
    model = "models/schunk_lwa4d/model.urdf"
    pairs = [
        (seconds([LINT, "lint", model], tmp_path), seconds(["import lxml, typer"], tmp_path)) for _ in range(ROUNDS)
    ]
    ours, theirs = (min(times) for times in zip(*pairs, strict=True))  # the least is what other load adds least to
    assert ours <= 2 * theirs, f"lint {ours:.3f} s, import {theirs:.3f} s"
