"""Who sits the exam: the bundled robots but the largest, and small ones with joints and welds that those lack."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from robodyn_check.errors import ModelError
from robodyn_check.faults.in_models import FOLDER
from robodyn_check.harness.mjcf_compiler import run_compiler
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.resources import resource_folder
from robodyn_check.run.exam import examine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.exam import Exam

#: Bundled robots of so many coordinates that one of them would take as long as all the others: name it to examine it.
LARGE = frozenset({"fourier_gr3"})
#: Small robots of `faults/models`.
SMALL = (
    "armature_arm.xml",
    "damped_arm.xml",
    "fixed_link_between_joints.urdf",
    "hanging_arm_turned_inertial.urdf",
    "hanging_arm_welded_sides.urdf",
    "oblique_axis.urdf",
    "planar_joint.urdf",
    "rotated_inertial.urdf",
)


def robots(
    named: Sequence[Path], in_folders: Sequence[str] = (), say: Callable[[str], None] = lambda _text: None
) -> Iterator[RobotModel]:
    """Read robots, one after the other; without any, the default ones.

    Args:
        named: Model files.
        in_folders: More of them, of which those that cannot be read are passed over.
        say: Called with a line for each that is passed over.

    Raises:
        ModelError: A file that was named cannot be read.
    """
    for path in named or (() if in_folders else default_models()):
        yield read_model(path, compile_mjcf=run_compiler)
    for found in in_folders:
        try:
            yield read_model(found, compile_mjcf=run_compiler)
        except ModelError as error:
            say(f"{found}: passed over: {error}")


def sit(exam: Exam, robot: RobotModel, *, seed: int, numbers: int, say: Callable[[str], None]) -> None:
    """Examine a robot with each base that gives it something to move.

    What goes wrong in ourselves is noted in ``exam.broken``, so that a long exam goes on with the next robot.
    """
    try:
        if build_mechanism(robot).nv > 0:
            examine(exam, robot, seed=seed, numbers=numbers, say=say)
        if robot.format == "urdf" and _root_is_heavy(robot):
            examine(exam, robot, base="floating", seed=seed, numbers=numbers // 3, say=say)
    except Exception as error:  # noqa: BLE001 - one robot must not end an exam of hours; it is shown and counts
        last = traceback.extract_tb(error.__traceback__)[-1]
        exam.broken.append(f"{robot.name}: {type(error).__name__}: {error} at {last.name}, line {last.lineno}")


def default_models() -> list[Path]:
    """Return the models of the default exam."""
    bundled = sorted(path for path in resource_folder("models").glob("*/model.*") if path.suffix in {".urdf", ".xml"})
    return [*(path for path in bundled if path.parent.name not in LARGE), *(FOLDER / name for name in SMALL)]


def _root_is_heavy(robot: RobotModel) -> bool:
    """Say whether the root link has mass and inertia, without which a floating base has no forward dynamics."""
    (root,) = robot.root_links()
    inertial = next(link.inertial for link in robot.links if link.name == root)
    return inertial is not None and inertial.mass.value > 0 and all(inertial.inertia[i].value > 0 for i in (0, 3, 5))
