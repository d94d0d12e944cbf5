"""One whole run: six libraries together beside the slowest of them alone and beside CPU time over cores.

    python benchmarks/bench_run.py [--model PATH ...] [--lib SPEC ...]

What a perfect schedule could reach is max(slowest library alone, CPU of all / cores); the promise is 1.15 times that.
Wall times mean something on a quiet machine only: the load average is printed with them.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODELS = ("models/schunk_lwa4d/model.urdf", "models/fourier_gr3/model.urdf")
LIBRARIES = ("pinocchio", "mujoco", "drake", "robotics-toolbox", "modern-robotics", "rbdl")
PROGRAM = (sys.executable, "-c", "from robodyn_check.cli.main import run; run()")
PROMISE = 1.15


def main() -> None:
    """Print one line a model."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", nargs="*", default=[str(ROOT / model) for model in MODELS])
    parser.add_argument("--lib", nargs="*", default=list(LIBRARIES))
    given = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    print(f"load average at the start: {os.getloadavg()[0]:.1f} on {cores} cores\n")
    print("| model | together, s | CPU, s | CPU / cores, s | slowest alone | its s | together / best possible |")
    print("|---|---|---|---|---|---|---|")
    for model in given.model:
        alone = {library: timed(model, [library])[0] for library in given.lib}
        wall, cpu = timed(model, given.lib)
        slowest = max(alone, key=lambda library: alone[library])
        best = max(alone[slowest], cpu / cores)
        kept = "" if wall <= PROMISE * best else f" (above {PROMISE})"
        print(
            f"| {Path(model).parent.name} | {wall:.1f} | {cpu:.1f} | {cpu / cores:.1f} | {slowest} | "
            f"{alone[slowest]:.1f} | {wall / best:.2f}{kept} |",
            flush=True,
        )


def timed(model: str, libraries: list[str]) -> tuple[float, float]:
    """Return wall and CPU seconds of one run, with everything that it starts."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    words = [word for library in libraries for word in ("--lib", library)]
    subprocess.run(  # noqa: S603 - this tool
        (*PROGRAM, "check", model, *words, "--exit-zero"),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        check=False,  # a library that cannot take the robot ends the run that asks it alone with 5
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, cpu


if __name__ == "__main__":
    main()
