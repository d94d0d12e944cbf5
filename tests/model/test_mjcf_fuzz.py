from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_check.errors import ModelError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.mjcf import read_stated
from tests.model.mjcf_texts import COMPILED_MODELS, ODD_MODELS

TEXTS = [text.encode() for text in (*ODD_MODELS.values(), *COMPILED_MODELS.values())]
#: Pieces that mean something in an MJCF, so that edits reach more than the XML parser.
PIECES = [
    b"<body>",
    b"</body>",
    b"<joint/>",
    b'<joint type="ball"/>',
    b"<freejoint/>",
    b"<frame>",
    b"</frame>",
    b'<include file="model.xml"/>',
    b'<default class="x">',
    b"</default>",
    b' class="x"',
    b' pos="1 2"',
    b' quat="0 0 0 0"',
    b"nan",
    b"1e999",
    b"-",
    b"0",
    b'"',
    b"&#0;",
    b"\xff",
    b"<inertial/>",
    b"<geom/>",
]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    text=st.sampled_from(TEXTS),
    edits=st.lists(
        st.tuples(st.integers(0, 1200), st.integers(0, 30), st.one_of(st.sampled_from(PIECES), st.binary(max_size=3))),
        min_size=1,
        max_size=4,
    ),
)
def test_a_damaged_file_is_read_or_refused_with_its_faults(text: bytes, edits: list[tuple[int, int, bytes]]):
    for start, count, piece in edits:
        at = start % (len(text) + 1)
        text = text[:at] + piece + text[at + count :]
    with suppress(ModelError):
        robot, _ = read_stated("nowhere/model.xml", text)
        build_mechanism(robot)
