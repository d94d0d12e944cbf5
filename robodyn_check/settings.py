"""Settings: command line, environment, configuration file, defaults -> one frozen `Settings`.

Precedence, strongest first:

1. options of the command line (or arguments of `robodyn_check.check`);
2. environment variables ``ROBODYN_CHECK_<KEY>``, e.g. ``ROBODYN_CHECK_SAMPLES=50``; lists are separated by commas;
3. the first configuration found going up from the working directory: ``robodyn-check.toml``, else the table
   ``[tool.robodyn-check]`` of a ``pyproject.toml``;
4. the defaults below.

A list replaces a weaker list, it is never appended to. Unknown keys are refused with the nearest known one. Plain
Python: reading settings must not load numpy.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import SettingsError, UsageError
from robodyn_check.settings_values import READERS

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Libraries asked when nobody names any.
DEFAULT_LIBRARIES = ("pinocchio", "mujoco", "drake")
ENVIRONMENT_PREFIX = "ROBODYN_CHECK_"
OWN_FILE = "robodyn-check.toml"
TABLE = "robodyn-check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a run depends on besides the model file itself.

    ``lib`` None means the default libraries: one that is missing is then a skip; a named one is an error.
    ``isolated``: every library runs in an environment of its own. ``gravity`` None is the format's own.
    ``timeout`` (s) is per call to a library, ``memory`` (MiB) per process.
    ``jobs`` is the number of libraries that work at a time, None one per core.
    ``certify`` is the number of states to certify, None by the robot's size, 0 none.
    ``ignore`` maps a code prefix to its reason ("" on the command line). ``source`` is the configuration file used.
    """

    models: tuple[str, ...] = ()
    lib: tuple[str, ...] | None = None
    adapter: tuple[str, ...] = ()
    isolated: bool = False
    samples: int = 200
    seed: int = 0
    base: str = "fixed"
    gravity: tuple[float, float, float] | None = None
    timeout: float = 60.0
    memory: int = 4096
    jobs: int | None = None
    certify: int | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[tuple[str, str], ...] = ()
    format: tuple[str, ...] = ()
    fail_on: str = "fail"
    strict: bool = False
    exit_zero: bool = False
    known_failures: str | None = None
    source: str | None = None

    @property
    def libraries(self) -> tuple[str, ...]:
        """The library specs to ask: the named ones, else the default set."""
        return DEFAULT_LIBRARIES if self.lib is None else self.lib

    @property
    def libraries_named(self) -> bool:
        """True when the user named the libraries, so that a missing one is an error."""
        return self.lib is not None


#: What a configuration file or the environment may set.
KEYS: tuple[str, ...] = tuple(field.name for field in fields(Settings) if field.name != "source")


def load_settings(
    given: Mapping[str, object] | None = None,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    configuration: bool = True,
) -> Settings:
    """Combine all sources of settings.

    Args:
        given: Options that were really given, by key; None values count as not given. The strongest source.
        folder: Where the search for a configuration file starts; None is the working directory.
        environment: Environment variables; None is the process's.
        configuration: Look for a configuration file at all.

    Raises:
        UsageError: A value of ``given`` is out of range or unknown.
        SettingsError: A configuration file or environment variable that cannot be used.
    """
    source, table = find_configuration(folder or Path.cwd()) if configuration else (None, {})
    values: dict[str, Any] = {}
    for key, value in table.items():
        values[key] = _read(key, value, f"{source}: {key}", SettingsError)
    variables = os.environ if environment is None else environment
    for key in KEYS:
        name = ENVIRONMENT_PREFIX + key.upper()
        if name in variables:
            values[key] = _read(key, variables[name], name, SettingsError)
    for key, value in (given or {}).items():
        if value is not None:
            values[key] = _read(key, value, "--" + key.replace("_", "-"), UsageError)
    if source is not None:
        values["source"] = str(source)
    return Settings(**values)


def find_configuration(folder: Path) -> tuple[Path | None, dict[str, Any]]:
    """Return the nearest configuration file at or above ``folder`` and its table; (None, {}) where there is none."""
    start = folder.resolve()
    for place in (start, *start.parents):
        own = place / OWN_FILE
        if own.is_file():
            return own, _known_keys(own, _parse(own))
        project = place / "pyproject.toml"
        if project.is_file():
            table = _parse(project).get("tool", {}).get(TABLE)
            if table is not None:
                return project, _known_keys(project, table)
    return None, {}


def nearest(word: str, words: tuple[str, ...]) -> str:
    """Return ``" Did you mean 'x'?"`` for the closest of ``words``, or the empty string."""
    close = difflib.get_close_matches(word, words, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: this is not valid TOML: {error}") from error
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error


def _known_keys(path: Path, table: object) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: [tool.{TABLE}] must be a table")
    found: dict[str, Any] = {}
    for written, value in table.items():
        key = written.replace("-", "_")
        if key not in KEYS:
            spelled = tuple(name.replace("_", "-") for name in KEYS)
            known = ", ".join(spelled)
            raise SettingsError(f"{path}: unknown key {written!r}.{nearest(written, spelled)} Known keys: {known}.")
        found[key] = value
    return found


def _read(key: str, value: object, place: str, error: type[UsageError | SettingsError]) -> object:
    try:
        return READERS[key](value)
    except ValueError as fault:
        raise error(f"{place}: {fault}") from fault
