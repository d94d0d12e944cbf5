"""How well a sweep uses two cores: the same tasks with one worker on one core and with two workers on two.

    python benchmarks/bench_sweep.py PATH ... [--lib SPEC ...] [--samples N]

Efficiency = (seconds on one core) / (2 × seconds on two). One worker is held to one core together with the libraries
that it starts; otherwise it would use both. Wall times mean something on a quiet machine only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = (sys.executable, "-c", "from robodyn_check.cli.main import run\nif __name__ == '__main__': run()")


def main() -> None:
    """Print both times and the efficiency."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--lib", nargs="*", default=["pinocchio", "mujoco", "drake"])
    parser.add_argument("--samples", type=int, default=20)
    given = parser.parse_args()
    first, *others = sorted(os.sched_getaffinity(0))
    if not others:
        sys.exit("this needs two cores")
    print(f"load average at the start: {os.getloadavg()[0]:.1f}")
    one, two = timed(given, 1, {first}), timed(given, 2, {first, others[0]})
    print(f"one core {one:.1f} s, two cores {two:.1f} s, efficiency {one / (2 * two):.2f}")


def timed(given: argparse.Namespace, jobs: int, cores: set[int]) -> float:
    """Return the seconds of one sweep into a fresh dataset, held to some cores."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word for library in given.lib for word in ("--lib", library)]
        command = (*PROGRAM, "sweep", *given.paths, *words, "--samples", str(given.samples), "--jobs", str(jobs))
        began = time.monotonic()
        os.sched_setaffinity(0, cores)  # the sweep and its libraries inherit it
        subprocess.run(  # noqa: S603 - this tool
            (*command, "--out", f"{folder}/data"),
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        return time.monotonic() - began


if __name__ == "__main__":
    main()
