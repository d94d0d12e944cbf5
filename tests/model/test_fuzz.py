"""Damaged files: whatever the bytes, the answer is a robot or a ModelError whose faults say something."""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.lint import lint
from robodyn_check.model.read import read_model
from tests.model.urdf_texts import ARM

GOOD = ARM.encode()
FRAGMENTS = [
    b"<",
    b">",
    b'"',
    b"/",
    b"&",
    b"\x00",
    b"\xff",
    b"nan",
    b"-",
    b"1e999",
    b"1e308",
    b"4e-320",
    b"0e-299",
    b"<link name='base'/>",
    b"${x}",
    b"]]>",
]

edits = st.lists(
    st.tuples(
        st.integers(0, len(GOOD) - 1),
        st.integers(0, 12),
        st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=4)),
    ),
    min_size=1,
    max_size=6,
)


def damaged(changes: list[tuple[int, int, bytes]]) -> bytes:
    """Replace stretches of the good file."""
    data = GOOD
    for start, length, new in changes:
        data = data[:start] + new + data[start + length :]
    return data


def read_or_faults(data: bytes | str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "m.urdf"
        file.write_bytes(data if isinstance(data, bytes) else data.encode())
        faults: tuple[Fault, ...] = ()
        try:
            robot = read_model(file)
        except ModelError as error:
            faults = error.faults
            refused = True
        else:
            refused = False
            assert all(result.message for result in lint(robot) if result.verdict != "pass")
        assert bool(faults) == refused
        assert all(fault.message and fault.file for fault in faults)


@settings(derandomize=True, max_examples=200, deadline=None, database=None)
@given(edits)
def test_a_damaged_urdf_never_ends_in_anything_else(changes: list[tuple[int, int, bytes]]) -> None:
    began = time.process_time()
    read_or_faults(damaged(changes))
    assert time.process_time() - began < 2


@settings(derandomize=True, max_examples=150, deadline=None, database=None)
@given(
    st.lists(
        st.sampled_from(["0", "-0.0", "1e308", "-1e308", "4e-320", "1e-200", "1e200", ".5", "1"]),
        min_size=26,
        max_size=26,
    )
)
def test_any_finite_numbers_can_be_judged(texts: list[str]) -> None:
    words = itertools.cycle(texts)
    read_or_faults(re.sub(r'"[-.0-9 ]+"', lambda old: f'"{" ".join(next(words) for _ in old.group().split())}"', ARM))


@settings(derandomize=True, max_examples=100, deadline=None, database=None)
@given(st.binary(max_size=200))
def test_random_bytes_never_end_in_anything_else(data: bytes) -> None:
    read_or_faults(data)
