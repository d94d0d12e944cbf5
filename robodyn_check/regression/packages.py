"""Which packages two environments have, and how they differ."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_PROGRAM = """
import importlib.metadata as m, json, sys
json.dump({d.metadata["Name"]: d.version for d in m.distributions() if d.metadata["Name"]}, sys.stdout)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageChange:
    """One distribution; a version is empty where the environment does not have it."""

    name: str
    old: str
    new: str


def installed(python: Path) -> dict[str, str]:
    """Return the distributions of an interpreter with their versions; empty where it cannot be asked."""
    try:
        done = subprocess.run(  # noqa: S603 - the environment's own interpreter
            [str(python), "-I", "-c", _PROGRAM], capture_output=True, text=True, timeout=60, check=False
        )
        found = json.loads(done.stdout) if done.returncode == 0 else {}
    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return {}
    return {str(name): str(version) for name, version in found.items()}


def package_changes(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[PackageChange, ...]:
    """Return the distributions whose versions differ, by name."""
    before, after = ({name.lower(): version for name, version in one.items()} for one in (old, new))
    return tuple(
        PackageChange(name=name, old=before.get(name, ""), new=after.get(name, ""))
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    )
