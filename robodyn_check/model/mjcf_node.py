"""An MJCF document with its includes put in place, each element knowing its own file.

MuJoCo looks for an included file beside the main model file first, then beside the file that includes it, and refuses
to include a file twice; so do we. A path that leaves the main file's folder is refused: a model that arrives from
somewhere else must not make this tool open other files of the machine.

A `Number` has a line but no file, so what comes from an included file carries the line of the ``<include>`` in the main
file: a place that is true of the file named in the report. Faults name the included file and its own line.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.faults import Faults
from robodyn_check.model.quote import quoted
from robodyn_check.model.xml import XmlElement, parse_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A larger file is no robot description; the same limit as for the main file.
_MAX_BYTES = 64 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Node:
    """An element, the faults of the file it stands in, and the main file's line for what comes from another file."""

    element: XmlElement
    faults: Faults
    included_at: int | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def tag(self) -> str:
        """The element's name."""
        return self.element.tag

    def get(self, name: str) -> str | None:
        """Return an attribute's value."""
        return self.element.get(name)

    def line(self, name: str | None = None) -> int:
        """Return the line to report in the main file, of an attribute or of the element."""
        return self.included_at if self.included_at is not None else self.own_line(name)

    def own_line(self, name: str | None = None) -> int:
        """Return the line in the file in which the element stands."""
        return self.element.line if name is None else self.element.line_of(name)

    def fault(self, message: str, *, at: str | None = None, cause: str = "unreadable-model") -> None:
        """Record a fault of this element, or of its attribute ``at``."""
        self.faults.add(self.own_line(at), message, cause=cause)

    def all(self, tag: str) -> list[Node]:
        """Return the direct children of this name."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Node]:
        """Iterate over this node and all below it, in file order, without recursion."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class Document:
    """The main file and all it includes, with the faults of each."""

    def __init__(self, path: str, data: bytes) -> None:
        """Parse ``data`` as the main file and put every include in place.

        Raises:
            ModelError: The main file is no well-formed XML.
        """
        self._shown_folder = Path(path).parent
        self._folder = self._shown_folder.resolve()
        self._all_faults: list[Faults] = []
        self._broken: list[Fault] = []
        self._included = {Path(path).resolve()}
        faults = self._faults_of(path)
        self.root = self._expanded(Node(element=parse_xml(data, path), faults=faults))

    def sections(self, tag: str) -> list[Node]:
        """Return the top-level sections of one name; MJCF allows several, which count as one."""
        return self.root.all(tag)

    def raise_if_any(self) -> None:
        """Raise the faults of all files together.

        Raises:
            ModelError: There is at least one fault.
        """
        found = list(self._broken)
        for faults in self._all_faults:
            try:
                faults.raise_if_any()
            except ModelError as error:
                found.extend(error.faults)
        if found:
            raise ModelError(tuple(sorted(found, key=lambda fault: (fault.file, fault.line or 0))))

    def _faults_of(self, file: str) -> Faults:
        faults = Faults(file)
        self._all_faults.append(faults)
        return faults

    def _expanded(self, root: Node) -> Node:
        """Attach the children of every node, those of an included file in the place of its ``<include>``."""
        waiting = [root]
        while waiting:
            node = waiting.pop()
            sources = [(child, node.faults, node.included_at) for child in reversed(node.element.children)]
            while sources:
                element, faults, included_at = sources.pop()
                child = Node(element=element, faults=faults, included_at=included_at)
                if element.tag != "include":
                    node.children.append(child)
                    waiting.append(child)
                    continue
                inner = self._open(child)
                if inner is not None:
                    below, inner_faults = inner
                    sources.extend((entry, inner_faults, child.line()) for entry in reversed(below.children))
        return root

    def _open(self, include: Node) -> tuple[XmlElement, Faults] | None:
        """Parse the file that an ``<include>`` names; None when that is a fault, which is recorded."""
        name = include.get("file")
        if not name:
            include.fault("<include> has no file attribute, expected the path of the file to include")
            return None
        path = self._find(include, name)
        if path is None:
            return None
        if path in self._included:
            include.fault(
                f"<include> names {quoted(name)} a second time; MJCF includes a file once, so a file cannot include "
                "itself either. Remove this one",
                cause="include-repeated",
            )
            return None
        self._included.add(path)
        shown = str(self._shown_folder / path.relative_to(self._folder))
        try:
            element = parse_xml(_bytes(path), shown)
        except OSError as error:
            include.fault(f"<include> names {quoted(name)}, which cannot be read: {error.strerror}")
            return None
        except ModelError as error:
            self._broken.extend(error.faults)
            return None
        return element, self._faults_of(shown)

    def _find(self, include: Node, name: str) -> Path | None:
        """Return the file meant, beside the main file or else beside the including one."""
        places = [self._folder / name, Path(include.faults.file).parent / name]
        inside = [place.resolve() for place in places]
        inside = [place for place in inside if place.is_relative_to(self._folder)]
        if not inside:
            include.fault(
                f"<include> names {quoted(name)}, which is outside the model's folder and is not opened; copy it "
                "beside the model",
                cause="include-outside",
            )
            return None
        existing = [place for place in inside if place.is_file()]
        if not existing:
            include.fault(
                f"<include> names {quoted(name)}, which does not exist; looked beside the main file, then beside this "
                "one",
                cause="missing-include",
            )
            return None
        return existing[0]


def _bytes(path: Path) -> bytes:
    """Return a file's content.

    Raises:
        OSError: It cannot be read, or is larger than any robot.
    """
    if path.stat().st_size > _MAX_BYTES:
        raise OSError(errno.EFBIG, "larger than 64 MB, and so no robot description")
    return path.read_bytes()
