"""Bytes of a pipe become messages, however they are cut on the way."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robodyn_check.harness.frames import Frames
from robodyn_check.sdk import protocol
from robodyn_check.sdk.arrays import decode_array, encode_array
from robodyn_check.sdk.records import MalformedRecord

#: Doubles whose bytes look like ends of lines and beginnings of messages.
DOUBLES = np.frombuffer(b'\n\n{"a":1}\n\n\n\n\n\n\n', dtype="<f8").reshape(1, -1)
MESSAGES = [
    protocol.result(1, {"values": encode_array(DOUBLES, "attached"), "seconds": 0.5}),
    protocol.result(2, None),
    protocol.request(3, "evaluate", {name: encode_array(DOUBLES.T[k:], "attached") for k, name in enumerate("qv")}),
    protocol.result(4, {"values": encode_array(np.empty((0, 7)), "attached")}),
    protocol.result(5, {"note": 'says "attached": 12 in words'}),
]
SENT = b"".join(map(protocol.encode, MESSAGES))


def received(pieces: list[bytes]) -> list[dict[str, Any]]:
    frames = Frames()
    return [protocol.decode(line, attached) for piece in pieces for line, attached in frames.add(piece)]


@given(cuts=st.lists(st.integers(0, len(SENT)), max_size=12))
def test_messages_arrive_whole_however_they_are_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(SENT)]
    first, second, third, fourth, fifth = received([SENT[begin:end] for begin, end in itertools.pairwise(places)])
    assert decode_array(first["result"]["values"], "values").tobytes() == DOUBLES.tobytes()
    assert (first["id"], second["id"], second["result"]) == (1, 2, None)
    for k, name in enumerate("qv"):
        np.testing.assert_array_equal(decode_array(third["params"][name], name), DOUBLES.T[k:])
    assert decode_array(fourth["result"]["values"], "values").shape == (0, 7)
    assert fifth["result"] == {"note": 'says "attached": 12 in words'}


def test_an_array_that_arrived_can_be_written_into() -> None:
    (message,) = received([protocol.encode(MESSAGES[0])])
    assert decode_array(message["result"]["values"], "values").flags.writeable


@pytest.mark.parametrize("size", ["-1", "true", "1e3", '"12"', str(2**40)])
def test_a_size_that_is_none_is_garbage(size: str) -> None:
    with pytest.raises(MalformedRecord, match="attached: expected a number of bytes"):
        Frames().add(b'{"jsonrpc":"2.0","id":1,"result":{},"attached":%s}\n' % size.encode())


@pytest.mark.parametrize("place", ["[0]", "[8,0]", "[-8,0]", "[0,1.5]"])
def test_an_array_outside_of_what_is_attached_is_garbage(place: str) -> None:
    line = b'{"jsonrpc":"2.0","id":1,"result":{"values":{"shape":[1],"f64":%s}},"attached":8}' % place.encode()
    with pytest.raises(MalformedRecord, match=r"values\.f64: expected"):
        protocol.decode(line, bytearray(8))


def test_a_place_beyond_the_end_leaves_too_few_bytes() -> None:
    line = b'{"jsonrpc":"2.0","id":1,"result":{"values":{"shape":[2],"f64":[0,16]}},"attached":8}'
    with pytest.raises(MalformedRecord, match="8 bytes, but shape"):
        decode_array(protocol.decode(line, bytearray(8))["result"]["values"], "values")


def test_places_without_attached_bytes_are_garbage() -> None:
    """Numbers in brackets are no base64: a peer that forgets to attach is told so."""
    (message,) = received([b'{"jsonrpc":"2.0","id":1,"result":{"values":{"shape":[1],"f64":[0,8]}}}\n'])
    with pytest.raises(MalformedRecord, match="0 bytes, but shape"):
        decode_array(message["result"]["values"], "values")
