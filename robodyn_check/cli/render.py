"""``robodyn-check render REPORT --format NAME[=FILE]``: a saved report in any format."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time


def command(
    report: Annotated[Path, typer.Argument(help="A report written by --format json=FILE.", metavar="REPORT")],
    *,
    format: options.Format = None,  # noqa: A002 - the option's name
) -> int:
    """Write a saved report in other formats; no library is asked. Exit code as the report has it."""
    from robodyn_check.cli.diff import read_file
    from robodyn_check.cli.output import parse_formats, write_report

    outputs = parse_formats(format or ())
    found = read_file(report)
    write_report(found, outputs)
    return found.exit_code
