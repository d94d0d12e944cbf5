"""What ``<compiler>`` and ``<option>`` of an MJCF say: units, Euler order, gravity, and who defines the inertias.

Sections of one name count as one, the last value wins, and their place in the file does not matter (as in MuJoCo).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from robodyn_check.model.mjcf_values import ZERO, check_attributes, flag, number, numbers, vector, word
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Number

if TYPE_CHECKING:
    from robodyn_check.model.mjcf_node import Document

_GEOMS_DECIDE = {"auto": "auto", "true": "true", "false": "false"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Something in the file that only MuJoCo's compiler can turn into numbers.

    scope     what to take from the compiler
    body      the inertia of body ``body``
    inertias  every inertia
    tree      bodies, joints and inertias: elements expand, or frames move
    """

    scope: Literal["body", "inertias", "tree"]
    what: str
    file: str
    line: int
    body: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings that change what the numbers of the file mean."""

    degrees: bool = True
    eulerseq: str = "xyz"
    autolimits: bool = True
    align_free: bool = False
    inertia_from_geom: str = "auto"
    gravity: tuple[Number, Number, Number] | None = None


def read_settings(document: Document) -> tuple[Settings, list[Need]]:
    """Read all ``<compiler>`` and ``<option>`` sections; faults are recorded in them."""
    needs: list[Need] = []
    degrees, autolimits, align_free, eulerseq, from_geom = True, True, False, "xyz", "auto"
    for node in document.sections("compiler"):
        what = "<compiler>"
        check_attributes(node, what)
        degrees = (word(node, "angle", ("degree", "radian"), what=what) or ("degree" if degrees else "radian")) == (
            "degree"
        )
        limits = flag(node, "autolimits", what=what)
        autolimits = autolimits if limits is None else limits
        aligned = flag(node, "alignfree", what=what)
        align_free = align_free if aligned is None else aligned
        from_geom = word(node, "inertiafromgeom", _GEOMS_DECIDE, what=what) or from_geom
        sequence = node.get("eulerseq")
        if sequence is not None:
            if len(sequence) == 3 and set(sequence) <= set("xyzXYZ"):
                eulerseq = sequence
            else:
                node.fault(
                    f"eulerseq={quoted(sequence)}, expected three letters out of x, y, z (moving axes) and X, Y, Z "
                    "(fixed axes)",
                    at="eulerseq",
                )
        if (node.get("coordinate") or "local") != "local":
            node.fault(
                "coordinate='global' was dropped from MJCF; load and save the file in MuJoCo 2.3.3 to convert it",
                at="coordinate",
                cause="global-coordinates",
            )
        needs = [*(need for need in needs if need.what.split("=")[0] not in node.element.attributes)]
        for name in ("balanceinertia", "boundmass", "boundinertia", "settotalmass"):
            if node.get(name) is None:
                continue
            if name == "balanceinertia":
                changes = flag(node, name, what=what) or False
            else:
                value = number(node, name, what=what)
                changes = value is not None and value.value > 0
            if changes:
                needs.append(
                    Need(
                        scope="inertias",
                        what=f"{name}={quoted(node.get(name) or '')} of <compiler>",
                        file=node.faults.file,
                        line=node.own_line(name),
                    )
                )
    settings = Settings(
        degrees=degrees,
        eulerseq=eulerseq,
        autolimits=autolimits,
        align_free=align_free,
        inertia_from_geom=from_geom,
        gravity=_gravity(document),
    )
    return settings, needs


def _gravity(document: Document) -> tuple[Number, Number, Number] | None:
    """Return gravity as written, zero where a flag switches it off, None where the file leaves it to MuJoCo."""
    gravity: tuple[Number, Number, Number] | None = None
    switched_off: int | None = None
    for node in document.sections("option"):
        check_attributes(node, "<option>")
        gravity = vector(node, "gravity", what="<option>") or gravity
        for other in ("density", "viscosity"):
            number(node, other, what="<option>")
        numbers(node, "wind", what="<option>", count=3)
        for flags in node.all("flag"):
            state = word(flags, "gravity", ("enable", "disable"), what="<flag>")
            if state is not None:
                switched_off = flags.line("gravity") if state == "disable" else None
    if switched_off is not None:
        zero = Number(text=ZERO.text, value=0.0, line=switched_off)
        return (zero, zero, zero)
    return gravity
