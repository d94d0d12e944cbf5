"""What the writers of URDF and MJCF share: the result, numbers as text, XML text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from robodyn_check.model.robot import Number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What must not stand in a quoted attribute (`xml.sax.saxutils` says the same, and loads the web's libraries for it).
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """A robot written in another format: the text, the base that it has to be loaded with, and what to know.

    ``base`` "floating" means that the text's root link is to be moved by a free joint that the target format cannot
    write (a URDF from an MJCF whose only root has a free joint). ``notes`` are sentences for the report.
    """

    text: str
    base: Literal["fixed", "floating"]
    notes: tuple[str, ...] = ()


def text_of(values: Iterable[Number | float]) -> str:
    """Return numbers separated by spaces: a Number as written, a double so that it reads back exactly."""
    return " ".join(value.text if isinstance(value, Number) else repr(value) for value in values)


def tag(name: str, attributes: Mapping[str, str | None], *, inside: Iterable[str] = (), indent: int = 1) -> list[str]:
    """Return the lines of one element; attributes that are None are left out."""
    pad = " " * indent
    written = "".join(f' {key}="{value.translate(_ESCAPES)}"' for key, value in attributes.items() if value is not None)
    lines = list(inside)
    if not lines:
        return [f"{pad}<{name}{written}/>"]
    return [f"{pad}<{name}{written}>", *lines, f"{pad}</{name}>"]
