"""``robodyn-check cache``: the environments that were made for libraries, and how to be rid of them."""

from __future__ import annotations

from typing import Annotated

import typer


def command(
    adapters: Annotated[
        list[str] | None, typer.Argument(help="Only those of these libraries. [default: all]", metavar="NAME")
    ] = None,
    *,
    clean: Annotated[bool, typer.Option("--clean", help="Remove them.")] = False,
) -> int:
    """List the cached environments, or remove them; they are made again when they are asked for."""
    from robodyn_check.harness.environments import clean_environments, environments_folder, list_environments

    names = tuple(adapters or ())
    if clean:
        removed = clean_environments(names)
        for folder in removed:
            typer.echo(f"removed {folder}")
        if not removed:
            typer.echo(f"nothing to remove in {environments_folder()}")
        return 0
    records = [record for record in list_environments() if not names or record.adapter in names]
    for record in records:
        dated = f", packages as of {record.as_of}" if record.as_of else ""
        typer.echo(f"{record.adapter}: {' '.join(record.requirements)} (Python {record.python}{dated})")
        typer.echo(f"  {record.folder}, made {record.made}")
    if not records:
        typer.echo(f"no cached environments in {environments_folder()}")
    return 0
