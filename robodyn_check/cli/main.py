"""The command ``robodyn-check``: picks the verb, runs it, turns whatever happens into an exit code and plain lines.

A verb is a module of this package that has the verb's name and a function ``command``. Only the verb in use is
imported. Ordinary words are read by `plain_words`; all others, and ``--help``, are for typer, which loads only then.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any

from robodyn_check.cli.plain_words import plain_words
from robodyn_check.cli.verbs import DEFAULT_VERB, VERBS, VERSION_LINE
from robodyn_check.errors import RobodynCheckError

if TYPE_CHECKING:
    from collections.abc import Sequence

DEBUG_VARIABLE = "ROBODYN_CHECK_DEBUG"
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130


def run() -> None:
    """Run the command line of this process and exit; SIGTERM ends a run like Ctrl-C, with what is done."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")  # the cores are for the libraries; read when a verb imports numpy
    gc.set_threshold(100_000)  # answers and results live to the end: looking through them for garbage costs a tenth
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing escapes but the exit code and lines on stderr."""
    try:
        result = do(with_verb(arguments))
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last resort: no traceback reaches a user
        return exit_code_of(error)
    return result if isinstance(result, int) else 0


def do(words: Sequence[str]) -> object:
    """Run the verb with what the words give it, and return what it returns."""
    if list(words) == ["--version"]:
        print(VERSION_LINE)  # noqa: T201 - what was asked for
        return None
    if words and words[0] in VERBS:
        command = importlib.import_module(f"robodyn_check.cli.{words[0]}").command
        given = plain_words(command, words[1:])
        if given is not None:
            return command(**given)
    from robodyn_check.cli.app import run_app

    return run_app(words)


def exit_code_of(error: BaseException) -> int:
    """Say on stderr what ended the run early and return the exit code for it."""
    code = EXIT_INCOMPLETE
    match error:
        case KeyboardInterrupt():
            _say("robodyn-check: interrupted")
            code = EXIT_INTERRUPTED
        case BrokenPipeError():
            # whoever read our output is gone: nothing more may be written to it, not even at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        case RobodynCheckError():
            _say(str(error))
            code = error.exit_code
        case _ if _is_typers(error, "Exit"):
            code = int(getattr(error, "exit_code", 0))
        case _ if _is_typers(error, "Abort"):
            _say("robodyn-check: interrupted")
            code = EXIT_INTERRUPTED
        case _ if hasattr(error, "format_message"):
            # click's usage errors; typer brings its own copy of click, so the class has no lasting name
            _usage(error)
            code = EXIT_USAGE
        case _:
            _fault_of_ours(error)
    return code


def _is_typers(error: BaseException, name: str) -> bool:
    """Tell whether this is one of typer's exceptions; a run that did not load typer has none."""
    typer = sys.modules.get("typer")
    return typer is not None and isinstance(error, getattr(typer, name))


def with_verb(arguments: Sequence[str]) -> list[str]:
    """Put the default verb in front unless the first word is a verb or asks about the program itself."""
    words = list(arguments)
    if not words or words[0] in VERBS or words[0] in {"--help", "-h", "--version"}:
        return words
    return [DEFAULT_VERB, *words]


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
