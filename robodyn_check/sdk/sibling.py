"""One adapter that stands on another: MuJoCo's batched offspring take the model that MuJoCo itself compiled."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def sibling(file: str, name: str, class_name: str) -> type[Any]:
    """Return the adapter class of another file in the same folder.

    Args:
        file: ``__file__`` of the adapter that asks.
        name: The other file's name without suffix.
        class_name: The class in it.
    """
    module_name = f"robodyn_check_adapter_{name}"
    path = Path(file).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None, "a Python file has a loader"
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    found: type[Any] = getattr(module, class_name)
    return found
