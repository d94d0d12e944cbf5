"""Arrays on the wire: nested numbers, or ``{"shape": [...], "f64": base64 of little-endian doubles}``.

Doubles survive bit for bit in both: the packed form carries the bytes, the nested form the shortest decimal that reads
back as the same double (the bits inside a NaN are kept by the packed form only).
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

Encoding = Literal["packed", "nested"]
#: Both spellings, in the order of preference.
ENCODINGS: tuple[Encoding, ...] = ("packed", "nested")


def encode_array(array: FloatArray, encoding: Encoding) -> Any:
    """Return the JSON form of an array of doubles."""
    array = np.asarray(array, dtype=np.float64)
    if encoding == "packed":
        data = np.ascontiguousarray(array, dtype="<f8").tobytes()
        return {"shape": list(array.shape), "f64": base64.b64encode(data).decode("ascii")}
    return _spelled(array.tolist())


def decode_array(data: Any, place: str) -> FloatArray:
    """Read either form; the result is a fresh, writable array of doubles.

    Raises:
        MalformedRecord: Neither form, ragged, or the bytes do not fill the shape.
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
    if not isinstance(text, str):
        message = f'{place}.f64: expected base64 text; a packed array is {{"shape": [...], "f64": "..."}}'
        raise MalformedRecord(message)
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        message = f"{place}.f64: not base64: {error}"
        raise MalformedRecord(message) from error
    count = 1
    for size in shape:
        count *= size
    if len(raw) != 8 * count:
        message = f"{place}.f64: {len(raw)} bytes, but shape {shape} needs {8 * count}"
        raise MalformedRecord(message)
    return np.frombuffer(raw, dtype="<f8").astype(np.float64).reshape(shape)


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
