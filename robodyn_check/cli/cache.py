"""``robodyn-check cache``: the environments that were made for libraries, and how to be rid of them."""

from __future__ import annotations

from typing import Annotated

import typer

from robodyn_check.errors import AdapterMissing, UsageError


def command(
    adapters: Annotated[
        list[str] | None, typer.Argument(help="Only those of these libraries. [default: all]", metavar="NAME")
    ] = None,
    *,
    clean: Annotated[bool, typer.Option("--clean", help="Remove them.")] = False,
    make: Annotated[bool, typer.Option("--make", help="Make those of the named libraries now.")] = False,
) -> int:
    """List the cached environments, make or remove them; they are also made when --isolated first asks for one."""
    from robodyn_check.harness.environments import clean_environments, environments_folder, list_environments

    names = tuple(adapters or ())
    if make:
        return _make(names)
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


def _make(names: tuple[str, ...]) -> int:
    """Make one environment after the other; one that fails does not keep the others from being made."""
    from robodyn_check.harness.discovery import find_adapter, find_adapters
    from robodyn_check.harness.environments import environment_for
    from robodyn_check.harness.spec import LibrarySpec

    if not names:
        raise UsageError("cache --make needs the names of libraries; robodyn-check libs lists them")
    known = find_adapters()
    files = [find_adapter(LibrarySpec(name=name), known) for name in names]
    failed = 0
    for adapter in files:
        try:
            typer.echo(f"{adapter.name}: {environment_for(adapter, None).folder}")
        except AdapterMissing as error:
            typer.echo(f"{adapter.name}: {error}", err=True)
            failed = 1
    return failed
