"""Reading the small parts that URDF's links and joints share: attributes, origins, single children."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from robodyn_check.model.numbers import read_number, read_numbers
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Element, Number, Pose, Rotation

if TYPE_CHECKING:
    from collections.abc import Collection

    from robodyn_check.model.faults import Faults
    from robodyn_check.model.xml import XmlElement

ZERO = Number(text="0", value=0.0)
ONE = Number(text="1", value=1.0)
#: The origin of an element that states none.
NO_ORIGIN = Pose(xyz=(ZERO, ZERO, ZERO))
#: Stands in for a number that had a fault; the fault is raised before anyone can read it.
BAD = Number(text="", value=0.0)


@dataclass(slots=True, kw_only=True)
class UrdfReader:
    """What reading one URDF collects: faults, and the elements that are kept aside."""

    faults: Faults
    extensions: list[Element] = field(default_factory=list)

    def name(self, element: XmlElement, what: str) -> str:
        """Return the ``name`` of a link or joint; empty when it has none (a fault)."""
        name = element.get("name")
        if not name:
            self.faults.add(element.line, f"<{element.tag}> has no name, expected {what}", cause="missing-attribute")
            return ""
        self.unexpanded(element, "name")
        return name

    def unexpanded(self, element: XmlElement, attribute: str) -> bool:
        """Record a fault, and return True, where an attribute still is an expression of xacro."""
        value = element.get(attribute) or ""
        if "${" not in value and "$(" not in value:
            return False
        self.faults.add(
            element.line_of(attribute),
            f"{attribute}={quoted(value)} of <{element.tag}> is an expression of xacro; run xacro first: "
            "xacro in.xacro > out.urdf",
            cause="xacro-not-expanded",
        )
        return True

    def only(self, parent: XmlElement, tag: str, owner: str) -> XmlElement | None:
        """Return the one child of this name, None where there is none; a second one is a fault."""
        found = parent.all(tag)
        if len(found) > 1:
            self.faults.add(
                found[1].line,
                f"{owner} has a second <{tag}> (the first is in line {found[0].line}); loaders differ in which one "
                "they take, so keep one",
                cause="duplicate-element",
            )
        return found[0] if found else None

    def number(self, element: XmlElement, attribute: str, what: str) -> Number | None:
        """Return an attribute as a number; None where it is absent, a placeholder where it has a fault."""
        text = element.get(attribute)
        if text is None:
            return None
        return read_number(text, line=element.line_of(attribute), what=what, faults=self.faults) or BAD

    def required(self, element: XmlElement, attribute: str, what: str) -> Number:
        """Return an attribute as a number; its absence is a fault."""
        number = self.number(element, attribute, what)
        if number is None:
            self.faults.add(
                element.line,
                f"<{element.tag}> has no '{attribute}' ({what}); it is not read as 0",
                cause="missing-attribute",
            )
            return BAD
        return number

    def vector(self, element: XmlElement, attribute: str, what: str) -> tuple[Number, Number, Number] | None:
        """Return an attribute as three numbers; None where it is absent."""
        text = element.get(attribute)
        if text is None:
            return None
        line = element.line_of(attribute)
        numbers = read_numbers(text, count=3, line=line, what=what, faults=self.faults)
        return (BAD, BAD, BAD) if numbers is None else (numbers[0], numbers[1], numbers[2])

    def pose(self, parent: XmlElement, owner: str) -> Pose:
        """Return the ``<origin>`` of an element; none is the identity."""
        origin = self.only(parent, "origin", owner)
        if origin is None:
            return NO_ORIGIN
        self.keep_unknown_attributes(origin, ("xyz", "rpy"), owner)
        xyz = self.vector(origin, "xyz", f"origin xyz of {owner}")
        rpy = self.vector(origin, "rpy", f"origin rpy of {owner}")
        return Pose(
            xyz=xyz or NO_ORIGIN.xyz,
            rotation=None if rpy is None else Rotation(kind="rpy", numbers=rpy),
            line=origin.line,
        )

    def keep(self, element: XmlElement, owner: str | None) -> None:
        """Keep an element aside, as written."""
        self.extensions.append(Element(tag=element.tag, line=element.line, text=element.source, owner=owner))

    def keep_unknown_children(self, element: XmlElement, known: Collection[str], owner: str | None) -> None:
        """Keep aside every child that is not part of the smooth rigid-body model."""
        for child in element.children:
            if child.tag not in known:
                self.keep(child, owner)

    def keep_unknown_attributes(self, element: XmlElement, known: Collection[str], owner: str | None) -> None:
        """Keep aside every attribute that URDF does not know, as ``tag@attribute`` with its value."""
        for name, attribute in element.attributes.items():
            if name not in known and not name.startswith("xmlns"):
                tag = f"{element.tag}@{name}"
                self.extensions.append(Element(tag=tag, line=attribute.line, text=attribute.value, owner=owner))
