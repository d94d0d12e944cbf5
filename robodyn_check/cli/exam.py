"""``robodyn-check exam``: plant known faults and count what the checks find."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.exam import Exam


def command(
    models: Annotated[
        list[Path] | None, typer.Argument(help="URDF or MJCF files; default: the bundled models.", metavar="MODEL")
    ] = None,
    *,
    seed: Annotated[int, typer.Option("--seed", help="Of states and of the faults' places.", metavar="N")] = 0,
    numbers: Annotated[
        int, typer.Option("--numbers", help="Numbers of each file to change at falling sizes.", metavar="N")
    ] = 12,
    output: Annotated[
        Path | None, typer.Option("--output", help="Write the page (Markdown) to a file as well.", metavar="FILE")
    ] = None,
) -> int:
    """Plant known faults into robots and count what is found. Exit code 1: a fault was missed, or a false alarm."""
    from robodyn_check.cli.output import write_atomically
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.run.exam import Exam
    from robodyn_check.run.exam_page import exam_page

    exam = Exam()
    with progress_line() as progress:
        for robot in _robots(models):
            _sit(exam, robot, seed=seed, numbers=numbers, say=progress)
    words = ["robodyn-check exam", *(str(path) for path in models or ()), f"--seed {seed} --numbers {numbers}"]
    page = exam_page(exam, " ".join(words))
    if output is not None:
        write_atomically(output, page)
    sys.stdout.write(page)
    missed = any(mark.outcome == "missed" or not mark.on_expected for mark in exam.marks)
    return 1 if missed or exam.false_alarms else 0


def _robots(models: list[Path] | None) -> list[RobotModel]:
    """Read the named models, or all bundled ones."""
    from robodyn_check.harness.mjcf_compiler import run_compiler
    from robodyn_check.model.read import read_model
    from robodyn_check.resources import resource_folder

    bundled = sorted(path for path in resource_folder("models").glob("*/model.*") if path.suffix in {".urdf", ".xml"})
    return [read_model(path, compile_mjcf=run_compiler) for path in models or bundled]


def _sit(exam: Exam, robot: RobotModel, *, seed: int, numbers: int, say: Callable[[str], None]) -> None:
    """Examine a robot with each base that gives it something to move."""
    from robodyn_check.model.build import build_mechanism
    from robodyn_check.run.exam import examine

    fixed = build_mechanism(robot).nv > 0
    if fixed:
        examine(exam, robot, seed=seed, numbers=numbers, say=say)
    if robot.format == "urdf" and _root_is_heavy(robot):
        examine(exam, robot, base="floating", seed=seed, numbers=numbers // 3, say=say)


def _root_is_heavy(robot: RobotModel) -> bool:
    """Say whether the root link has mass and inertia, without which a floating base has no forward dynamics."""
    (root,) = robot.root_links()
    inertial = next(link.inertial for link in robot.links if link.name == root)
    return inertial is not None and inertial.mass.value > 0 and all(inertial.inertia[i].value > 0 for i in (0, 3, 5))
