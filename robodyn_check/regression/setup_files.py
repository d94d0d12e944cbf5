"""The files that ``init`` writes into a repository: configuration, CI, pre-commit."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.errors import SettingsError
from robodyn_check.settings import OWN_FILE, TABLE
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

REPOSITORY = "robodyn-check/robodyn-check"
#: Models that are looked for, at most, and folders that hold other people's.
MOST = 20
_SKIPPED = frozenset(
    {".git", ".venv", "venv", "node_modules", "build", "dist", "install", "site-packages", "__pycache__"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """One file to write; ``appended``: the text goes behind what the file has."""

    path: Path
    text: str
    appended: bool = False


def find_models(folder: Path) -> tuple[str, ...]:
    """Return the URDF files, and XML files that are MJCF, below a folder, at most `MOST`."""
    found = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if _SKIPPED.intersection(inside.parts) or not path.is_file():
            continue
        if path.suffix == ".urdf" or (path.suffix == ".xml" and _is_mjcf(path)):
            found.append(inside.as_posix())
    return tuple(found[:MOST])


def configuration(folder: Path, models: Sequence[str], libraries: Sequence[str]) -> NewFile:
    """Return the configuration: a table of an existing pyproject.toml, else a file of its own.

    Raises:
        SettingsError: There is a configuration already, or the pyproject.toml is broken.
    """
    own, project = folder / OWN_FILE, folder / "pyproject.toml"
    if own.exists():
        raise SettingsError(f"{own} exists already; change it, or remove it first")
    lines = [f"models = {_listed(models)}"]
    if libraries:
        lines.append(f"lib = {_listed(libraries)}")
    lines += ["samples = 200", '# ignore = { RD104 = "why this check does not apply here" }', ""]
    if not project.exists():
        return NewFile(path=own, text="\n".join(lines))
    try:
        content = project.read_text(encoding="utf-8")
        table = tomllib.loads(content)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{project}: this is not valid TOML: {error}") from error
    if TABLE in table.get("tool", {}):
        raise SettingsError(f"{project} has [tool.{TABLE}] already; change it, or remove it first")
    gap = "\n" if content.endswith("\n") or not content else "\n\n"
    return NewFile(path=project, text=gap + "\n".join([f"[tool.{TABLE}]", *lines]), appended=True)


def github_workflow(folder: Path) -> NewFile:
    """Return the workflow that uses the action."""
    text = f"""\
name: dynamics
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: {REPOSITORY}@v{__version__}
"""
    return NewFile(path=folder / ".github" / "workflows" / "dynamics.yml", text=text)


def gitlab_job(folder: Path) -> NewFile:
    """Return the job; a pipeline includes it by ``include: {local: .gitlab/dynamics.yml}``."""
    text = f"""\
dynamics:
  image: python:3.12
  script:
    - pip install "robodyn-check[pinocchio,mujoco]=={__version__}"
    - robodyn-check check --format terminal --format junit=dynamics.xml --format html=dynamics.html
  artifacts:
    when: always
    paths: [dynamics.html]
    reports:
      junit: dynamics.xml
"""
    return NewFile(path=folder / ".gitlab" / "dynamics.yml", text=text)


def pre_commit(folder: Path) -> NewFile:
    """Return the pre-commit configuration."""
    text = f"""\
repos:
  - repo: https://github.com/{REPOSITORY}
    rev: v{__version__}
    hooks:
      - id: robodyn-lint
"""
    return NewFile(path=folder / ".pre-commit-config.yaml", text=text)


def write(files: Sequence[NewFile]) -> None:
    """Write all files, or none where one that is not appended to exists.

    Raises:
        SettingsError: A file is there already.
    """
    for file in files:
        if file.path.exists() and not file.appended:
            raise SettingsError(f"{file.path} exists already; add this to it yourself:\n\n{file.text}")
    for file in files:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        before = file.path.read_text(encoding="utf-8") if file.appended else ""
        file.path.write_text(before + file.text, encoding="utf-8")


def _listed(words: Sequence[str]) -> str:
    """Return a TOML list of strings."""
    return "[" + ", ".join(json.dumps(word, ensure_ascii=False) for word in words) + "]"


def _is_mjcf(path: Path) -> bool:
    with path.open("rb") as file:
        return b"<mujoco" in file.read(4096)
