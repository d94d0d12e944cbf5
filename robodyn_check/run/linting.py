"""What the model file alone shows, as results and as a report of its own; no numpy, no library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.checks.texts import chosen
from robodyn_check.model.lint import lint
from robodyn_check.model.mechanism import JOINT_SIZES
from robodyn_check.model.read import read_model
from robodyn_check.report.results import ModelRecord, ModelReport
from robodyn_check.run.assemble import finished, make_report

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


def lint_results(robot: RobotModel, codes: frozenset[str]) -> tuple[Result, ...]:
    """Return the lint's results that the selection keeps."""
    return tuple(result for result in lint(robot) if result.code in codes)


def lint_report(settings: Settings) -> Report:
    """Lint every model of the settings.

    Raises:
        ModelError: A file that cannot be read.
        UsageError: A selection that matches nothing.
    """
    codes = selected_codes(settings)
    models = []
    for path in settings.models:
        robot = read_model(Path(path))
        results = finished(lint_results(robot, codes), settings, path)
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
