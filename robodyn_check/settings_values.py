"""One reader per setting: from a TOML value, a string of the environment, or an argument, to the typed value.

A reader raises ValueError with a sentence that says what was found and what was expected; `settings` adds the place.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Words = tuple[str, ...]
#: What `--fail-on` may say: an unknown fail or error, or a warning as well.
FAIL_ON = ("fail", "warn")
BASES = ("fixed", "floating")
TRUE_WORDS = ("1", "true", "yes", "on")
FALSE_WORDS = ("0", "false", "no", "off", "")


def read_words(value: object) -> Words:
    """Read a list of words; strings are split at commas."""
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return tuple(word for item in value for word in read_words(item))
    raise ValueError(f"found {value!r}, expected a list of words")


def read_paths(value: object) -> Words:
    """Read a list of paths; a comma belongs to the path."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise ValueError(f"found {value!r}, expected a path or a list of paths")


def read_integer(least: int) -> Callable[[object], int]:
    """Return a reader of whole numbers not below ``least``."""

    def read(value: object) -> int:
        try:
            number = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else None
        except ValueError:
            number = None
        if number is None or number < least:
            raise ValueError(f"found {value!r}, expected a whole number, at least {least}")
        return number

    return read


def read_positive(value: object) -> float:
    """Read a positive, finite number."""
    number = _float(value)
    if number is None or not 0.0 < number < math.inf:
        raise ValueError(f"found {value!r}, expected a positive number")
    return number


def read_gravity(value: object) -> tuple[float, float, float]:
    """Read three finite numbers, ``"0,0,-9.81"`` or a list."""
    parts: list[Any] = []
    if isinstance(value, str):
        parts = value.split(",")
    elif isinstance(value, list | tuple):
        parts = list(value)
    numbers = [_float(part) for part in parts]
    x, y, z = numbers if len(numbers) == 3 else (None, None, None)
    if x is None or y is None or z is None or not all(map(math.isfinite, (x, y, z))):
        raise ValueError(f"found {value!r}, expected three numbers x,y,z in m/s², such as 0,0,-9.81")
    return x, y, z


def read_choice(*choices: str) -> Callable[[object], str]:
    """Return a reader of one word out of ``choices``."""

    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"found {value!r}, expected one of {', '.join(choices)}")
        return str(value)

    return read


def read_switch(value: object) -> bool:
    """Read a truth value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in TRUE_WORDS + FALSE_WORDS:
        return value.lower() in TRUE_WORDS
    raise ValueError(f"found {value!r}, expected true or false")


def read_ignore(value: object) -> tuple[tuple[str, str], ...]:
    """Read codes to ignore: words, or a table from code to the reason."""
    if isinstance(value, dict):
        if not all(isinstance(reason, str) and reason.strip() for reason in value.values()):
            raise ValueError(f"found {value!r}, expected a reason (text) for every code")
        return tuple(sorted(value.items()))
    return tuple((code, "") for code in read_words(value))


def read_certify(value: object) -> int:
    """Read a number of states, or "all" for every one."""
    return EVERY_STATE if value == "all" else read_integer(0)(value)


def read_text(value: object) -> str:
    """Read a non-empty string."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"found {value!r}, expected text")
    return value


def _float(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


#: More states than any run has.
EVERY_STATE = 2**31
READERS: dict[str, Callable[[object], Any]] = {
    "models": read_paths,
    "lib": read_words,
    "adapter": read_paths,
    "isolated": read_switch,
    "samples": read_integer(1),
    "seed": read_integer(0),
    "base": read_choice(*BASES),
    "gravity": read_gravity,
    "timeout": read_positive,
    "memory": read_integer(64),
    "jobs": read_integer(1),
    "certify": read_certify,
    "select": read_words,
    "ignore": read_ignore,
    "format": read_paths,
    "fail_on": read_choice(*FAIL_ON),
    "strict": read_switch,
    "exit_zero": read_switch,
    "known_failures": read_text,
}
