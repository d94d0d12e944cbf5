"""``robodyn-check lint MODEL``: look at the model file alone; no library, no numbers beyond the file's."""

from __future__ import annotations

from typing import Any

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.cli.output import parse_formats, write_report
from robodyn_check.errors import UsageError
from robodyn_check.run.linting import lint_report
from robodyn_check.settings import load_settings


def command(
    models: options.Models = None,
    *,
    select: options.Select = None,
    ignore: options.Ignore = None,
    format: options.Format = None,  # noqa: A002 - the option's name
    fail_on: options.FailOn = None,
    exit_zero: options.ExitZero = False,
) -> int:
    """Check a model file alone, without asking any library."""
    given: dict[str, Any] = {
        "models": [str(path) for path in models] if models else None,
        "select": select or None,
        "ignore": ignore or None,
        "format": format or None,
        "fail_on": fail_on,
        "exit_zero": exit_zero or None,
    }
    settings = load_settings(given)
    if not settings.models:
        raise UsageError("no model given. Name a file: robodyn-check lint robot.urdf")
    outputs = parse_formats(settings.format)
    report = lint_report(settings)
    write_report(report, outputs)
    return report.exit_code
