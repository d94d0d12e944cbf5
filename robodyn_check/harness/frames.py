"""Bytes of a pipe cut into messages: lines, each with the bytes that are attached to it."""

from __future__ import annotations

from robodyn_check.sdk.protocol import MAXIMUM_LINE_BYTES, attached_size
from robodyn_check.sdk.records import MalformedRecord


class Frames:
    """What has arrived of one pipe and is no whole message yet."""

    def __init__(self) -> None:
        """Start empty."""
        self._buffer = bytearray()
        self._searched = 0
        self._line: bytes | None = None
        self._attached = 0

    def add(self, data: bytes) -> list[tuple[bytes, bytearray]]:
        """Take bytes; return the messages that are whole now, (line without its end, what is attached).

        Raises:
            MalformedRecord: A line without end, or something attached, that is longer than any honest one.
        """
        self._buffer += data
        messages = []
        while (message := self._next()) is not None:
            messages.append(message)
        if len(self._buffer) > self._attached + MAXIMUM_LINE_BYTES:
            problem = f"more than {MAXIMUM_LINE_BYTES >> 20} MiB without an end of line"
            raise MalformedRecord(problem)
        return messages

    def _next(self) -> tuple[bytes, bytearray] | None:
        """Take the next whole message out of the buffer."""
        if self._line is None:
            end = self._buffer.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._buffer)
                return None
            self._line = bytes(self._take(end))
            self._take(1)
            self._searched = 0
            self._attached = attached_size(self._line)
        if len(self._buffer) < self._attached:
            return None
        message = (self._line, self._take(self._attached))
        self._line, self._attached = None, 0
        return message

    def _take(self, count: int) -> bytearray:
        """Take the first bytes out of the buffer."""
        taken = self._buffer[:count]
        del self._buffer[:count]
        return taken
