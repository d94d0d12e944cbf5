"""An elastic link as a file: a uniform beam on a hub that ``flex`` examines in place of a robot.

    [beam]
    length = 0.8                # m
    linear_density = 0.6        # kg/m
    bending_stiffness = 4.0     # E I, N m²
    hub_inertia = 0.01          # about the hub's axis, kg m²; left out: a pin
    tip_mass = 0.2              # kg; left out: none

All faults are reported at once. Plain Python.
"""

from __future__ import annotations

import math
import tomllib
from typing import TYPE_CHECKING

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.quote import quoted
from robodyn_check.model.suggest import suggestion

if TYPE_CHECKING:
    from pathlib import Path

TABLE = "beam"
_NEEDED = ("length", "linear_density", "bending_stiffness")
_FREE = ("hub_inertia", "tip_mass")


def read_beam(path: Path) -> dict[str, float]:
    """Return the numbers of a beam file by name.

    Raises:
        ModelError: The file cannot be read, or lacks or misstates something.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError((_fault(path, f"cannot be read: {error.strerror}"),)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError((_fault(path, f"this is not valid TOML: {error}"),)) from error
    table = document.get(TABLE)
    if not isinstance(table, dict):
        text = "a TOML file given to flex describes a beam: it needs a table [beam] with " + ", ".join(_NEEDED)
        raise ModelError((_fault(path, text),))
    faults = [_fault(path, f"[beam] lacks {name}") for name in _NEEDED if name not in table]
    faults += [
        _fault(path, f"unknown table {quoted(name)}; a beam file has [beam] alone")
        for name in document
        if name != TABLE
    ]
    values = {}
    for name, value in table.items():
        least = 0.0 if name in _FREE else math.ulp(0.0)
        if name not in (*_NEEDED, *_FREE):
            faults.append(_fault(path, f"unknown key {quoted(name)}. {suggestion(name, (*_NEEDED, *_FREE))}"))
        elif isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < math.inf:
            bound = "at least 0" if name in _FREE else "above 0"
            faults.append(_fault(path, f"{name} is {value!r}; expected a number {bound}"))
        else:
            values[name] = float(value)
    if faults:
        raise ModelError(tuple(faults))
    return values


def _fault(path: Path, message: str) -> Fault:
    return Fault(file=str(path), line=None, message=message, cause="beam-data")
