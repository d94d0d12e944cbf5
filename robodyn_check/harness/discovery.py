"""Which adapters there are: those that come with robodyn-check, installed plug-ins, and files named by the user."""

from __future__ import annotations

import difflib
import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.harness.metadata import AdapterFile, read_adapter_file
from robodyn_check.harness.program import is_built, read_program
from robodyn_check.resources import resource_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.harness.spec import LibrarySpec

ENTRY_POINT_GROUP = "robodyn_check.adapters"


def find_adapters() -> dict[str, AdapterFile]:
    """Return every adapter by name, in alphabetical order; of one name the shipped one, not an installed plug-in."""
    folder = resource_folder("adapters")
    shipped = [path for path in sorted(folder.glob("*.py")) if not path.name.startswith(("_", "template"))]
    programs = [read_program(path) for path in sorted(folder.iterdir()) if path.is_dir()]
    files, plugins = ([read_adapter_file(path) for path in paths] for paths in (shipped, _plugin_files()))
    found: dict[str, AdapterFile] = {}
    for adapter in (*files, *programs, *plugins):
        if adapter is not None:
            found.setdefault(adapter.name, adapter)
    return dict(sorted(found.items()))


class Shelf(Mapping[str, AdapterFile]):
    """The adapters of `find_adapters`, of which those that are named alone are read: a run names a few of many."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._read: dict[str, AdapterFile] = {}
        self._all: dict[str, AdapterFile] | None = None

    def __getitem__(self, name: str) -> AdapterFile:
        """Return the adapter whose file is called as it is; only where there is none, look through all."""
        if name in self._read:
            return self._read[name]
        if self._all is None:
            path = resource_folder("adapters") / f"{name.replace('-', '_')}.py"
            found = read_adapter_file(path) if path.is_file() and not path.name.startswith(("_", "template")) else None
            if found is not None and found.name == name:
                self._read[name] = found
                return found
            self._all = find_adapters()
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        """Name all of them."""
        self._all = self._all or find_adapters()
        return iter(self._all)

    def __len__(self) -> int:
        """Count all of them."""
        return len(list(iter(self)))


def find_adapter(spec: LibrarySpec, adapters: Mapping[str, AdapterFile] | None = None) -> AdapterFile:
    """Return the adapter of a spec.

    Raises:
        UsageError: There is none by this name, the file of ``--adapter`` cannot be used, or the profile is unknown.
    """
    if spec.adapter is not None:
        adapter = named_file(spec.adapter)
    else:
        known = find_adapters() if adapters is None else adapters
        if spec.name not in known:
            near = difflib.get_close_matches(spec.name, known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            message = f"no adapter is called {spec.name!r}; there are {', '.join(sorted(known)) or 'none'}.{hint}"
            raise UsageError(message)
        adapter = known[spec.name]
    told = adapter.kind == "python" or adapter.profiles  # what a program can is otherwise known when it runs
    if spec.profile and told and spec.profile not in adapter.profiles:
        profiles = ", ".join(sorted(name for name in adapter.profiles if name)) or "none"
        message = f"{adapter.name} has no profile {spec.profile!r}; there are: {profiles}"
        raise UsageError(message)
    return adapter


def named_file(path: Path) -> AdapterFile:
    """Return the adapter that ``--adapter PATH`` names: a Python file with an Adapter, or any executable.

    Raises:
        UsageError: The file is missing, defines no Adapter, or is not executable.
    """
    path = path.expanduser().absolute()
    if not path.is_file():
        message = f"--adapter {path}: there is no such file"
        raise UsageError(message)
    if path.suffix == ".py":
        adapter = read_adapter_file(path)
        if adapter is not None:
            return adapter
        if not os.access(path, os.X_OK):
            message = (
                f"--adapter {path}: defines no subclass of robodyn_check.sdk.adapter.Adapter "
                "and is not executable; start from adapters/template.py"
            )
            raise UsageError(message)
    if not os.access(path, os.X_OK):
        message = f"--adapter {path}: is neither a Python adapter nor executable (chmod +x?)"
        raise UsageError(message)
    return AdapterFile(name=path.stem, path=path, kind="program", formats=("urdf", "mjcf"), summary="a program")


def installed_version(adapter: AdapterFile) -> str | None:
    """Return the version of an adapter's library in the current environment, None where it is not installed."""
    if adapter.kind == "program":
        return adapter.version if is_built(adapter) else None
    if not adapter.library:
        return None
    from importlib import metadata  # noqa: PLC0415 - 30 ms, and a run that names its libraries asks none of this

    try:
        return metadata.version(adapter.library)
    except metadata.PackageNotFoundError:
        return None


def install_hint(adapter: AdapterFile) -> str:
    """Return the command that installs an adapter's library."""
    if adapter.install:
        return adapter.install
    needed = " ".join(f"'{one}'" for one in adapter.dependencies if not one.lower().startswith("numpy"))
    if needed:
        return f"pip install {needed}"
    return f"pip install {adapter.library}" if adapter.library else f"see {adapter.homepage or adapter.path}"


def _plugin_files() -> Iterator[Path]:
    """Yield the files of installed plug-ins, found without importing them."""
    from importlib import metadata  # noqa: PLC0415 - as above

    for entry in metadata.entry_points(group=ENTRY_POINT_GROUP):
        top, *rest = entry.value.partition(":")[0].strip().split(".")
        spec = importlib.util.find_spec(top)
        if spec is None:
            continue
        if not rest and spec.origin:
            yield Path(spec.origin)
        for folder in spec.submodule_search_locations or ():
            path = Path(folder, *rest).with_suffix(".py")
            if rest and path.is_file():
                yield path
