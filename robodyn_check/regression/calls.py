"""The calls that an adapter makes, compared between two versions of its library: gone, new, or with other arguments.

The names are read from the adapter's source; what they are is asked of each environment, whose interpreter imports the
library and describes them. So a change is seen even where the adapter copes with it by asking which version it has.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

#: Seconds for one interpreter to import the library and describe it.
TIMEOUT = 300.0
#: Run by the environment's interpreter: a class or module describes its members that the adapter names.
_PROGRAM = """
import importlib, inspect, json, sys
modules, names = json.load(sys.stdin)
found = {}
def described(thing):
    text = (getattr(thing, "__doc__", None) or "").strip()
    try:
        return str(inspect.signature(thing))
    except (TypeError, ValueError):
        pass
    # compiled functions state their overloads on lines of their documentation that contain a call
    name = getattr(thing, "__name__", "")
    lines = [line.strip() for line in text.splitlines() if name and name + "(" in line and "->" in line]
    return " | ".join(lines) if callable(thing) else "attribute"
for text in modules:
    module, _, attribute = text.partition(":")
    try:
        root = importlib.import_module(module)
        root = getattr(root, attribute) if attribute else root
    except (ImportError, AttributeError) as error:
        continue
    found[text.replace(":", ".")] = "there"
    owners = [(attribute or module.split(".")[0], root)]
    owners += [(name, getattr(root, name)) for name in names if inspect.isclass(getattr(root, name, None))]
    for title, owner in owners:
        for name in names:
            if hasattr(owner, name):
                found[title + "." + name] = described(getattr(owner, name))
json.dump(found, sys.stdout)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallChange:
    """One name of the library that the adapter uses; ``old`` and ``new`` describe it, empty where it does not exist."""

    name: str
    old: str
    new: str

    @property
    def what(self) -> str:
        """Say in a word what happened."""
        return "no longer exists" if not self.new else "is new" if not self.old else "takes other arguments"


def names_used(source: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the modules (``module`` or ``module:class``) that an adapter imports, and every attribute it names."""
    tree = parse_python(source)
    modules: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules += [f"{node.module}:{alias.name}" for alias in node.names]
    own = {"robodyn_check", "numpy", "typing", "__future__", *sys.stdlib_module_names}
    kept = [name for name in dict.fromkeys(modules) if re.split(r"[.:]", name)[0] not in own]
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    # hasattr(thing, "name") and getattr(thing, "name") name attributes as well
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"hasattr", "getattr"}:
            attributes |= {str(arg.value) for arg in node.args[1:2] if isinstance(arg, ast.Constant)}
    return tuple(kept), tuple(sorted(name for name in attributes if not name.startswith("__")))


def describe_calls(python: Path, adapter: Path) -> dict[str, str]:
    """Return what an environment's library has of the names that an adapter uses; empty where it cannot be asked."""
    modules, names = names_used(adapter.read_text(encoding="utf-8"))
    try:
        done = subprocess.run(  # noqa: S603 - the environment's own interpreter
            [str(python), "-W", "ignore", "-c", _PROGRAM],
            input=json.dumps([modules, names]),
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        found = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}
    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError, IndexError):
        return {}
    return {str(name): str(text) for name, text in found.items()}


def call_changes(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[CallChange, ...]:
    """Compare two descriptions; how types are spelled is left out, only names and order of arguments count."""
    if not old or not new:
        return ()
    changes = []
    for name in sorted({*old, *new}):
        before, after = old.get(name, ""), new.get(name, "")
        if bool(before) != bool(after) or _arguments(before) != _arguments(after):
            changes.append(CallChange(name=name, old=_short(before), new=_short(after)))
    return tuple(changes)


def gone(changes: Iterable[CallChange]) -> tuple[CallChange, ...]:
    """Return the changes that break a caller: names that are gone, arguments that are others."""
    return tuple(change for change in changes if change.old)


def _arguments(description: str) -> tuple[tuple[str, ...], ...]:
    """Return the names of the arguments of every overload."""
    return tuple(
        tuple(re.findall(r"(?:^|,)\s*(\*{0,2}\w+)(?=\s*(?:[:=,]|$))", _inside(one))) for one in description.split(" | ")
    )


def _inside(signature: str) -> str:
    """Return what stands between the outer parentheses, nested brackets left out."""
    text = signature[signature.find("(") + 1 :]
    depth, kept = 0, []
    for letter in text:
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)


def _short(description: str) -> str:
    """Return the arguments of a call as one line."""
    if "(" not in description:
        return description
    return " or ".join(f"({', '.join(arguments)})" for arguments in dict.fromkeys(_arguments(description)))
