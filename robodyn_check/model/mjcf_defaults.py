"""Default classes of MJCF: what an element gets that does not say it itself.

The top-level class is ``main``; a nested class starts from its parent, wherever in it the parent's own elements stand.
An element uses its ``class``, else the nearest ``childclass`` of a body or frame around it, else ``main``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_schema import ACTUATORS
from robodyn_check.model.mjcf_values import check_attributes
from robodyn_check.model.quote import quoted
from robodyn_check.model.suggest import suggestion

if TYPE_CHECKING:
    from robodyn_check.model.mjcf_node import Document, Node

MAIN = "main"


class Defaults:
    """Per class: which element gives each attribute of joints and of actuators."""

    def __init__(self, document: Document) -> None:
        """Read all ``<default>`` sections; faults are recorded in them."""
        self._sources: dict[str, dict[tuple[str, str], Node]] = {MAIN: {}}
        self._lines: dict[str, int] = {}
        waiting = [(section, MAIN, True) for section in reversed(document.sections("default"))]
        while waiting:
            node, parent, top = waiting.pop()
            name = self._name(node, top=top)
            if name is None:
                continue
            if name not in self._sources:
                self._sources[name] = dict(self._sources[parent])
            self._collect(node, name)
            waiting.extend((child, name, False) for child in reversed(node.all("default")))

    def names(self) -> tuple[str, ...]:
        """Return the names of all classes."""
        return tuple(self._sources)

    def give(self, node: Node, kind: str, childclass: str | None, attribute: str) -> Node:
        """Return the element that says ``attribute`` for ``node``: itself, or one of its class's defaults.

        Args:
            node: The element.
            kind: "joint" or "actuator".
            childclass: The class that bodies and frames around it set, if any.
            attribute: The attribute's name.
        """
        if node.get(attribute) is not None:
            return node
        name = node.get("class") or childclass or MAIN
        return self._sources.get(name, self._sources[MAIN]).get((kind, attribute), node)

    def check(self, node: Node, attribute: str) -> str | None:
        """Return the class that an element names; one that does not exist is a fault."""
        name = node.get(attribute)
        if name is None or name in self._sources:
            return name
        node.fault(
            f"<{node.tag}> has {attribute}={quoted(name)}, a default class that does not exist. "
            f"{suggestion(name, self._sources)}",
            at=attribute,
            cause="unknown-class",
        )
        return None

    def _name(self, node: Node, *, top: bool) -> str | None:
        name = node.get("class")
        if top:
            if name not in {None, MAIN}:
                node.fault(
                    f"the top-level <default> is called {quoted(name or '')}, expected no class or 'main'; put your "
                    "classes into <default> elements inside it",
                    at="class",
                )
            return MAIN
        if not name:
            node.fault("a nested <default> has no class, expected a name for it", cause="missing-attribute")
            return None
        if name in self._lines or name == MAIN:
            first = f"the first is in line {self._lines[name]}" if name in self._lines else "it is the top level"
            node.fault(
                f"default class {quoted(name)} exists twice ({first}); rename one", at="class", cause="duplicate-name"
            )
            return None
        self._lines[name] = node.own_line("class")
        return name

    def _collect(self, node: Node, name: str) -> None:
        seen: dict[str, int] = {}
        for child in node.children:
            if child.tag == "joint":
                check_attributes(child, "the default of <joint>", schema="default joint")
            kind = "joint" if child.tag == "joint" else "actuator" if child.tag in ACTUATORS else None
            if kind is None:
                continue
            if child.tag in seen:
                child.fault(
                    f"class {quoted(name)} has a second <{child.tag}> (the first is in line {seen[child.tag]}); join "
                    "them",
                    cause="duplicate-element",
                )
            seen[child.tag] = child.own_line()
            for attribute in child.element.attributes:
                self._sources[name][kind, attribute] = child
