"""A library spec as users write it: ``NAME[:PROFILE][==VERSION | @PATH/TO/python]``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from robodyn_check.errors import UsageError

_PATTERN = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*?)(:(?P<profile>[\w.-]+))?(==(?P<version>[\w.+!-]+)|@(?P<python>.+))?\Z"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySpec:
    """Which adapter, loaded how, with which version of its library, in which interpreter.

    ``adapter`` is the file of ``--adapter``; ``isolated`` asks for an environment of its own.
    """

    name: str
    profile: str = ""
    version: str | None = None
    python: Path | None = None
    adapter: Path | None = None
    isolated: bool = False

    def __str__(self) -> str:
        """Return the spec as users write it."""
        profile = f":{self.profile}" if self.profile else ""
        version = f"=={self.version}" if self.version else ""
        python = f"@{self.python}" if self.python else ""
        return f"{self.name}{profile}{version}{python}"


def parse_spec(text: str) -> LibrarySpec:
    """Read one spec.

    Raises:
        UsageError: It does not have this form; the message shows the form and an example.
    """
    match = _PATTERN.match(text.strip())
    if match is None:
        message = (
            f"library {text!r} cannot be read; expected NAME[:PROFILE][==VERSION | @PATH/TO/python], "
            "for example pinocchio, mujoco:default or drake==1.40.0"
        )
        raise UsageError(message)
    python = match["python"]
    return LibrarySpec(
        name=match["name"],
        profile=match["profile"] or "",
        version=match["version"],
        python=Path(python).expanduser() if python else None,
    )
