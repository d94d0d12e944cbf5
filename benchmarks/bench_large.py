"""Time and memory of the reference on very large robots: a random tree of 500 dof and a chain of 1 500 links."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from robodyn_check.errors import EvaluationError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate_many

CASES = {"tree of 500 dof": (500, "tree", 20), "chain of 1 500 links": (1500, "chain", 2)}
QUANTITIES = ("gravity_vector", "bias_force", "inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix")


def urdf(count: int, shape: str) -> str:
    """Return a robot of equal rods; each hangs on the one before it, or on a random one of those before."""
    draw = np.random.default_rng(0)
    link = (
        '<link name="l{0}"><inertial><origin xyz="0 0 0.1"/><mass value="0.5"/>'
        '<inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.0005"/></inertial></link>'
    )
    joint = (
        '<joint name="j{0}" type="continuous"><parent link="l{1}"/><child link="l{0}"/>'
        '<origin xyz="0 0 0.2"/><axis xyz="{2}"/></joint>'
    )
    parts = [link.format(0)]
    for number in range(1, count + 1):
        parent = number - 1 if shape == "chain" else int(draw.integers(max(0, number - 40), number))
        parts += [link.format(number), joint.format(number, parent, ("1 0 0", "0 1 0")[number % 2])]
    return f'<robot name="large">{"".join(parts)}</robot>'


def main() -> None:
    """Measure each case in a process of its own, so that the peak of memory is its own."""
    if len(sys.argv) > 1:
        measure(sys.argv[1])
        return
    print("| robot | quantity | states | CPU s a state | peak MiB of the process |\n|---|---|---|---|---|")
    for case in CASES:
        subprocess.run((sys.executable, __file__, case), check=True)  # noqa: S603 - this file again


def measure(case: str) -> None:
    """Print the rows of one case."""
    count, shape, states = CASES[case]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.urdf"
        path.write_text(urdf(count, shape), encoding="utf-8")
        mechanism = build_mechanism(read_model(path))
    draw = np.random.default_rng(0)
    q, v, a, tau = (draw.uniform(-1, 1, (states, mechanism.nv)) for _ in range(4))
    for quantity in QUANTITIES:
        started = time.process_time()
        try:
            value = evaluate_many(mechanism, (quantity,), q, v, a, tau)
        except EvaluationError as error:
            print(f"| {case} | {quantity} | – | {str(error).partition(',')[0]} | – |", flush=True)
            continue
        spent = (time.process_time() - started) / states
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"| {case} | {quantity} | {states} | {spent:.3f} | {peak:.0f} |", flush=True)
        del value


if __name__ == "__main__":
    main()
