"""Arrays on the wire: nested numbers, or ``{"shape": [...], "f64": little-endian doubles}``.

The doubles of the second form are base64 text (packed), or bytes that travel behind the message's line (attached; see
`sdk.protocol`). Doubles survive bit for bit in all three: the nested form has the shortest decimal that reads back as
the same double (the bits inside a NaN are kept by the other two only).
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from robodyn_check.sdk.records import SPELLINGS, MalformedRecord, spell

if TYPE_CHECKING:
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

Encoding = Literal["attached", "packed", "nested"]
#: The spellings inside a line, which every adapter can choose from, in the order of preference.
ENCODINGS: tuple[Encoding, ...] = ("packed", "nested")
#: All spellings, in the order of preference.
ALL_ENCODINGS: tuple[Encoding, ...] = ("attached", *ENCODINGS)


def encode_array(array: FloatArray, encoding: Encoding) -> Any:
    """Return the form of an array of doubles that `protocol.encode` takes."""
    array = np.asarray(array, dtype=np.float64)
    if encoding == "nested":
        return _spelled(array.tolist())
    data = np.ascontiguousarray(array, dtype="<f8").tobytes()
    return {"shape": list(array.shape), "f64": data if encoding == "attached" else base64.b64encode(data).decode()}


def decode_array(data: Any, place: str) -> FloatArray:
    """Read any form; the result is a writable array of doubles.

    Raises:
        MalformedRecord: None of the forms, ragged, or the bytes do not fill the shape.
    """
    if isinstance(data, dict):
        return _decode_packed(data, place)
    try:
        return np.array(_numbers(data, place), dtype=np.float64)
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, MalformedRecord):
            raise
        message = f"{place}: expected nested arrays of numbers, all of one length: {error}"
        raise MalformedRecord(message) from error


def _decode_packed(data: dict[str, Any], place: str) -> FloatArray:
    """Read ``{"shape", "f64"}``."""
    shape, text = data.get("shape"), data.get("f64")
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        message = f"{place}.shape: expected an array of sizes, got {shape!r}"
        raise MalformedRecord(message)
    if isinstance(text, bytearray):  # attached to the message
        raw: bytes | bytearray = text
    elif isinstance(text, str):
        try:
            raw = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            message = f"{place}.f64: not base64: {error}"
            raise MalformedRecord(message) from error
    else:
        message = f'{place}.f64: expected base64 text; a packed array is {{"shape": [...], "f64": "..."}}'
        raise MalformedRecord(message)
    count = 1
    for size in shape:
        count *= size
    if len(raw) != 8 * count:
        message = f"{place}.f64: {len(raw)} bytes, but shape {shape} needs {8 * count}"
        raise MalformedRecord(message)
    array = np.frombuffer(raw, dtype="<f8").astype(np.float64, copy=False)
    return np.require(array, requirements="W").reshape(shape)


def _spelled(value: Any) -> Any:
    """Replace the numbers that JSON cannot write."""
    if isinstance(value, list):
        return [_spelled(entry) for entry in value]
    return spell(value)


def _numbers(data: Any, place: str) -> Any:
    """Replace the words for NaN and infinities; refuse anything that is no number."""
    if isinstance(data, list):
        return [_numbers(entry, place) for entry in data]
    if isinstance(data, str) and data in SPELLINGS:
        return SPELLINGS[data]
    if isinstance(data, (int, float)) and not isinstance(data, bool):
        return data
    message = f'{place}: expected numbers, "NaN", "Infinity" or "-Infinity", got {str(data)[:40]!r}'
    raise MalformedRecord(message)
