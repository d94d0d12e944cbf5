"""Which robots an adapter is tried with while its protocol is examined: few joints, states as in any run."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.conform.bench import Trial
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.mjcf_compiler import run_compiler
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.resources import resource_folder
from robodyn_check.run.sources import source_for
from robodyn_check.states import draw_states

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.sdk.adapter import Source
    from robodyn_check.sdk.protocol import AdapterInfo

#: Joints at which coordinates already influence each other, and answers are still short.
FEW_JOINTS = 2
STATES = 12


def bundled_models() -> tuple[Path, ...]:
    """Return the model files that come with robodyn-check."""
    found = sorted(resource_folder("models").glob("*/model.*"))
    return tuple(path for path in found if path.suffix in {".urdf", ".xml"})


def model_title(path: Path | str) -> str:
    """Return a short name for a model: the folder of a bundled one, else the file's own name."""
    path = Path(path)
    return path.parent.name if path.stem == "model" and path.parent.name else path.name


def trials(models: Sequence[Path], adapter: AdapterFile, folder: Path, *, seed: int = 0) -> tuple[Trial, ...]:
    """Return the robots to try, the simplest first; ``folder`` takes translations.

    Raises:
        ModelError: A model that cannot be read.
    """
    plain = [path for path in models if path.suffix == ".urdf"]  # others are read with the help of MuJoCo
    made = []
    for number, path in enumerate(plain or models):
        robot = read_model(path, compile_mjcf=run_compiler)
        mechanism = build_mechanism(robot)
        if mechanism.nv:
            own = folder / str(number)
            made.append((abs(mechanism.nv - FEW_JOINTS), number, _trial(path, robot, mechanism, adapter, own, seed)))
    return tuple(trial for _, _, trial in sorted(made, key=lambda entry: entry[:2]))


def _trial(path: Path, robot: RobotModel, mechanism: Mechanism, adapter: AdapterFile, folder: Path, seed: int) -> Trial:
    states = draw_states(mechanism, count=STATES, seed=seed)

    def source(info: AdapterInfo) -> Source:
        folder.mkdir(exist_ok=True)
        told = _declared(adapter, info)
        return source_for(robot, mechanism, told, folder)[0]

    return Trial(
        name=model_title(path),
        source=source,
        canonical=canonical_of(mechanism),
        states={"q": states.q, "v": states.v, "a": states.a, "tau": states.tau},
    )


def _declared(adapter: AdapterFile, info: AdapterInfo) -> AdapterFile:
    """Return the adapter with what it says when it runs: a program says it nowhere else."""
    return dataclasses.replace(adapter, formats=info.formats, needs_mechanism=info.needs_mechanism)
