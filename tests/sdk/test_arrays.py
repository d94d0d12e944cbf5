"""Arrays survive the wire bit for bit, and garbage is named."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robodyn_check.sdk.arrays import ENCODINGS, decode_array, encode_array
from robodyn_check.sdk.records import MalformedRecord

if TYPE_CHECKING:
    from robodyn_check.sdk.arrays import Encoding


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(numbers=st.lists(st.floats(allow_nan=False), max_size=6))
def test_doubles_survive_bit_for_bit(encoding: Encoding, numbers: list[float]):
    array = np.array(numbers, dtype=float).reshape(1, -1)
    sent = json.loads(json.dumps(encode_array(array, encoding), allow_nan=False))
    received = decode_array(sent, "x")
    assert received.tobytes() == array.tobytes()
    assert received.shape == array.shape
    assert received.flags.writeable


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_json_cannot_write_has_a_spelling(encoding: Encoding):
    array = np.array([[math.nan, math.inf, -math.inf, -0.0]])
    sent = json.loads(json.dumps(encode_array(array, encoding), allow_nan=False))
    np.testing.assert_array_equal(decode_array(sent, "x"), array)
    assert np.signbit(decode_array(sent, "x")[0, 3])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"shape": [2], "f64": "AAAA"}, "x.f64: 3 bytes, but shape [2] needs 16"),
        ({"shape": [1], "f64": "%%%"}, "x.f64: not base64"),
        ({"shape": "2", "f64": ""}, "x.shape: expected an array of sizes"),
        ({"shape": [1]}, "x.f64: expected base64 text"),
        ([[1, 2], [3]], "x: expected nested arrays of numbers, all of one length"),
        (["nan"], 'x: expected numbers, "NaN", "Infinity" or "-Infinity", got \'nan\''),
        ([True], "got 'True'"),
        ("text", "got 'text'"),
    ],
)
def test_garbage_is_named_with_its_place(data: Any, words: str):
    with pytest.raises(MalformedRecord) as caught:
        decode_array(data, "x")
    assert words in str(caught.value)
