"""``robodyn-check judge REPORT``: judge a saved run again, without asking a library."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.errors import UsageError
from robodyn_check.settings import load_settings


def command(
    report: Annotated[Path, typer.Argument(help="A report with its values, from --save-baseline.", metavar="REPORT")],
    *,
    certify: options.Certify = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    format: options.Format = None,  # noqa: A002 - the option's name
    fail_on: options.FailOn = None,
    strict: options.Strict = False,
) -> int:
    """Judge a saved run again by today's checks and reference; no library is asked."""
    given = {
        "certify": certify,
        "select": select or None,
        "ignore": ignore or None,
        "format": format or None,
        "fail_on": fail_on,
        "strict": strict or None,
    }
    settings = load_settings(given)

    from robodyn_check.cli.diff import read_file
    from robodyn_check.cli.output import parse_formats, write_report
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.regression.rejudge import rejudge
    from robodyn_check.regression.sidecar import read

    outputs = parse_formats(settings.format)
    saved = read_file(report)
    values = read(saved, report)
    if values is None:
        raise UsageError(f"{report} has no values beside it. Write it with --save-baseline.")
    with progress_line() as progress:
        again = rejudge(saved, values, settings, progress=progress)
    write_report(again, outputs)
    return again.exit_code
