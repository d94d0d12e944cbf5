"""One ``<joint>`` of a URDF: kind, links, placement, axis, limits, dynamics, mimic."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, get_args

from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Joint, JointKind, Limits, Mimic, Number
from robodyn_check.model.suggest import nearest
from robodyn_check.model.urdf_values import ONE, ZERO

if TYPE_CHECKING:
    from robodyn_check.model.urdf_values import UrdfReader
    from robodyn_check.model.xml import XmlElement

#: The kinds of joint that URDF knows, as its specification lists them.
URDF_KINDS: tuple[JointKind, ...] = tuple(kind for kind in get_args(JointKind) if kind != "ball")
_WITH_AXIS = frozenset({"revolute", "continuous", "prismatic", "planar"})
_ONE_COORDINATE = frozenset({"revolute", "continuous", "prismatic"})
_KNOWN = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")
#: URDF: "defaults to (1, 0, 0)".
DEFAULT_AXIS = (ONE, ZERO, ZERO)


def read_joint(element: XmlElement, reader: UrdfReader) -> Joint:
    """Read one joint; what is wrong goes to ``reader.faults``."""
    name = reader.name(element, "a unique name of the joint")
    owner = f"joint {quoted(name)}"
    reader.keep_unknown_attributes(element, ("name", "type"), name)
    reader.keep_unknown_children(element, _KNOWN, name)
    kind = _read_kind(element, owner, reader)
    parts = {tag: reader.only(element, tag, owner) for tag in _KNOWN[1:]}
    damping, friction = _read_dynamics(parts["dynamics"], name, reader)
    axis = _read_axis(parts["axis"], kind, name, reader)
    mimic = _read_mimic(parts["mimic"], name, reader)
    if mimic is not None and parts["mimic"] is not None and kind not in _ONE_COORDINATE:
        reader.keep(parts["mimic"], name)
        mimic = None
    return Joint(
        name=name,
        kind=kind,
        line=element.line,
        parent=_read_end(element, parts["parent"], "parent", name, reader),
        child=_read_end(element, parts["child"], "child", name, reader),
        placements=(reader.pose(element, owner),),
        axis=axis,
        limits=_read_limits(parts["limit"], name, reader),
        damping=damping,
        friction=friction,
        mimic=mimic,
    )


def _read_kind(element: XmlElement, owner: str, reader: UrdfReader) -> JointKind:
    text = element.get("type")
    for kind in URDF_KINDS:
        if text == kind:
            return kind
    kinds = ", ".join(URDF_KINDS)
    if text is None:
        reader.faults.add(element.line, f"{owner} has no type, expected one of {kinds}", cause="missing-attribute")
    elif not reader.unexpanded(element, "type"):
        near = nearest(text, URDF_KINDS)
        hint = f". Did you mean {quoted(near)}?" if near else ""
        reader.faults.add(
            element.line_of("type"),
            f"{owner} has the unknown type {quoted(text)}, expected one of {kinds}{hint}",
            cause="unknown-joint-type",
        )
    return "fixed"


def _read_end(element: XmlElement, part: XmlElement | None, tag: str, name: str, reader: UrdfReader) -> str:
    """Return the link that ``<parent>`` or ``<child>`` names; empty when there was a fault."""
    owner = f"joint {quoted(name)}"
    if part is None:
        reader.faults.add(element.line, f'{owner} has no <{tag} link="..."/>', cause="missing-element")
        return ""
    reader.keep_unknown_attributes(part, ("link",), name)
    link = part.get("link")
    if not link:
        reader.faults.add(part.line, f"<{tag}> of {owner} has no 'link' that names a link", cause="missing-attribute")
        return ""
    reader.unexpanded(part, "link")
    return link


def _read_axis(
    element: XmlElement | None, kind: JointKind, name: str, reader: UrdfReader
) -> tuple[Number, Number, Number] | None:
    owner = f"joint {quoted(name)}"
    axis = DEFAULT_AXIS
    if element is not None:
        reader.keep_unknown_attributes(element, ("xyz",), name)
        written = reader.vector(element, "xyz", f"axis of {owner}")
        if written is None:
            reader.faults.add(element.line, f"<axis> of {owner} has no 'xyz'", cause="missing-attribute")
        elif kind in _WITH_AXIS and written[0].text and math.hypot(*(number.value for number in written)) == 0:
            text = element.get("xyz") or ""
            reader.faults.add(
                element.line_of("xyz"),
                f"axis {quoted(text.strip())} of {kind} {owner} has length zero, expected a direction; a joint without "
                "one has no motion (make it fixed if that is meant)",
                cause="joint-axis-zero",
            )
        axis = written or DEFAULT_AXIS
    return axis if kind in _WITH_AXIS else None


def _read_limits(element: XmlElement | None, name: str, reader: UrdfReader) -> Limits | None:
    if element is None:
        return None
    names = ("lower", "upper", "effort", "velocity")
    reader.keep_unknown_attributes(element, names, name)
    lower, upper, effort, velocity = (
        reader.number(element, limit, f"{limit} limit of joint {quoted(name)}") for limit in names
    )
    return Limits(lower=lower, upper=upper, effort=effort, velocity=velocity, line=element.line)


def _read_dynamics(element: XmlElement | None, name: str, reader: UrdfReader) -> tuple[Number | None, Number | None]:
    if element is None:
        return None, None
    reader.keep_unknown_attributes(element, ("damping", "friction"), name)
    owner = f"joint {quoted(name)}"
    damping = reader.number(element, "damping", f"damping of {owner}")
    return damping, reader.number(element, "friction", f"friction of {owner}")


def _read_mimic(element: XmlElement | None, name: str, reader: UrdfReader) -> Mimic | None:
    if element is None:
        return None
    owner = f"joint {quoted(name)}"
    reader.keep_unknown_attributes(element, ("joint", "multiplier", "offset"), name)
    master = element.get("joint")
    if not master:
        reader.faults.add(element.line, f"<mimic> of {owner} has no 'joint' to follow", cause="missing-attribute")
        return None
    return Mimic(
        joint=master,
        multiplier=reader.number(element, "multiplier", f"mimic multiplier of {owner}") or ONE,
        offset=reader.number(element, "offset", f"mimic offset of {owner}") or ZERO,
        line=element.line,
    )
