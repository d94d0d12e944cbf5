"""A rule about elements and attributes that the format does not know and that look like a slip of one it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.model.lint_view import Finding
from robodyn_check.model.quote import quoted
from robodyn_check.model.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.lint_view import LintView

#: What URDF knows inside each element; dynamics depend on all of it.
_ATTRIBUTES = {
    "robot": ("name", "version"),
    "link": ("name",),
    "joint": ("name", "type"),
    "origin": ("xyz", "rpy"),
    "mass": ("value",),
    "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    "axis": ("xyz",),
    "limit": ("lower", "upper", "effort", "velocity"),
    "dynamics": ("damping", "friction"),
    "mimic": ("joint", "multiplier", "offset"),
    "parent": ("link",),
    "child": ("link",),
}
_ELEMENTS = ("link", "joint", "inertial", "visual", "collision", "origin", "mass", "inertia", "parent", "child", "axis")
_MORE_ELEMENTS = ("limit", "dynamics", "mimic")
#: Names of other dialects that resemble one of URDF's but are no slip of it.
_OTHERS = frozenset({"inertia@iyx", "inertia@izx", "inertia@izy", "axis@rpy", "sensor", "material", "transmission"})
_CLOSE = 0.8


def check_names(view: LintView) -> Iterator[Finding]:
    """Judge what was kept aside by its name."""
    if view.robot.format != "urdf":
        return
    for element in view.robot.extensions:
        if element.tag in _OTHERS or ":" in element.tag:
            continue
        tag, separator, name = element.tag.partition("@")
        known = _ATTRIBUTES.get(tag, ()) if separator else (*_ELEMENTS, *_MORE_ELEMENTS)
        unknown = name if separator else tag
        if unknown in known:
            continue
        meant = nearest(unknown, known, cutoff=_CLOSE)
        if meant is not None:
            kind = f"attribute {quoted(unknown)} of <{tag}>" if separator else f"element <{unknown}>"
            owner = f" in {quoted(element.owner)}" if element.owner else ""
            yield Finding(
                code="RD132",
                verdict="warn",
                line=element.line,
                element=element.owner,
                what=f"URDF does not know the {kind}{owner}; did you mean {quoted(meant)}?",
                why="an unknown name is ignored by every loader, so its value has no effect",
                advice=f"Write {quoted(meant)} if it is meant, else remove it.",
            )
