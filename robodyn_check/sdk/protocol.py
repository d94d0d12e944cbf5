"""The wire protocol: newline-delimited JSON-RPC 2.0, as `adapters/PROTOCOL.md` documents it.

Here: versions, methods, error codes, the records that travel, and how one message becomes one line and back. Nothing
here reads or writes a descriptor.
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
METHODS = ("initialize", "load", "readback", "evaluate", "integrate", "shutdown")
#: A line longer than this is garbage: no honest chunk of states comes near it.
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
    arrays: Literal["packed", "nested"] = "packed"
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
    """Return one message as one line, with its newline."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """Read one line.

    Raises:
        MalformedRecord: Not UTF-8, not JSON, or no JSON-RPC 2.0 object.
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
    return message


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
