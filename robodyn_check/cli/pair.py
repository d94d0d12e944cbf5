"""``robodyn-check pair A B``: compare two descriptions of one robot; no library is asked."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated, Any

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time


def command(
    first: Annotated[Path, typer.Argument(help="The file that is taken for right.", metavar="A")],
    second: Annotated[Path, typer.Argument(help="The file that is held against it.", metavar="B")],
    *,
    samples: options.Samples = None,
    seed: options.Seed = None,
    base: options.Base = None,
    select: options.Select = None,
    format: options.Format = None,  # noqa: A002 - the option's name
    exact: Annotated[
        bool, typer.Option("--exact", help="Compare to the last bit, not to the digits that files are written with.")
    ] = False,
) -> int:
    """Compare two files of one robot: URDF against MJCF, old against new, the vendor's against yours."""
    from robodyn_check.cli.output import parse_formats, write_report
    from robodyn_check.run.pairing import compare_files
    from robodyn_check.settings import load_settings

    given: dict[str, Any] = {
        "models": [str(first)],
        "lib": [],
        "samples": samples,
        "seed": seed,
        "base": base,
        "select": select or None,
        "format": format or None,
    }
    settings = load_settings(given)
    outputs = parse_formats(settings.format)
    report = compare_files(str(first), str(second), settings, exact=exact)
    write_report(report, outputs)
    return report.exit_code
