"""``robodyn-check explain CODE``: what a check claims, why it matters, what usually breaks it."""

from __future__ import annotations

from typing import Annotated

import typer

from robodyn_check.checks.texts import explain
from robodyn_check.cli.texts import explanation


def command(
    code: Annotated[str, typer.Argument(help="A code or slug, such as RD201.", metavar="CODE")],
) -> None:
    """Explain a check: the claim, its formula and bound, the usual causes."""
    typer.echo(explanation(explain(code)), nl=False)
