"""The typer application: help, usage errors, and every command line that is not plain words."""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from robodyn_check.cli.declare import Argument, Option
from robodyn_check.cli.verbs import VERBS, VERSION_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def run_app(words: Sequence[str]) -> object:
    """Run a command line through typer and return what the verb returns; typer's exceptions go through."""
    program = typer.main.get_command(build_app(words))
    return program(args=list(words), prog_name="robodyn-check", standalone_mode=False)


def build_app(words: Sequence[str]) -> typer.Typer:
    """Return the application with the verb that ``words`` begins with, or with all of them."""
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback(invoke_without_command=True)(_program)
    for verb in VERBS if not words or words[0] not in VERBS else words[:1]:
        app.command(name=verb)(for_typer(importlib.import_module(f"robodyn_check.cli.{verb}").command))
    return app


def for_typer(command: Callable[..., object]) -> Callable[..., object]:
    """Return a verb's function with the declarations of `declare` spelled as typer's."""
    hints = {name: _for_typer(hint) for name, hint in get_type_hints(command, include_extras=True).items()}

    @functools.wraps(command)
    def same(*arguments: Any, **options: Any) -> object:
        return command(*arguments, **options)

    signature = inspect.signature(command)
    parameters = [one.replace(annotation=hints[name]) for name, one in signature.parameters.items()]
    same.__annotations__ = hints
    same.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return same


def _for_typer(hint: Any) -> Any:
    if get_origin(hint) is not Annotated:
        return hint
    kind, *notes = get_args(hint)
    match notes[0]:
        case Option(name, text, metavar):
            return Annotated[kind, typer.Option(name, help=text, metavar=metavar)]
        case Argument(text, metavar):
            return Annotated[kind, typer.Argument(help=text, metavar=metavar)]
    return hint


def _program(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    """Tell whether dynamics libraries compute the right dynamics of a robot.

    Without a verb: check. Example: robodyn-check robot.urdf --lib pinocchio
    """
    if version:
        typer.echo(VERSION_LINE)
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
