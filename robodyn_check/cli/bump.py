"""``robodyn-check bump LIB OLD NEW MODEL…``: what changes when a library's version changes."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer

from robodyn_check.cli import options, pages
from robodyn_check.settings import load_settings

Library = Annotated[
    str,
    typer.Argument(help="A library, NAME[:PROFILE]; pin and drake may be named as the index does.", metavar="LIB"),
]
Version = "A version, current for the installed one, or @PATH/TO/python."


def command(
    library: Library,
    old: Annotated[str, typer.Argument(help=Version, metavar="OLD")],
    new: Annotated[str, typer.Argument(help=Version, metavar="NEW")],
    models: Annotated[
        list[Path] | None,
        typer.Argument(help="URDF or MJCF files; default: `models` of the configuration.", metavar="MODEL"),
    ] = None,
    *,
    adapter: options.AdapterFile = None,
    samples: options.Samples = None,
    seed: options.Seed = None,
    base: options.Base = None,
    gravity: options.Gravity = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    certify: options.Certify = None,
    format: pages.PageFormat = None,  # noqa: A002 - the option's name
    report: Annotated[
        Path | None, typer.Option("--report", help="Write the full JSON report about both versions.", metavar="FILE")
    ] = None,
    fail_on: options.FailOn = None,
    no_timings: Annotated[bool, typer.Option("--no-timings", help="Do not measure times.")] = False,
) -> int:
    """Compare two versions of a library: bit for bit, in eps·S, and with the truth.

    Exit code 1 when something that worked is broken, refused or gone.
    """
    given = {
        "models": [str(path) for path in models] if models else None,
        "adapter": adapter or None,
        "samples": samples,
        "seed": seed,
        "base": base,
        "gravity": gravity,
        "timeout": timeout,
        "memory": memory,
        "certify": certify,
        "fail_on": fail_on,
    }
    settings = load_settings(given)
    outputs = pages.parse_page_formats(format or ())

    from robodyn_check.cli.output import write_atomically
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.regression.bump_page import bump_page
    from robodyn_check.regression.bump_run import bump
    from robodyn_check.report.json_format import to_json

    with progress_line() as progress:
        result, full = bump(settings, library, old, new, timings=not no_timings, progress=progress)
    if report is not None:
        write_atomically(report, to_json(full))
    pages.write_page(bump_page(result), result, outputs)
    return result.exit_code
