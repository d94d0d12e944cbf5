"""What one quantity at one state costs: the reference beside Pinocchio, MuJoCo, adam and others, on one robot.

Every library is asked through its adapter's class in this process, without the wire, so that the ratio is the
library's own; libraries that are not installed are left out. CPU time, the smallest of several, µs a state.
"""

from __future__ import annotations

import argparse
import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.harness.discovery import find_adapters, installed_version
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference.engine import evaluate_many
from robodyn_check.run.sources import source_for
from robodyn_check.sdk.worker import load_adapter

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
LIBRARIES = ("pinocchio", "mujoco", "drake", "adam", "robotics-toolbox", "modern-robotics")
ROBOTS = ("schunk_lwa4d", "fourier_gr3")
QUANTITIES_TIMED = (
    "mass_matrix",
    "coriolis_matrix",
    "gravity_vector",
    "inverse_dynamics",
    "forward_dynamics",
    "joint_torque_regressor",
)
#: States of the reference, which works on batches, and seconds spent on one quantity of a library.
STATES, SECONDS = 1000, 0.5


def main() -> None:
    """Print one table a robot."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path("/tmp"), help="where translations are written")  # noqa: S108
    given = parser.parse_args()
    adapters = find_adapters()
    print(f"load average at the start: {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores\n")
    for name in ROBOTS:
        robot = read_model(ROOT / "models" / name / "model.urdf")
        mechanism = build_mechanism(robot)
        draw = np.random.default_rng(0)
        q, v, a, tau = (draw.uniform(-1, 1, (STATES, mechanism.nv)) for _ in range(4))
        inputs = {"q": q, "v": v, "a": a, "tau": tau}
        columns: dict[str, dict[str, float]] = {"reference": {}}
        for quantity in QUANTITIES_TIMED:
            work = partial(evaluate_many, mechanism, (quantity,), q, v, a, tau)
            best = min(_timed(work) for _ in range(5))
            columns["reference"][quantity] = best / STATES * 1e6
        for library in LIBRARIES:
            adapter = adapters.get(library)
            if adapter is not None and installed_version(adapter):
                source, _ = source_for(robot, mechanism, adapter, given.folder)
                loaded = load_adapter(adapter.path)()
                try:
                    loaded.load(source)
                except Exception as error:  # noqa: BLE001 - a library may refuse a robot
                    print(f"{library} refuses {name}: {str(error).partition(chr(10))[0][:100]}\n")
                    continue
                columns[library] = {
                    quantity: _of_library(loaded, quantity, inputs)
                    for quantity in QUANTITIES_TIMED
                    if callable(getattr(loaded, quantity, None))
                }
        print(f"{name}, {mechanism.nv} dof, µs a state (and times the reference)\n")
        print("| | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
        for quantity in QUANTITIES_TIMED:
            ours = columns["reference"][quantity]
            cells = [f"{ours:.1f}"]
            cells += [
                f"{one[quantity]:.1f} ({one[quantity] / ours:.1f})" if quantity in one else "–"
                for one in list(columns.values())[1:]
            ]
            print(f"| {quantity} | " + " | ".join(cells) + " |")
        print(flush=True)


def _timed(work: Callable[[], Any]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _ask(method: Callable[..., Any], states: list[list[Any]]) -> None:
    for state in states:
        method(*state)


def _of_library(loaded: Any, quantity: str, inputs: dict[str, Any]) -> float:
    """Return µs a state of one quantity, the smallest of batches of states within the time."""
    method, names = getattr(loaded, quantity), QUANTITIES[quantity].inputs
    best, spent, row, size = np.inf, 0.0, 0, 1
    while spent < SECONDS:
        rows = [(row + k) % STATES for k in range(size)]
        try:
            spent_now = _timed(partial(_ask, method, [[inputs[name][k] for name in names] for k in rows]))
        except Exception:  # noqa: BLE001 - what a library cannot do has no time
            return np.nan
        best, spent, row = min(best, spent_now / size), spent + spent_now, row + size
        size = min(100, size * 2) if spent_now < SECONDS / 10 else size
    return best * 1e6


if __name__ == "__main__":
    main()
