"""What a verb declares about its arguments and options: the light form, which `lint` reads without typer.

``Annotated[str, Option("--name", help="…")]`` and typer's own ``typer.Option`` may stand beside each other.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its one name, and what the help says."""

    name: str
    help: str
    metavar: str | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument: what the help says, and the word that stands for it there."""

    help: str
    metavar: str
