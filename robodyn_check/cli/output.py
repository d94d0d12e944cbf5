"""Where reports go: ``--format NAME[=FILE]``, several at once; stdout takes at most one and nothing else."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.report.render import FORMATS, render
from robodyn_check.settings import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.results import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One format and its destination; ``file`` None is stdout."""

    format: str
    file: Path | None = None


def parse_formats(words: Sequence[str]) -> tuple[Output, ...]:
    """Read ``NAME[=FILE]`` words; without any, the terminal format on stdout.

    Raises:
        UsageError: An unknown format, a folder that does not exist, or two formats for stdout.
    """
    outputs = []
    for word in words or ("terminal",):
        name, equals, target = word.partition("=")
        if name not in FORMATS:
            known = ", ".join(FORMATS)
            raise UsageError(
                f"--format {word}: unknown format {name!r}.{nearest(name, tuple(FORMATS))} Known: {known}."
            )
        if equals and not target:
            raise UsageError(f"--format {word}: a file name must follow the equals sign")
        file = Path(target) if target else None
        if file is not None and not file.parent.is_dir():
            raise UsageError(f"--format {word}: the folder {str(file.parent)!r} does not exist")
        outputs.append(Output(format=name, file=file))
    to_stdout = [output.format for output in outputs if output.file is None]
    if len(to_stdout) > 1:
        both = " and ".join(to_stdout)
        raise UsageError(f"--format: {both} would share stdout; give all but one a file, such as {to_stdout[1]}=FILE")
    return tuple(outputs)


def write_report(report: Report, outputs: Sequence[Output]) -> None:
    """Render the report once per output; files appear whole or not at all."""
    for output in outputs:
        if output.file is not None:
            write_atomically(output.file, render(report, output.format))
        else:
            text = render(
                report, output.format, width=terminal_width(), color=wants_color(), ascii_only=not speaks_unicode()
            )
            sys.stdout.write(text)
            sys.stdout.flush()


def write_atomically(path: Path, text: str) -> None:
    """Write a text file by renaming a finished one, so that nobody reads half of it."""
    write_bytes_atomically(path, text.encode("utf-8"))


def write_bytes_atomically(path: Path, content: bytes) -> None:
    """Write a file by renaming a finished one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def terminal_width() -> int:
    """Return the width of the terminal, 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def wants_color() -> bool:
    """Colour only on a terminal, and never under NO_COLOR or TERM=dumb."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def speaks_unicode() -> bool:
    """Tell whether stdout can show the letters of equations."""
    try:
        "≤ τ ² ᵀ ─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
