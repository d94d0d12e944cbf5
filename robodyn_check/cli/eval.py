"""``robodyn-check eval MODEL --states FILE``: what one subject computes, as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.errors import AdapterError


def command(
    model: options.Model,
    *,
    states: Annotated[Path, typer.Option("--states", help="JSON file with base, gravity and states.", metavar="FILE")],
    lib: Annotated[
        str, typer.Option("--lib", help="Who computes: reference, or a library.", metavar="SPEC")
    ] = "reference",
    adapter: Annotated[
        Path | None, typer.Option("--adapter", help="An adapter of your own instead.", metavar="PATH")
    ] = None,
    quantity: Annotated[
        list[str] | None,
        typer.Option("--quantity", help="Only this quantity; repeatable. [default: all on offer]", metavar="NAME"),
    ] = None,
) -> int:
    """Print what the reference or a library computes at given states, as JSON."""
    from robodyn_check.evaluation import evaluate_file

    try:
        values = evaluate_file(model, states, library=lib, adapter=adapter, quantities=quantity or ())
    except AdapterError as error:
        typer.echo(str(error), err=True)
        return 1
    json.dump(values, sys.stdout, allow_nan=False)
    sys.stdout.write("\n")
    return 0
