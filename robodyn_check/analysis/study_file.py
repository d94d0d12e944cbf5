"""What a rounding study has seen, kept line by line, so that one that was interrupted goes on where it stopped.

The first line says which study it is; every other one holds the observations of one robot, as JSON.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from robodyn_check.analysis.study_population import case_of
from robodyn_check.analysis.study_rounding import Measured, Observation
from robodyn_check.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_FIELDS = tuple(field.name for field in fields(Measured))


def start_or_continue(path: Path, parameters: dict[str, Any]) -> None:
    """Start the file of a study, or make sure that it is of this study; a last line that was cut off is taken away.

    Args:
        path: The file; created where it does not exist.
        parameters: What the observations depend on.

    Raises:
        UsageError: The file is of another study, or of none, or its folder does not exist.
    """
    if not path.parent.is_dir():
        raise UsageError(f"--keep {path}: the folder {str(path.parent)!r} does not exist")
    first = json.dumps(parameters, sort_keys=True)
    text = path.read_bytes() if path.exists() else b""
    if not text:
        path.write_text(first + "\n", encoding="utf-8")
        return
    line = text.partition(b"\n")[0].decode(errors="replace")
    if line != first:
        raise UsageError(f"{path} keeps another study, {line[:200]}; name another file, or delete it")
    with path.open("r+b") as file:
        file.truncate(text.rfind(b"\n") + 1)


def kept(path: Path) -> Iterator[Observation]:
    """Read the observations, one by one."""
    with path.open(encoding="utf-8") as file:
        next(file, None)
        for line in file:
            for entry in json.loads(line):
                yield _observation(entry)


def line_of(observations: Iterable[Observation]) -> str:
    """Return the line of one robot."""
    return json.dumps([_entry(observation) for observation in observations], separators=(",", ":")) + "\n"


def _entry(observation: Observation) -> dict[str, Any]:
    measured = [list(asdict(one).values()) for one in observation.measured]
    return {**asdict(observation), "case": str(observation.case), "measured": measured}


def _observation(entry: dict[str, Any]) -> Observation:
    measured = tuple(Measured(**dict(zip(_FIELDS, one, strict=True))) for one in entry["measured"])
    return Observation(**{**entry, "case": case_of(entry["case"]), "measured": measured})
