"""``robodyn-check diff OLD NEW``: what changed between two JSON reports."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import TYPE_CHECKING, Annotated

import typer

from robodyn_check.cli import pages

if TYPE_CHECKING:
    from robodyn_check.report.results import Report

HELP = "A report written by --format json=FILE or --save-baseline."


def command(
    old: Annotated[Path, typer.Argument(help=HELP, metavar="OLD")],
    new: Annotated[Path, typer.Argument(help=HELP, metavar="NEW")],
    *,
    format: pages.PageFormat = None,  # noqa: A002 - the option's name
) -> int:
    """Compare two reports: new, fixed, changed and moved findings. Exit code 1 when there is a new one."""
    outputs = pages.parse_page_formats(format or ())

    from robodyn_check.regression.diff import diff_reports
    from robodyn_check.regression.diff_page import diff_page

    result = diff_reports(read_file(old), read_file(new))
    pages.write_page(diff_page(result, str(old), str(new)), result, outputs)
    return result.exit_code


def read_file(path: Path) -> Report:
    """Read a JSON report from a file.

    Raises:
        UsageError: It cannot be read or is no whole report.
    """
    from robodyn_check.errors import UsageError
    from robodyn_check.report.json_format import read_report

    try:
        return read_report(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UsageError(f"{path}: cannot be read: {reason}. Write one with --format json=FILE.") from error
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
