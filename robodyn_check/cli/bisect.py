"""``robodyn-check bisect LIB OLD NEW MODEL…``: the first version that changed a finding."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer

from robodyn_check.cli import options, pages
from robodyn_check.cli.bump import Library  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.settings import load_settings


def command(
    library: Library,
    old: Annotated[str, typer.Argument(help="A version.", metavar="OLD")],
    new: Annotated[str, typer.Argument(help="A later version.", metavar="NEW")],
    models: Annotated[
        list[Path] | None,
        typer.Argument(help="URDF or MJCF files; default: `models` of the configuration.", metavar="MODEL"),
    ] = None,
    *,
    code: Annotated[
        str, typer.Option("--code", help="Only findings whose code begins like this.", metavar="CODE")
    ] = "",
    version: Annotated[
        list[str] | None,
        typer.Option("--version", help="A version between; repeatable. Default: all published ones.", metavar="V"),
    ] = None,
    adapter: options.AdapterFile = None,
    samples: options.Samples = None,
    seed: options.Seed = None,
    base: options.Base = None,
    format: pages.PageFormat = None,  # noqa: A002 - the option's name
) -> int:
    """Find the first version of a library that changed a finding. Exit code 1 when a finding appeared."""
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
    from robodyn_check.regression.bisect import bisect, bisect_page
    from robodyn_check.regression.bump_run import resolve
    from robodyn_check.regression.versions import between, published

    name, file = resolve(settings, library)
    versions = (old, *version, new) if version else between(published(file.library), old, new)
    with progress_line() as progress:
        found = bisect(settings, name, versions, code=code, progress=progress)
    pages.write_page(bisect_page(found), found, outputs)
    return found.exit_code
