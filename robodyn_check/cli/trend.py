"""``robodyn-check trend LIB MODEL… --version V``: a library over several of its versions."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer

from robodyn_check.cli import options, pages
from robodyn_check.cli.bump import Library  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.settings import load_settings


def command(
    library: Library,
    models: Annotated[
        list[Path] | None,
        typer.Argument(help="URDF or MJCF files; default: `models` of the configuration.", metavar="MODEL"),
    ] = None,
    *,
    version: Annotated[
        list[str] | None,
        typer.Option("--version", help="A version; repeatable. Default: the newest published ones.", metavar="V"),
    ] = None,
    last: Annotated[int, typer.Option("--last", help="How many of the newest published versions.", min=2)] = 5,
    adapter: options.AdapterFile = None,
    samples: options.Samples = None,
    seed: options.Seed = None,
    base: options.Base = None,
    format: pages.PageFormat = None,  # noqa: A002 - the option's name
) -> int:
    """Check models with several versions of a library. Exit code 1 when the newest one is wrong."""
    given = {
        "models": [str(path) for path in models] if models else None,
        "adapter": adapter or None,
        "samples": samples,
        "seed": seed,
        "base": base,
    }
    settings = load_settings(given)
    outputs = pages.parse_page_formats(format or ())

    from robodyn_check.cli.progress import progress_line
    from robodyn_check.regression.bump_run import resolve
    from robodyn_check.regression.trend import trend, trend_page
    from robodyn_check.regression.versions import published

    name, file = resolve(settings, library)
    versions = tuple(version) if version else published(file.library)[-last:]
    with progress_line() as progress:
        found = trend(settings, name, versions, progress=progress)
    pages.write_page(trend_page(found), found, outputs)
    return found.exit_code
