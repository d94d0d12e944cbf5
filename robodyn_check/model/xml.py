"""Model files as trees of elements that know their lines, read so that hostile input can do nothing.

The parser is expat from the standard library, fed with text that was decoded before: it counts lines without a limit,
takes unbound prefixes (``drake:rotor_inertia`` without xmlns) as they are, just as the loaders of URDF do, and lets us
refuse a document type before anything in it is looked at. So no entity can expand and no other file can be opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat  # the document type is refused in its first handler: no entity exists

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.encoding import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Elements and attributes of one file, together. The largest real robots have ten thousand; each costs half a kB.
MAX_ITEMS = 400_000
#: Elements inside each other. MJCF nests one level for each body of a chain.
MAX_DEPTH = 10_000

_START_TAG = re.compile(rb"""<[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>""")
_ATTRIBUTE = re.compile(rb"""\s([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute's value and the line on which its name stands."""

    value: str
    line: int


@dataclass(slots=True, kw_only=True)
class XmlElement:
    """One element: name with its prefix as written, attributes in file order, children, text, and its line.

    ``text`` is the character data directly inside it, stripped. ``source`` is the element as the file writes it.
    """

    tag: str
    line: int
    attributes: dict[str, Attribute]
    children: list[XmlElement] = field(default_factory=list)
    text: str = ""
    document: bytes = b""
    start: int = 0
    end: int = 0

    def all(self, tag: str) -> list[XmlElement]:
        """Return the direct children of this name."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> XmlElement | None:
        """Return the first direct child of this name."""
        return next((child for child in self.children if child.tag == tag), None)

    def get(self, name: str) -> str | None:
        """Return an attribute's value."""
        attribute = self.attributes.get(name)
        return None if attribute is None else attribute.value

    def line_of(self, name: str) -> int:
        """Return the line of an attribute; of the element where the attribute is absent."""
        attribute = self.attributes.get(name)
        return self.line if attribute is None else attribute.line

    def walk(self) -> Iterator[XmlElement]:
        """Iterate over this element and all below it, in file order, without recursion."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    @property
    def source(self) -> str:
        """The element as written."""
        return self.document[self.start : self.end].decode("utf-8")


def parse_xml(data: bytes, file: str) -> XmlElement:
    """Parse a document and return its root element.

    Args:
        data: The bytes of the file, in any encoding that XML knows and the file declares rightly.
        file: The name to show in messages.

    Raises:
        ModelError: The bytes are no well-formed XML, carry a document type, or are larger than any robot.
    """
    document = decode(data, file).encode("utf-8")
    return _Builder(document, file).parse()


class _Builder:
    """Collects expat's events into elements."""

    def __init__(self, document: bytes, file: str) -> None:
        self._document = document
        self._file = file
        self._items = 0
        self._open: list[XmlElement] = []
        self._texts: list[list[str]] = []
        self._root: XmlElement | None = None
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.ordered_attributes = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def parse(self) -> XmlElement:
        try:
            self._parser.Parse(self._document, True)
        except expat.ExpatError as error:
            raise self._refused(error.lineno, self._explain(error)) from None
        assert self._root is not None  # expat refuses a document without a root
        return self._root

    def _refused(self, line: int, message: str, cause: str = "xml-not-well-formed") -> ModelError:
        return ModelError((Fault(file=self._file, line=line, message=message, cause=cause),))

    def _explain(self, error: expat.ExpatError) -> str:
        what = expat.ErrorString(error.code)
        message = f"not well-formed XML: {what} at column {error.offset + 1}"
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
            return "not well-formed XML: there is no element in the file; expected <robot> (URDF) or <mujoco> (MJCF)"
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
            return message + "; only &amp; &lt; &gt; &quot; and &apos; exist without a document type"
        if self._open:
            innermost = self._open[-1]
            return message + f"; <{innermost.tag}> of line {innermost.line} is still open there"
        return message

    def _doctype(self, name: str, _system: str | None, _public: str | None, _internal: int) -> None:
        raise self._refused(
            self._parser.CurrentLineNumber,
            f"the file has a document type (<!DOCTYPE {name} ...>), which is refused: entities can read other files "
            "or grow without end. Remove it and write the values out",
            cause="xml-dtd-forbidden",
        )

    def _start(self, tag: str, pairs: list[str]) -> None:
        line = self._parser.CurrentLineNumber
        self._items += 1 + len(pairs) // 2
        if self._items > MAX_ITEMS:
            raise self._refused(
                line, f"more than {MAX_ITEMS} elements and attributes: this is no robot", "file-too-large"
            )
        if len(self._open) >= MAX_DEPTH:
            raise self._refused(line, f"elements nested more than {MAX_DEPTH} deep: this is no robot", "file-too-large")
        start = self._parser.CurrentByteIndex
        end = _tag_end(self._document, start)
        lines = _attribute_lines(self._document[start:end], line)
        attributes = {
            name: Attribute(value, lines.get(name, line)) for name, value in zip(pairs[::2], pairs[1::2], strict=True)
        }
        element = XmlElement(tag=tag, line=line, attributes=attributes, document=self._document, start=start, end=end)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, _tag: str) -> None:
        element = self._open.pop()
        element.text = "".join(self._texts.pop()).strip()
        if self._document[element.end - 2 : element.end] != b"/>":  # the start tag is not the whole element
            element.end = self._document.index(b">", self._parser.CurrentByteIndex) + 1

    def _characters(self, text: str) -> None:
        if self._texts:
            self._texts[-1].append(text)


def _attribute_lines(tag: bytes, line: int) -> dict[str, int]:
    """Lines of the attributes of a start tag that spans several lines; empty where it spans one."""
    if b"\n" not in tag and b"\r" not in tag:
        return {}
    newlines = [match.start() for match in re.finditer(rb"\r\n?|\n", tag)]
    lines: dict[str, int] = {}
    passed = 0
    for match in _ATTRIBUTE.finditer(tag):
        while passed < len(newlines) and newlines[passed] < match.start(1):
            passed += 1
        lines[match.group(1).decode("utf-8")] = line + passed
    return lines


def _tag_end(document: bytes, start: int) -> int:
    """Index behind the ``>`` that ends the start tag at ``start``; quoted values may hold one."""
    match = _START_TAG.match(document, start)
    assert match is not None  # expat has just accepted this start tag
    return match.end()
