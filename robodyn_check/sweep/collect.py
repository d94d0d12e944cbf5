"""From the paths of a sweep to its model files, and to what identifies a file's content."""

from __future__ import annotations

import glob
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.model.joint_data import beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: How much of a file is looked at to see what it is.
HEAD_BYTES = 64 * 1024
_COMMENTS = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*)")
_FILE = re.compile(rb"""\bfile\s*=\s*["']([^"']+)["']""")
_FOLDER = re.compile(rb"""\b(?:meshdir|assetdir)\s*=\s*["']([^"']+)["']""")


def collect(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the model files of files, folders and globs, each once, in the order given, sorted within each.

    A folder is searched with everything below it for URDF files and for XML files whose root is ``robot`` or
    ``mujoco``; what the user names as a file is taken as it is.

    Raises:
        UsageError: A path that does not exist, or where no model is.
    """
    found: dict[str, None] = {}
    for text in paths:
        path = Path(text)
        if path.is_dir():
            models = list(_models_below(path))
        elif path.exists():
            models = [text]
        else:
            hits = sorted(glob.glob(text, recursive=True)) if glob.has_magic(text) else []  # noqa: PTH207 - text in, text out
            models = [
                model
                for hit in hits
                for model in (list(_models_below(Path(hit))) if Path(hit).is_dir() else [hit] if is_model(hit) else [])
            ]
            if not hits:
                raise UsageError(f"{text}: there is no such file or folder; expected a model, a folder or a glob")
        if not models:
            raise UsageError(f"{text}: no model in it; expected .urdf files, or .xml files with a robot or mujoco root")
        found.update(dict.fromkeys(models))
    if not found:
        raise UsageError("no model given. Name files, folders or globs: robodyn-check sweep robots/")
    return tuple(found)


def is_model(path: str | Path) -> bool:
    """Tell by its name or its first element whether a file is a URDF or a main MJCF file."""
    path = Path(path)
    if path.suffix == ".urdf":
        return True
    if path.suffix not in {".xml", ".mjcf"}:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False
    root = _ROOT.search(_COMMENTS.sub(b"", head))
    return root is not None and root[1] in {b"robot", b"mujoco"}


def content_of(path: str | Path) -> str:
    """Return a hash of a model file and of the files that its numbers can come from.

    These are its joint data beside it and, for an MJCF, the included files and meshes that exist.
    """
    path = Path(path)
    total = hashlib.sha256()
    joint_data = beside(path)
    for file in dict.fromkeys([path, *([joint_data] if joint_data else []), *_mjcf_files(path)]):
        try:
            data = file.read_bytes()
        except OSError:
            continue
        total.update(hashlib.sha256(data).digest())
    return total.hexdigest()


def _models_below(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and is_model(path):
            yield str(path)


def _mjcf_files(main: Path) -> list[Path]:
    """Return the files that an MJCF names, and those that its included files name, each once."""
    if main.suffix == ".urdf":
        return []
    found: dict[Path, None] = {}
    waiting, folders = [main], [main.parent]
    while waiting:
        current = waiting.pop()
        try:
            text = current.read_bytes()
        except OSError:
            continue
        folders += [main.parent / name.decode(errors="replace") for name in _FOLDER.findall(text)]
        for name in _FILE.findall(text):
            for folder in dict.fromkeys([*folders, current.parent]):
                file = folder / name.decode(errors="replace")
                if file not in found and file.is_file():
                    found[file] = None
                    if file.suffix == ".xml":
                        waiting.append(file)
    return list(found)
