"""Which version of a library answers a spec here, without starting it; and whether all machines have the same."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import AdapterMissing, UsageError
from robodyn_check.harness.discovery import find_adapter, find_adapters, installed_version, named_file
from robodyn_check.harness.environments import environment_for
from robodyn_check.harness.spec import LibrarySpec, parse_spec
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.harness.metadata import AdapterFile

#: Seconds that a foreign interpreter may take to say which version it has.
ANSWER_SECONDS = 60.0
_QUESTION = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
#: The names of what every machine of a sweep must have alike, beside the library specs.
TOOL, PYTHON = "robodyn-check", "Python"
#: The version of a library that is not there.
MISSING = "missing"


@cache
def library_version(text: str, adapter_file: str | None = None) -> str:
    """Return the version that a library spec means here, or `MISSING`.

    A program as an adapter has no version that can be asked without a model: the hash of its file stands for it.

    Raises:
        UsageError: A spec that cannot be read, or an adapter or profile that does not exist.
    """
    spec, adapter = found(text, adapter_file)
    if spec.version is not None:
        return spec.version
    if adapter.kind != "python" or not adapter.library:
        return file_hash(str(adapter.path))
    if spec.python is not None:
        return _version_in(spec.python, adapter.library)
    return installed_version(adapter) or MISSING


def found(text: str, adapter_file: str | None = None) -> tuple[LibrarySpec, AdapterFile]:
    """Return the spec and the adapter that a text means.

    Raises:
        UsageError: A spec that cannot be read, or an adapter or profile that does not exist.
    """
    spec = parse_spec(text)
    if adapter_file is not None:
        return spec, named_file(Path(adapter_file))
    return spec, find_adapter(spec, _shipped())


def machine_versions(specs: tuple[tuple[str, str | None], ...]) -> dict[str, str]:
    """Return what this machine has: the tool, Python, and each library spec; makes the environments they need."""
    versions = {TOOL: __version__, PYTHON: ".".join(platform.python_version_tuple()[:2])}
    for text, adapter_file in specs:
        spec, adapter = found(text, adapter_file)
        if spec.version is not None and adapter.kind == "python":
            try:
                environment_for(adapter, spec.version)
            except AdapterMissing:
                versions[text] = MISSING
                continue
        versions[text] = library_version(text, adapter_file)
    return versions


def agreed(machines: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the versions that all machines have.

    Raises:
        UsageError: They differ; the message says who has what.
    """
    lines = []
    common: dict[str, str] = {}
    for name in dict.fromkeys(name for versions in machines.values() for name in versions):
        who: dict[str, list[str]] = {}
        for machine, versions in machines.items():
            who.setdefault(versions.get(name, MISSING), []).append(machine)
        common[name] = next(iter(who))
        if len(who) > 1:
            shares = "; ".join(f"{version} on {', '.join(sorted(where))}" for version, where in sorted(who.items()))
            lines.append(f"  {name}: {shares}")
    if lines:
        raise UsageError(
            "the workers have different versions, so their results would not be comparable:\n"
            + "\n".join(lines)
            + "\nInstall the same on all of them, or leave some out."
        )
    return common


@cache
def file_hash(path: str) -> str:
    """Return a short hash of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]


@cache
def _shipped() -> dict[str, AdapterFile]:
    return find_adapters()


def _version_in(python: Path, library: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the interpreter that the user named
            (str(python), "-c", _QUESTION, library), capture_output=True, text=True, timeout=ANSWER_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return MISSING
    return done.stdout.strip() or MISSING
