"""The command ``robodyn-check``: picks the verb, runs it, turns whatever happens into an exit code and plain lines.

A verb is a module of this package that has the verb's name and a function ``command``. Only the verb in use is
imported; ``--help`` imports them all, which is cheap because heavy imports stand inside the functions.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robodyn_check.errors import RobodynCheckError
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Every verb, in the order of ``--help``.
VERBS: tuple[str, ...] = (
    "check",
    "eval",
    "explain",
    "checks",
    "libs",
    "lint",
    "analyze",
    "pair",
    "qualify",
    "dispute",
    "shrink",
    "exam",
    "study",
    "bump",
    "trend",
    "bisect",
    "diff",
    "judge",
    "render",
    "serve",
    "init",
    "flex",
    "sweep",
    "query",
    "conform",
    "cache",
)
DEFAULT_VERB = "check"
DEBUG_VARIABLE = "ROBODYN_CHECK_DEBUG"
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130


def run() -> None:
    """Run the command line of this process and exit; SIGTERM ends a run like Ctrl-C, with what is done."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")  # the cores are for the libraries; read when a verb imports numpy
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing escapes but the exit code and lines on stderr."""
    words = with_verb(arguments)
    try:
        result = typer.main.get_command(build_app(words))(args=words, prog_name="robodyn-check", standalone_mode=False)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last resort: no traceback reaches a user
        return exit_code_of(error)
    return result if isinstance(result, int) else 0


def exit_code_of(error: BaseException) -> int:
    """Say on stderr what ended the run early and return the exit code for it."""
    code = EXIT_INCOMPLETE
    match error:
        case typer.Exit():
            code = error.exit_code
        case typer.Abort() | KeyboardInterrupt():
            _say("robodyn-check: interrupted")
            code = EXIT_INTERRUPTED
        case BrokenPipeError():
            # whoever read our output is gone: nothing more may be written to it, not even at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        case RobodynCheckError():
            _say(str(error))
            code = error.exit_code
        case _ if hasattr(error, "format_message"):
            # click's usage errors; typer brings its own copy of click, so the class has no lasting name
            _usage(error)
            code = EXIT_USAGE
        case _:
            _fault_of_ours(error)
    return code


def with_verb(arguments: Sequence[str]) -> list[str]:
    """Put the default verb in front unless the first word is a verb or asks about the program itself."""
    words = list(arguments)
    if not words or words[0] in VERBS or words[0] in {"--help", "-h", "--version"}:
        return words
    return [DEFAULT_VERB, *words]


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
        app.command(name=verb)(importlib.import_module(f"robodyn_check.cli.{verb}").command)
    return app


def _program(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    """Tell whether dynamics libraries compute the right dynamics of a robot.

    Without a verb: check. Example: robodyn-check robot.urdf --lib pinocchio
    """
    if version:
        typer.echo(f"robodyn-check {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


def _usage(error: Any) -> None:
    _say(f"robodyn-check: {error.format_message()}")
    context = getattr(error, "ctx", None)
    if context is not None:
        _say(f"Try '{context.command_path} --help'.")


def _fault_of_ours(error: BaseException) -> None:
    if os.environ.get(DEBUG_VARIABLE):
        _say("".join(traceback.format_exception(error)))
        return
    _say(
        f"robodyn-check: internal error, {type(error).__name__}: {error}. This is a fault of robodyn-check, not of "
        f"your robot. Run again with {DEBUG_VARIABLE}=1 for the details and report them.",
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - stderr is where errors go
