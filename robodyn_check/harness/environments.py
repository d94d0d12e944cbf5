"""Which interpreter an adapter runs in: ours, one that the user names, or an environment made for it with uv.

An environment is made from the adapter's inline dependencies, with the asked version in place of its library's range,
and kept under the XDG cache. Where an old version does not start with today's side packages (pin 3.9.0 with the newest
cmeel-urdfdom: "liburdfdom_sensor.so.4.0: cannot open shared object file"), it is resolved again as of its release:
uv names the publication time when it is asked for a version that a date excludes.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import AdapterMissing
from robodyn_check.harness.process import Launch
from robodyn_check.harness.staging import cache_folder, staged_sdk
from robodyn_check.resources import PACKAGE
from robodyn_check.sdk.protocol import PROBE_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.harness.spec import LibrarySpec

#: Days after a release as of which its side packages are taken: enough for a fix that followed at once.
DAYS_AFTER_RELEASE = 5
#: Seconds for one uv command; large libraries are downloaded here.
UV_TIMEOUT = 1800.0
#: Written last: a folder without it is a broken attempt.
MARKER = "environment.json"
#: A date before every wheel, to learn from uv when a version was published.
BEFORE_ALL = "2001-01-01"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentRecord:
    """One cached environment."""

    folder: str
    adapter: str
    requirements: tuple[str, ...]
    python: str
    as_of: str | None
    made: str


def launch_for(spec: LibrarySpec, adapter: AdapterFile) -> Launch:
    """Return how to start the adapter of a spec; makes its environment where it needs one.

    Raises:
        AdapterMissing: The interpreter, uv or a package is not there, or the version cannot be made to start.
    """
    if adapter.kind == "program":
        return Launch(command=(str(adapter.path),), program=True, environment="program")
    if spec.python is not None:
        python = spec.python
        if not os.access(python, os.X_OK) or python.is_dir():
            message = f"{spec}: {python} is no interpreter; expected the path of a Python executable"
            raise AdapterMissing(message)
        return _launch(python, adapter, str(python), foreign=True)
    if spec.version is None and not spec.isolated:
        return _launch(Path(sys.executable), adapter, "current", foreign=False)
    record = environment_for(adapter, spec.version)
    what = " ".join(record.requirements)
    notes = (f"packages as of {record.as_of}, since {spec} does not start with today's",) if record.as_of else ()
    return _launch(Path(record.folder) / "bin" / "python", adapter, f"isolated: {what}", foreign=True, notes=notes)


def environment_for(adapter: AdapterFile, version: str | None) -> EnvironmentRecord:
    """Return a cached environment for an adapter, made on first use.

    Raises:
        AdapterMissing: uv, a package or the version is not there, or the library does not start in it.
    """
    requirements = requirements_for(adapter, version)
    key = hashlib.blake2b(json.dumps([adapter.name, requirements, sys.executable]).encode(), digest_size=8).hexdigest()
    folder = environments_folder() / f"{adapter.name}-{version or 'latest'}-{key}"
    with _locked(folder):
        record = _read_record(folder)
        if record is not None:
            return record
        as_of = None
        _make(folder, requirements, as_of)
        complaint = _complaint(folder, adapter)
        if complaint and version is not None and (as_of := _as_of(adapter, version)):
            _make(folder, requirements, as_of)
            complaint = _complaint(folder, adapter)
        if complaint:
            shutil.rmtree(folder, ignore_errors=True)
            dated = f", also not with packages as of {as_of}" if as_of else ""
            message = f"{adapter.name}: {' '.join(requirements)} does not start{dated}: {complaint}"
            raise AdapterMissing(message)
        record = EnvironmentRecord(
            folder=str(folder),
            adapter=adapter.name,
            requirements=requirements,
            python=sys.version.split()[0],
            as_of=as_of,
            made=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        (folder / MARKER).write_text(json.dumps(asdict(record), indent=2), encoding="utf-8")
        return record


def requirements_for(adapter: AdapterFile, version: str | None) -> tuple[str, ...]:
    """Return the adapter's dependencies, its library pinned to a version.

    Raises:
        AdapterMissing: A version is asked of an adapter that names no library on the package index.
    """
    if version is None:
        return adapter.dependencies
    if not adapter.library:
        message = f"{adapter.name} has no library on the package index: name an interpreter with {adapter.name}@PATH"
        raise AdapterMissing(message)
    others = [one for one in adapter.dependencies if _normal(_distribution(one)) != _normal(adapter.library)]
    return (f"{adapter.library}=={version}", *others)


def environments_folder() -> Path:
    """Return the folder of all environments."""
    return cache_folder() / "environments"


def list_environments() -> tuple[EnvironmentRecord, ...]:
    """Return every cached environment."""
    found = (_read_record(folder) for folder in sorted(environments_folder().glob("*/")))
    return tuple(record for record in found if record is not None)


def clean_environments(names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Remove the environments of these adapters (all, when none is named); return the removed folders."""
    removed = []
    for folder in sorted(environments_folder().glob("*/")):
        record = _read_record(folder)
        if not names or (record is not None and record.adapter in names):
            with _locked(folder):
                shutil.rmtree(folder, ignore_errors=True)
            _lock_file(folder).unlink(missing_ok=True)
            removed.append(str(folder))
    return tuple(removed)


