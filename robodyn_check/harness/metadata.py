"""What an adapter file says about itself, read without importing it: class attributes and inline script metadata.

So ``libs`` and ``--help`` list adapters whose libraries are not installed, and an environment can be made for an
adapter before its library exists (PEP 723: https://peps.python.org/pep-0723/).
"""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import UsageError
from robodyn_check.quantities import QUANTITIES
from robodyn_check.syntax import parse_python

if TYPE_CHECKING:
    from pathlib import Path

_OPENING, _CLOSING = "# /// script", "# ///"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterFile:
    """An adapter that was found: a Python file with its declared facts, or a program (``kind`` "program")."""

    name: str
    path: Path
    kind: str = "python"
    library: str = ""
    homepage: str = ""
    formats: tuple[str, ...] = ("urdf",)
    precision: str = "double"
    coriolis: str = "skew"
    cost: float = 10.0
    chunk: int = 500
    profiles: dict[str, str] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    needs_mechanism: bool = False
    symmetric_by_construction: bool = False
    reads_extensions: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    requires_python: str | None = None
    summary: str = ""
    #: of a program: the library's version, and the command that builds it
    version: str = ""
    install: str = ""


def read_adapter_file(path: Path) -> AdapterFile | None:
    """Read an adapter file's facts; None where it defines no Adapter subclass.

    Raises:
        UsageError: The file cannot be read or parsed, or its inline metadata is no TOML.
    """
    try:
        text = path.read_text(encoding="utf-8")
        tree = parse_python(text, str(path))
    except (OSError, ValueError, SyntaxError) as error:
        message = f"adapter {path} cannot be read: {error}"
        raise UsageError(message) from error
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(_base_name(base) == "Adapter" for base in node.bases):
            facts = _class_facts(node)
            script = script_metadata(text, str(path))
            documentation = ast.get_docstring(tree) or ast.get_docstring(node) or ""
            known = {name: value for name, value in facts.items() if name in AdapterFile.__dataclass_fields__}
            known.setdefault("name", path.stem)
            return AdapterFile(
                **{**known, "path": path, "kind": "python"},
                quantities=tuple(name for name in QUANTITIES if name in _methods(node)),
                dependencies=tuple(str(one) for one in script.get("dependencies", ())),
                requires_python=script.get("requires-python"),
                summary=documentation.partition("\n")[0],
            )
    return None


def script_metadata(text: str, name: str) -> dict[str, Any]:
    """Return the inline script metadata of a Python file (PEP 723), empty where there is none.

    Raises:
        UsageError: The block is no TOML.
    """
    lines = text.splitlines()
    if _OPENING not in lines:
        return {}
    block: list[str] = []
    for line in lines[lines.index(_OPENING) + 1 :]:
        if line == _CLOSING or not line.startswith("#"):
            break
        block.append(line.removeprefix("#").removeprefix(" "))
    content = "\n".join(block)
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        message = f"adapter {name}: its inline script metadata is no TOML: {error}"
        raise UsageError(message) from error


def _base_name(base: ast.expr) -> str:
    """Return the last part of a base class's name."""
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _class_facts(node: ast.ClassDef) -> dict[str, Any]:
    """Return the class attributes that are plain literals."""
    facts: dict[str, Any] = {}
    for statement in node.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        else:
            continue
        if isinstance(target, ast.Name):
            try:
                facts[target.id] = ast.literal_eval(value)
            except ValueError:
                continue  # computed at import time: unknown until the adapter runs
    return facts


def _methods(node: ast.ClassDef) -> set[str]:
    """Return the names of the methods that a class defines itself."""
    return {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
