"""Encodings: what XML allows is read, what contradicts itself is told."""

from __future__ import annotations

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.encoding import decode

TEXT = '<?xml version="1.0"?>\n<robot name="é"/>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_with_a_mark_or_in_utf8_is_read(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), "m.urdf") == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark_is_recognised_by_its_first_character(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), "m.urdf") == TEXT


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("UTF-8", "utf-8"),
        ("utf-16", "utf-16"),
        ("UTF-16LE", "utf-16-le"),
        ("ISO-8859-1", "latin-1"),
        ("cp1252", "cp1252"),
    ],
)
def test_a_rightly_declared_encoding_is_read(declared: str, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?><robot name="é"/>'
    assert 'name="é"' in decode(text.encode(encoding), "m.urdf")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            '<?xml version="1.0" encoding="utf-8"?><a/>'.encode("utf-16"),
            "declares encoding 'utf-8' but its bytes are UTF-16",
        ),
        (b'<?xml version="1.0" encoding="utf-16"?><a/>', "declares encoding 'utf-16' but its bytes are not UTF-16"),
        (
            b'<?xml version="1.0" encoding="klingon"?><a/>',
            "encoding 'klingon' is not supported; save the file as UTF-8",
        ),
        (b'<?xml version="1.0" encoding="base64"?><a/>', "encoding 'base64' is not supported; save the file as UTF-8"),
        (b"<a>\n\xff</a>", "byte 0xff is not UTF-8"),
    ],
)
def test_a_wrong_encoding_is_refused_with_the_reason(data: bytes, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        decode(data, "m.urdf")
    assert words in str(caught.value)
    assert caught.value.faults[0].cause == "unsupported-encoding"


def test_the_line_of_a_byte_that_does_not_fit_is_named() -> None:
    with pytest.raises(ModelError, match=r"m\.urdf:3: byte 0xe9"):
        decode(b"<a>\n\n\xe9</a>", "m.urdf")
