"""The wire protocol: newline-delimited JSON-RPC 2.0, as `adapters/PROTOCOL.md` documents it.

Here: versions, methods, error codes, the records that travel, and how one message becomes one line and back. Arrays may
be attached: the line says ``"attached": N``, N bytes follow its end, and an array's ``f64`` is the place of its doubles
among them, ``[begin, end]``. Nothing here reads or writes a descriptor.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from robodyn_check.sdk.records import MalformedRecord

#: Raised by one when a message changes in a way that an old peer cannot read.
PROTOCOL_VERSION = 1
#: Environment variable with the two private descriptors, "READ,WRITE", as the adapter's process sees them.
DESCRIPTORS_VARIABLE = "ROBODYN_CHECK_FDS"
#: When set, the adapter only imports its library, prints its version and ends: does this environment work?
PROBE_VARIABLE = "ROBODYN_CHECK_PROBE"
METHODS = ("initialize", "load", "readback", "evaluate", "integrate", "shutdown")
#: A line, or what is attached to it, longer than this is garbage: no honest chunk of states comes near it.
MAXIMUM_LINE_BYTES = 256 * 2**20

#: JSON-RPC's own codes.
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
#: What an adapter says, by kind.
ERROR_CODES: dict[str, int] = {"missing": 1, "unsupported": 2, "refused": 3, "not_offered": 4, "error": 5}
ERROR_KINDS: dict[int, str] = {code: kind for kind, code in ERROR_CODES.items()}


class ProtocolError(Exception):
    """An error answer: `code` and `message` as they travel, `data` what else is said."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        """Keep the parts; the text is the message."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data or {}

    @property
    def kind(self) -> str:
        """missing, unsupported, refused, not_offered or error (everything else)."""
        return ERROR_KINDS.get(self.code, "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterInfo:
    """The answer to ``initialize``: who answers, what it declares and offers. Fields as in `sdk.adapter`."""

    protocol: int
    name: str
    version: str
    quantities: tuple[str, ...]
    library: str = ""
    homepage: str = ""
    arrays: Literal["attached", "packed", "nested"] = "packed"
    formats: tuple[str, ...] = ("urdf",)
    precision: Literal["double", "single"] = "double"
    coriolis: Literal["christoffel", "skew", "any"] = "skew"
    cost: float = 10.0
    chunk: int = 500
    profiles: dict[str, str] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    needs_mechanism: bool = False
    symmetric_by_construction: bool = False
    reads_extensions: tuple[str, ...] = ()
    integrates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFailure:
    """States of one chunk that have no value, and the library's own words."""

    rows: tuple[int, ...]
    message: str


def encode(message: dict[str, Any]) -> bytes:
    """Return one message as one line, with its newline and the bytes of attached arrays."""
    attached: list[bytes] = []
    for part in ("params", "result"):
        if isinstance(message.get(part), dict):
            message = {**message, part: _detached(message[part], attached)}
    if attached:
        message = {**message, "attached": sum(map(len, attached))}
    line = json.dumps(message, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()
    return b"".join([line, b"\n", *attached])


def _detached(values: dict[str, Any], attached: list[bytes]) -> dict[str, Any]:
    """Return the values with places instead of the bytes of arrays, which are added to ``attached``."""
    detached = dict(values)
    for name, value in values.items():
        if isinstance(value, dict) and isinstance(value.get("f64"), (bytes, bytearray)):
            begin = sum(map(len, attached))
            attached.append(value["f64"])
            detached[name] = {**value, "f64": [begin, begin + len(value["f64"])]}
    return detached


def attached_size(line: bytes) -> int:
    """Return how many bytes follow this line; 0 for a line that `decode` will refuse.

    Raises:
        MalformedRecord: A number of bytes that is none, or more than `MAXIMUM_LINE_BYTES`.
    """
    if b'"attached"' not in line:
        return 0
    try:
        size = decode(line).get("attached", 0)
    except MalformedRecord:
        return 0
    if type(size) is not int or not 0 <= size <= MAXIMUM_LINE_BYTES:
        problem = f"attached: expected a number of bytes, at most {MAXIMUM_LINE_BYTES}, got {size!r}"
        raise MalformedRecord(problem)
    return size


def decode(line: bytes, attached: bytearray | None = None) -> dict[str, Any]:
    """Read one line, and put the bytes that followed it in the places of arrays.

    Raises:
        MalformedRecord: Not UTF-8, not JSON, no JSON-RPC 2.0 object, or an array outside of what is attached.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        text = line[:80].decode(errors="replace").rstrip()
        problem = f"expected one JSON-RPC message on one line, got {text!r} ({error})"
        raise MalformedRecord(problem) from error
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        problem = f'expected an object with "jsonrpc": "2.0", got {line[:80].decode(errors="replace").rstrip()!r}'
        raise MalformedRecord(problem)
    if attached is not None:
        for part in ("params", "result"):
            if isinstance(message.get(part), dict):
                _attach(message[part], attached)
    return message


def _attach(values: dict[str, Any], attached: bytearray) -> None:
    """Put bytes in the places of arrays."""
    for name, value in values.items():
        place = value.get("f64") if isinstance(value, dict) else None
        if isinstance(place, list):
            if len(place) != 2 or any(type(end) is not int for end in place) or not 0 <= place[0] <= place[1]:
                problem = f"{name}.f64: expected [begin, end] among the {len(attached)} attached bytes, got {place!r}"
                raise MalformedRecord(problem)
            value["f64"] = attached[place[0] : place[1]]


def request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def result(number: Any, value: Any) -> dict[str, Any]:
    """Return the answer to a request."""
    return {"jsonrpc": "2.0", "id": number, "result": value}


def failure(number: Any, error: ProtocolError) -> dict[str, Any]:
    """Return the error answer to a request (number None: it could not be read)."""
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data:
        body["data"] = error.data
    return {"jsonrpc": "2.0", "id": number, "error": body}
