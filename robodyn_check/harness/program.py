"""Adapters that are programs with a folder of their own: ``adapters/NAME/adapter.toml`` and the sources of the program.

The file states what the program will answer to ``initialize``, so that ``libs`` lists it before it is built, and says
how to build it. The program itself is built into the cache folder, where nothing of it can be committed by accident.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import UsageError
from robodyn_check.harness.metadata import AdapterFile
from robodyn_check.harness.staging import cache_folder

if TYPE_CHECKING:
    from pathlib import Path

FACTS = "adapter.toml"
_REQUIRED = ("name", "program", "version", "install")


def read_program(folder: Path) -> AdapterFile | None:
    """Return the adapter of a folder, built or not; None where the folder holds no facts.

    Raises:
        UsageError: Its facts are no TOML, or a key is missing or unknown.
    """
    path = folder / FACTS
    if not path.is_file():
        return None
    try:
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"adapter {path}: this is not valid TOML: {error}") from error
    known = {field.name for field in fields(AdapterFile)} - {"path", "kind"} | {"program"}
    strange, missing = sorted(set(facts) - known), [key for key in _REQUIRED if key not in facts]
    if strange or missing:
        what = f"unknown key {strange[0]!r}" if strange else f"{missing[0]} is missing"
        raise UsageError(f"adapter {path}: {what}; an adapter may say {', '.join(sorted(known))}")
    program = cache_folder() / str(facts.pop("program"))
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}
    return AdapterFile(**values, path=program, kind="program")


def is_built(adapter: AdapterFile) -> bool:
    """Tell whether an adapter's program is there."""
    return adapter.path.is_file() and os.access(adapter.path, os.X_OK)
