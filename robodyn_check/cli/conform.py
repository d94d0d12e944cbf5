"""``robodyn-check conform ADAPTER``: does an adapter speak the protocol, and is what it says right?"""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time


def command(
    adapter: Annotated[
        str,
        typer.Argument(help="An adapter file, a program that speaks the protocol, or a library.", metavar="ADAPTER"),
    ],
    models: Annotated[
        list[Path] | None, typer.Argument(help="URDF or MJCF files; default: the bundled models.", metavar="MODEL")
    ] = None,
    *,
    protocol_only: Annotated[bool, typer.Option("--protocol-only", help="Leave out the run over the models.")] = False,
    samples: Annotated[
        int | None, typer.Option("--samples", help="Number of states of each model. [default: 50]", metavar="N")
    ] = None,
    seed: options.Seed = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    known: Annotated[
        Path | None,
        typer.Option("--write-known", help="Write what was found as known-failures.toml.", metavar="FILE"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write the full JSON report of the models.", metavar="FILE")
    ] = None,
) -> int:
    """Examine an adapter: the protocol, then every check over the bundled models. Exit code 0: it conforms.

    Example: robodyn-check conform ./my_adapter.py
    """
    given = {
        "samples": samples,
        "seed": seed,
        "timeout": timeout,
        "memory": memory,
        "select": select or None,
        "ignore": ignore or None,
    }

    from robodyn_check.cli.output import write_atomically
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.conform.known_list import known_list
    from robodyn_check.conform.page import verdict_page
    from robodyn_check.conform.run import conform, settings_for
    from robodyn_check.report.json_format import to_json

    settings = settings_for(
        adapter, models or (), **{name: value for name, value in given.items() if value is not None}
    )
    with progress_line() as progress:
        found = conform(settings, protocol_only=protocol_only, progress=progress)
    if report is not None and found.report is not None:
        write_atomically(report, to_json(found.report))
    listed = "" if found.report is None else known_list(found.report, found.subject)
    sys.stdout.write(verdict_page(found))
    if known is not None:
        write_atomically(known, listed)
    elif listed:
        sys.stdout.write(f"\n{listed}")
    return found.exit_code