def _launch(
    python: Path, adapter: AdapterFile, environment: str, *, foreign: bool, notes: tuple[str, ...] = ()
) -> Launch:
    """Return the launch of a Python adapter in an interpreter."""
    own = str(staged_sdk() if foreign else PACKAGE.parent)
    before = "" if foreign else os.environ.get("PYTHONPATH", "")
    return Launch(
        command=(str(python), "-W", "ignore", "-m", "robodyn_check.sdk.worker", str(adapter.path)),
        variables={"PYTHONPATH": os.pathsep.join(part for part in (own, before) if part)},
        environment=environment,
        notes=notes,
    )


def _make(folder: Path, requirements: tuple[str, ...], as_of: str | None) -> None:
    """Make the environment anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _uv("venv", "--quiet", "--no-project", "--python", sys.executable, str(folder))
    dated = ("--exclude-newer", as_of) if as_of else ()
    _uv("pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), *dated, *requirements)


def _complaint(folder: Path, adapter: AdapterFile) -> str | None:
    """Start the adapter once, only to import its library; return the loader's words where that fails."""
    launch = _launch(folder / "bin" / "python", adapter, "", foreign=True)
    variables = {**os.environ, **launch.variables, PROBE_VARIABLE: "1"}
    try:
        done = subprocess.run(  # noqa: S603 - the interpreter just made
            launch.command, env=variables, capture_output=True, text=True, timeout=300, check=False
        )
    except subprocess.TimeoutExpired:
        return "its import takes longer than 300 s"
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return lines[-1] if lines else f"exit code {done.returncode}"


def _as_of(adapter: AdapterFile, version: str) -> str | None:
    """Return a date some days after a version's release, None where uv does not name the release."""
    pinned = f"{adapter.library}=={version}"
    command = ("pip", "install", "--dry-run", "--no-deps", "--exclude-newer", BEFORE_ALL, "--python", sys.executable)
    done = _run_uv((*command, pinned))
    match = re.search(r"published.*?(\d{4}-\d{2}-\d{2})", " ".join(done.stderr.split()))
    if match is None:
        return None
    released = datetime.strptime(match[1], "%Y-%m-%d").replace(tzinfo=UTC)
    return (released + timedelta(days=DAYS_AFTER_RELEASE)).strftime("%Y-%m-%d")


def _uv(*arguments: str) -> None:
    """Run uv.

    Raises:
        AdapterMissing: It is not there or fails; the message has its words.
    """
    done = _run_uv(arguments)
    if done.returncode:
        words = " ".join(done.stderr.split())[-1500:]
        message = f"uv {' '.join(arguments[:2])} failed: {words}"
        raise AdapterMissing(message)


def _run_uv(arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run uv with what pip was told about package indexes, since uv does not read pip's configuration."""
    try:
        return subprocess.run(  # noqa: S603 - uv, found below
            (uv_command(), *arguments),
            env={**os.environ, **_index_variables()},
            capture_output=True,
            text=True,
            timeout=UV_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        message = f"uv {' '.join(arguments[:2])} took longer than {UV_TIMEOUT:g} s"
        raise AdapterMissing(message) from error


def uv_command() -> str:
    """Return the path of uv.

    Raises:
        AdapterMissing: It is not installed; the message says how to install it.
    """
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("uv")
    if found is None:
        message = "an environment of its own needs uv: pip install 'robodyn-check[isolated]'"
        raise AdapterMissing(message)
    return found


def _index_variables() -> dict[str, str]:
    """Return uv's variables for the indexes that pip is configured to use, where the user set none for uv."""
    if any(name.startswith("UV_") and ("INDEX" in name or "FIND_LINKS" in name) for name in os.environ):
        return {}
    done = subprocess.run((sys.executable, "-m", "pip", "config", "list"), capture_output=True, text=True, check=False)
    # Lines such as global.index-url='https://...'; the environment's PIP_ variables are listed as :env:.index-url.
    options = dict(re.findall(r"(?m)^\S*?\.([\w-]+)='(.*)'$", done.stdout))
    names = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS"}
    variables = {uv: " ".join(options[pip].split()) for pip, uv in names.items() if options.get(pip)}
    if "UV_INDEX" in variables:  # to pip all its indexes are equal
        variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    if "UV_FIND_LINKS" in variables:
        variables["UV_FIND_LINKS"] = variables["UV_FIND_LINKS"].replace(" ", ",")
    return variables


def _read_record(folder: Path) -> EnvironmentRecord | None:
    """Return what a folder's marker says, None where it is no whole environment."""
    try:
        data: dict[str, Any] = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        return EnvironmentRecord(**{**data, "requirements": tuple(data["requirements"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _lock_file(folder: Path) -> Path:
    """Return the file beside a folder, whose name has dots of its own, that says who works on it."""
    return folder.with_name(f"{folder.name}.lock")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one run at a time make or remove a folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _lock_file(folder).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _distribution(requirement: str) -> str:
    """Return the name of a requirement."""
    return re.split(r"[\s\[<>=!~;@]", requirement.strip(), maxsplit=1)[0]


def _normal(name: str) -> str:
    """Return a distribution name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
