"""What the model file alone shows, as results and as a report of its own; no numpy, no library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.checks.texts import chosen, matches
from robodyn_check.model.lint import lint
from robodyn_check.model.lint_texts import LINT_TEXTS
from robodyn_check.model.mechanism import JOINT_SIZES
from robodyn_check.model.mjcf_texts import TWO_READINGS
from robodyn_check.model.read import read_model
from robodyn_check.report.results import ModelRecord, ModelReport
from robodyn_check.run.assemble import finished, make_report
from robodyn_check.run.two_readings import compile_once, two_readings

if TYPE_CHECKING:
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Report, Result
    from robodyn_check.settings import Settings


def selected_codes(settings: Settings) -> frozenset[str]:
    """Return the codes that --select and --ignore keep.

    Raises:
        UsageError: An entry that matches no check.
    """
    kept = chosen(settings.select, tuple(code for code, _ in settings.ignore))
    return frozenset(text.code for text in kept)


def _lint_codes(settings: Settings) -> frozenset[str]:
    """Return the codes of the lint alone; the texts of all other checks are read only for what is no code of it."""
    named = (*settings.select, *(code for code, _ in settings.ignore))
    of_lint = (*LINT_TEXTS, TWO_READINGS)
    if all(any(matches(text, entry) for text in of_lint) for entry in named):
        ignored = [code for code, _ in settings.ignore]
        return frozenset(
            text.code
            for text in of_lint
            if (not settings.select or any(matches(text, entry) for entry in settings.select))
            and not any(matches(text, entry) for entry in ignored)
        )
    return selected_codes(settings)


def lint_results(robot: RobotModel, codes: frozenset[str]) -> tuple[Result, ...]:
    """Return the lint's results that the selection keeps."""
    return tuple(result for result in lint(robot) if result.code in codes)


def lint_report(settings: Settings) -> Report:
    """Lint every model of the settings.

    Raises:
        ModelError: A file that cannot be read.
        UsageError: A selection that matches nothing.
    """
    codes = _lint_codes(settings)
    models = []
    for path in settings.models:
        compile_mjcf = compile_once(settings.timeout)
        robot = read_model(Path(path), compile_mjcf=compile_mjcf)
        # without need MuJoCo is not started: the lint asks no library for what the file says itself
        compared = robot.compiler is not None and TWO_READINGS.code in codes
        both = two_readings(robot, path, compile_mjcf) if compared else ()
        results = finished((*lint_results(robot, codes), *both), settings, path)
        models.append(
            ModelReport(model=model_record(robot), mechanism={}, states=None, subjects=(), results=results),
        )
    return make_report(models, settings)


def model_record(robot: RobotModel) -> ModelRecord:
    """Return the record of a file as it was read, before any base is added."""
    moving = [joint for joint in robot.joints if joint.kind != "fixed"]
    return ModelRecord(
        path=robot.path,
        sha256=robot.sha256,
        format=robot.format,
        nq=sum(JOINT_SIZES[joint.kind][0] for joint in moving),
        nv=sum(JOINT_SIZES[joint.kind][1] for joint in moving),
        joints=tuple(joint.name for joint in moving),
        links=tuple(link.name for link in robot.links),
    )
