"""The XML layer: lines are right wherever they are, and hostile documents end quickly in one message."""

from __future__ import annotations

import time

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.xml import MAX_DEPTH, parse_xml

BOMB = (
    b'<!DOCTYPE r [<!ENTITY a "0000000000">'
    + b"".join(b'<!ENTITY a%d "%s">' % (k, b"&a;" * 10 if k == 1 else b"&a%d;" % (k - 1) * 10) for k in range(1, 12))
    + b']><robot name="&a11;"/>'
)


def refusal(data: bytes) -> ModelError:
    with pytest.raises(ModelError) as caught:
        parse_xml(data, "m.urdf")
    return caught.value


def test_every_attribute_knows_the_line_of_its_name() -> None:
    root = parse_xml(b'<robot\n  name="a>b"\n\n  version="1"><link\r\n  name="c"/></robot>', "m.urdf")
    assert (root.line, root.line_of("name"), root.line_of("version")) == (1, 2, 4)
    assert root.children[0].line_of("name") == 5


def test_lines_are_counted_beyond_65535() -> None:
    root = parse_xml(b"<robot>" + b"\n" * 70_000 + b"<link/></robot>", "m.urdf")
    assert root.children[0].line == 70_001


def test_an_element_keeps_its_source_as_written() -> None:
    root = parse_xml(b'<a><b x="/>"/><c>t<d/></c></a>', "m.urdf")
    assert [element.source for element in root.walk()] == [
        '<a><b x="/>"/><c>t<d/></c></a>',
        '<b x="/>"/>',
        "<c>t<d/></c>",
        "<d/>",
    ]


def test_an_unbound_prefix_is_an_ordinary_name() -> None:
    root = parse_xml(b'<robot><drake:rotor_inertia value="1"/></robot>', "m.urdf")
    assert root.children[0].tag == "drake:rotor_inertia"


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "there is no element in the file"),
        (b"<robot>\n<link>\n</robot>", 3, "mismatched tag at column 3; <link> of line 2 is still open there"),
        (b"<robot/>\n<robot/>", 2, "junk after document element"),
        (b'<robot name="&nbsp;"/>', 1, "undefined entity"),
        (b"<robot>\n\x00</robot>", 2, "not well-formed"),
        (b'<robot a="1" a="2"/>', 1, "duplicate attribute"),
    ],
)
def test_malformed_text_is_refused_with_line_and_reason(data: bytes, line: int, words: str) -> None:
    fault = refusal(data).faults[0]
    assert fault.line == line
    assert words in fault.message


@pytest.mark.parametrize(
    "data", [BOMB, b'<!DOCTYPE r [<!ENTITY x SYSTEM "secret.txt">]><robot name="&x;"/>', b"<!DOCTYPE r><r/>"]
)
def test_a_document_type_is_refused_at_once(data: bytes) -> None:
    began = time.process_time()
    error = refusal(data)
    assert time.process_time() - began < 1
    assert error.faults[0].cause == "xml-dtd-forbidden"
    assert "document type" in str(error)


def test_nesting_without_end_is_refused() -> None:
    assert f"nested more than {MAX_DEPTH} deep" in str(refusal(b"<a>" * (MAX_DEPTH + 1)))


def test_elements_without_end_are_refused() -> None:
    assert "elements and attributes: this is no robot" in str(refusal(b"<a>" + b"<b/>" * 500_000 + b"</a>"))
