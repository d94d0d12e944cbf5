"""Whole commands beside those of peers, and what the harness adds to a library, timed by pytest-benchmark.

    pytest benchmarks/bench_commands.py

The peers read robot files and look for mistakes in them; `make bench` puts them into build/peers, and one that is not
there is skipped. The number in brackets behind a time is its ratio to the best of its group.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from robodyn_check.checks.probing import ask
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.discovery import find_adapters
from robodyn_check.harness.session import LibrarySession
from robodyn_check.harness.spec import LibrarySpec
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.run.sources import source_for
from robodyn_check.sdk.worker import load_adapter
from robodyn_check.states.draw import draw_states

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
ARM = ROOT / "models" / "schunk_lwa4d" / "model.urdf"
OURS = (sys.executable, "-c", "from robodyn_check.cli.main import run; run()")
PEERS = ROOT / "build" / "peers" / "bin"
QUANTITIES = ("mass_matrix", "coriolis_matrix", "gravity_vector", "forward_dynamics", "joint_torque_regressor")

STARTS = {
    "python": (sys.executable, "-c", "pass"),
    "python with numpy": (sys.executable, "-c", "import numpy"),
    "python with lxml and typer": (sys.executable, "-c", "import lxml.etree, typer"),
    "robodyn-check --version": (*OURS, "--version"),
    "robodyn-check --help": (*OURS, "--help"),
    "robodyn-check explain": (*OURS, "explain", "RD250"),
}
LINTS = {
    "robodyn-check lint": (*OURS, "lint", "{model}"),
    "simcheck, static": (str(PEERS / "simcheck"), "check", "{model}", "--static-only"),
    "truerig validate": (str(PEERS / "truerig"), "validate", "{model}"),
    "urdf-validator": (str(PEERS / "urdf_validate"), "{model}"),
}
RUNS = {
    "robodyn-check, three libraries": (*OURS, "check", "{model}"),
    "robodyn-check, MuJoCo": (*OURS, "check", "{model}", "--lib", "mujoco"),
    "simcheck with MuJoCo": (str(PEERS / "simcheck"), "check", "{model}"),
    "urdf-validator --deep": (str(PEERS / "urdf_validate"), "{model}", "--deep"),
}


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.benchmark(group="start-up")
def test_start(benchmark: Any, name: str) -> None:
    """What it takes before anything is done."""
    time_command(benchmark, STARTS[name])


@pytest.mark.parametrize("name", LINTS)
@pytest.mark.benchmark(group="looking at a file, 7-dof arm")
def test_lint(benchmark: Any, name: str, tmp_path: Path) -> None:
    """Mistakes in a file, without any library."""
    time_command(benchmark, LINTS[name], tmp_path)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.benchmark(group="looking at a library, 7-dof arm")
def test_run(benchmark: Any, name: str, tmp_path: Path) -> None:
    """What a library makes of a file."""
    time_command(benchmark, RUNS[name], tmp_path)


def time_command(benchmark: Any, command: tuple[str, ...], folder: Path | None = None) -> None:
    """Time a whole process; the model lies in a folder of its own, for peers that write beside it."""
    if not Path(command[0]).is_file():
        pytest.skip(f"{Path(command[0]).name} is not installed: make bench does it")
    if folder is not None:
        model = folder / "arm.urdf"
        model.write_bytes(ARM.read_bytes())
        command = tuple(str(model) if word == "{model}" else word for word in command)
    benchmark.pedantic(subprocess.run, (command,), {"capture_output": True}, rounds=3, warmup_rounds=1)


@pytest.fixture(scope="module")
def asking() -> Iterator[dict[str, Callable[[], object]]]:
    """Give two ways to ask Pinocchio the same: its adapter in this process, and through the harness."""
    robot = read_model(ARM)
    mechanism = build_mechanism(robot)
    states = draw_states(mechanism, count=200, seed=0)
    adapter = find_adapters()["pinocchio"]
    source, _ = source_for(robot, mechanism, adapter, ROOT)
    requests = [ask(quantity, states) for quantity in QUANTITIES]
    library = load_adapter(adapter.path)()
    library.load(source)

    def direct() -> None:
        for request in requests:
            method = getattr(library, request.quantity)
            for row in zip(*request.inputs.values(), strict=True):
                method(*row)

    with LibrarySession.start(LibrarySpec(name="pinocchio")) as session:
        session.load(source, canonical_of(mechanism))
        yield {"in this process": direct, "through the harness": lambda: session.ask(requests)}


@pytest.mark.parametrize("way", ["in this process", "through the harness"])
@pytest.mark.benchmark(group="Pinocchio, five quantities at 200 states of a 7-dof arm")
def test_harness(benchmark: Any, asking: dict[str, Callable[[], object]], way: str) -> None:
    """The same question without and with the harness."""
    benchmark(asking[way])
