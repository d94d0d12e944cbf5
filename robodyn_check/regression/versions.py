"""Versions of a library: their order, and which ones are published."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Seconds for one look at the package index.
TIMEOUT = 120.0


def published(distribution: str) -> tuple[str, ...]:
    """Return the published final versions of a distribution, oldest first, as pip sees them.

    Raises:
        UsageError: pip cannot tell; name the versions instead.
    """
    command = (sys.executable, "-m", "pip", "index", "versions", distribution, "--disable-pip-version-check")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)  # noqa: S603 - pip
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"pip took longer than {TIMEOUT:g} s to list {distribution}; name versions instead") from error
    match = re.search(r"Available versions: (.+)", done.stdout)
    if match is None:
        words = (done.stderr.strip() or done.stdout.strip() or "no answer").splitlines()[-1]
        raise UsageError(f"the versions of {distribution} cannot be listed ({words}); name them with --version")
    return in_order(version.strip() for version in match[1].split(","))


def in_order(versions: Iterable[str]) -> tuple[str, ...]:
    """Return versions oldest first, each once."""
    return tuple(sorted(dict.fromkeys(versions), key=order))


def order(version: str) -> tuple[tuple[int, ...], int, str]:
    """Return a key that sorts versions by their numbers, pre-releases before their release."""
    release = re.match(r"\d+(?:\.\d+)*", version)
    numbers = tuple(int(part) for part in release[0].split(".")) if release else ()
    while numbers and numbers[-1] == 0:
        numbers = numbers[:-1]
    rest = version[release.end() :] if release else version
    return numbers, 0 if re.match(r"[.\-_]?(a|b|c|rc|dev|alpha|beta)", rest) else 1, rest


def between(versions: Sequence[str], old: str, new: str) -> tuple[str, ...]:
    """Return the versions from ``old`` to ``new``, both included, oldest first."""
    low, high = order(old), order(new)
    return in_order([old, *(version for version in versions if low < order(version) < high), new])
