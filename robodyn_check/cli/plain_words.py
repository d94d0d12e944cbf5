"""The words of an ordinary command line, read straight from a verb's signature.

Typer's own reading loads a validation framework first, which takes longer than most verbs. So what is plain is read
here, by the same declarations: arguments, ``--name value``, ``--name=value``, flags. Whatever is not (help, an unknown
or missing word, a number that is none, a type that is not one of a few) is left to typer, with its help and its
messages.
"""

from __future__ import annotations

import inspect
import re
import types
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

from robodyn_check.cli.declare import Argument, Option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Type -> what a word of it looks like, and what it becomes.
_KINDS: dict[Any, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    str: (re.compile(r".*", re.DOTALL), str),
    Path: (re.compile(r"[^-].*", re.DOTALL), Path),
    int: (re.compile(r"-?[0-9]+"), int),
    float: (re.compile(r"-?[0-9]+(\.[0-9]+)?"), float),
}
#: What an option or argument may declare here besides its names, its help and a least value.
_SILENT = ("callback", "envvar", "parser", "prompt", "count", "max", "clamp", "is_eager", "exists", "resolve_path")


class _NotPlainError(Exception):
    """The words are for typer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parameter:
    """One parameter of a verb; ``option`` is None for an argument, ``kind`` bool for a flag."""

    name: str
    kind: Any
    many: bool
    option: str | None
    required: bool
    least: float | None


def plain_words(command: Callable[..., object], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments that the words give to a verb; None where they are not plain.

    Args:
        command: The verb's function, as typer takes it.
        words: What follows the verb.
    """
    try:
        parameters = _parameters(command)
        options = {one.option: one for one in parameters if one.option is not None}
        given, loose = _options(options, words)
        given |= _arguments([one for one in parameters if one.option is None], loose)
    except _NotPlainError:
        return None
    missing = any(one.required and one.name not in given for one in parameters)
    return None if missing else given


def _parameters(command: Callable[..., object]) -> list[_Parameter]:
    hints = get_type_hints(command, include_extras=True)
    return [_parameter(one, hints[name]) for name, one in inspect.signature(command).parameters.items()]


def _parameter(parameter: inspect.Parameter, hint: Any) -> _Parameter:
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if len(notes) != 1:
        raise _NotPlainError
    option, least = _declared(notes[0])
    if get_origin(kind) in {Union, types.UnionType}:
        kind = next(entry for entry in get_args(kind) if entry is not type(None))
    many = get_origin(kind) is list
    if many:
        (kind,) = get_args(kind)
    if kind not in _KINDS and not (kind is bool and option and not many):
        raise _NotPlainError
    required = parameter.default is inspect.Parameter.empty
    return _Parameter(name=parameter.name, kind=kind, many=many, option=option, required=required, least=least)


def _declared(note: object) -> tuple[str | None, float | None]:
    """Return the name of an option, None of an argument, and the least value."""
    if isinstance(note, Option):
        return note.name, None
    if isinstance(note, Argument):
        return None, None
    from typer.models import ArgumentInfo, OptionInfo  # the verb has loaded it, since it declares with it

    if not isinstance(note, OptionInfo | ArgumentInfo) or any(getattr(note, name, None) for name in _SILENT):
        raise _NotPlainError
    if isinstance(note, ArgumentInfo):
        return None, note.min
    # typer takes the first name for a default and puts that right later
    names = [name for name in (note.default, *(note.param_decls or ())) if isinstance(name, str)]
    if len(names) != 1 or not re.fullmatch(r"--[a-z][a-z-]*", names[0]):
        raise _NotPlainError
    return names[0], note.min


def _options(options: dict[str, _Parameter], words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return what options give, and the other words; a value is taken whatever it looks like."""
    given: dict[str, Any] = {}
    loose: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            loose.append(word)
        elif name not in options or (options[name].kind is bool and equals):
            raise _NotPlainError
        elif options[name].kind is bool:
            given[options[name].name] = True
        else:
            text = value if equals else next(rest, None)
            if text is None:
                raise _NotPlainError
            one = options[name]
            read = _read(one, text)
            given[one.name] = [*given.get(one.name, []), read] if one.many else read
    return given, loose


def _arguments(parameters: Sequence[_Parameter], words: list[str]) -> dict[str, Any]:
    """Give the words to the arguments in order; only the last argument may take many."""
    given: dict[str, Any] = {}
    if any(one.many for one in parameters[:-1]):
        raise _NotPlainError
    left = list(words)
    for one in parameters:
        if one.many:
            if left:
                given[one.name] = [_read(one, word) for word in left]
            left = []
        elif left:
            given[one.name] = _read(one, left.pop(0))
    if left:
        raise _NotPlainError
    return given


def _read(parameter: _Parameter, word: str) -> Any:
    pattern, convert = _KINDS[parameter.kind]
    if not pattern.fullmatch(word):
        raise _NotPlainError
    value = convert(word)
    if parameter.least is not None and value < parameter.least:
        raise _NotPlainError
    return value
