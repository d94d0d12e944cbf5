"""Taking up an interrupted run: the models that it finished are taken from its report, the others are checked."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.report.json_format import read_report
from robodyn_check.run.assemble import command_line

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport, Report
    from robodyn_check.settings import Settings


def read_interrupted(path: Path) -> Report:
    """Read the report of an interrupted run.

    Raises:
        UsageError: It cannot be read.
    """
    try:
        return read_report(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"--resume {path}: cannot be read: {error.strerror}") from error


def finished_models(report: Report, settings: Settings, path: Path) -> dict[str, ModelReport]:
    """Return the models that need no second check: whole, and their files are still the same.

    Args:
        report: Of the interrupted run.
        settings: Of this run.
        path: Of the report, for messages.

    Raises:
        UsageError: The interrupted run asked for something else.
    """
    wanted = command_line(settings, settings.models)
    if report.command != wanted:
        raise UsageError(
            f"--resume {path}: that run was another one:\n  {report.command}\nand this one is\n  {wanted}\n"
            "Give the same models, libraries and states, or leave out --resume."
        )
    return {
        model.model.path: model
        for model in report.models
        if model.complete and model.model.path in settings.models and _hash(model.model.path) == model.model.sha256
    }


def _hash(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""
