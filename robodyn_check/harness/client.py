"""Calls to one adapter's process, with a deadline, a limit on memory, and patience with no garbage.

One loop reads and writes all pipes, so that a chatty library, a large request and a large answer cannot block each
other. Whatever goes wrong kills the process and is raised as an AdapterError with the process's last words.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import time
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import AdapterCrashed, AdapterTimeout
from robodyn_check.harness.frames import Frames
from robodyn_check.sdk import protocol
from robodyn_check.sdk.protocol import ProtocolError
from robodyn_check.sdk.records import MalformedRecord

if TYPE_CHECKING:
    from robodyn_check.harness.process import AdapterProcess

#: Seconds between two looks at memory and at whether the process lives.
WATCH_INTERVAL = 0.1
READ_SIZE = 1 << 20


class Client:
    """JSON-RPC with one process. `send` does not wait, `receive` does."""

    def __init__(self, process: AdapterProcess, *, memory: int) -> None:
        """Take a started process; ``memory``: resident bytes of the process and its children that get it killed."""
        self._process = process
        self._memory = memory
        self._number = 0
        self._unsent = memoryview(b"")
        self._frames: dict[int, Frames] = {}
        self._channel: int | None = None if process.launch.program else process.answers
        self._answers: list[dict[str, Any]] = []
        self._open = {one for one in (process.answers, process.stderr, process.stdout) if one is not None}
        self._looked = 0.0

    def send(self, method: str, params: dict[str, Any]) -> int:
        """Queue a request and return its number."""
        self._number += 1
        self.send_bytes(protocol.encode(protocol.request(self._number, method, params)))
        return self._number

    def send_bytes(self, data: bytes) -> None:
        """Queue bytes as they are: what a peer does with lines that are no requests is seen this way only."""
        self._unsent = memoryview(bytes(self._unsent) + data)
        self._pump(0.0)

    def call(self, method: str, params: dict[str, Any], *, timeout: float) -> Any:
        """Send a request and return its result; see `receive`."""
        number = self.send(method, params)
        return self.receive(number, timeout=timeout, doing=method)

    def receive(self, number: int, *, timeout: float, doing: str) -> Any:
        """Wait for the answer to one request.

        Raises:
            ProtocolError: The adapter answered with an error.
            AdapterTimeout: No answer within ``timeout`` seconds; the process was killed.
            AdapterCrashed: It died, wrote garbage, or took too much memory; it was killed.
        """
        answer = self.next_message(timeout=timeout, doing=doing)
        if answer.get("id") != number:
            raise self._crash(f"answered request {answer.get('id')!r} when {number} ({doing}) was waiting", doing)
        if "error" in answer:
            raise self._error(answer["error"], doing)
        return answer.get("result")

    def next_message(self, *, timeout: float, doing: str) -> dict[str, Any]:
        """Wait for the next message, whatever it answers.

        Raises:
            AdapterTimeout, AdapterCrashed: As `receive`.
        """
        deadline = time.monotonic() + timeout
        while not self._answers:
            left = deadline - time.monotonic()
            if left <= 0:
                self._process.kill()
                message = f"no answer to {doing} within {timeout:g} s; the process was killed"
                raise AdapterTimeout(f"{message} (--timeout S gives it more){self._words()}")
            self._pump(min(left, WATCH_INTERVAL))
            if not self._answers:
                self._watch(doing)
        return self._answers.pop(0)

    def _watch(self, doing: str) -> None:
        """Look at memory and life."""
        now = time.monotonic()
        if now - self._looked < WATCH_INTERVAL:
            return
        self._looked = now
        ended = self._process.ended()
        if ended is not None:
            self._drain()
            if not self._answers:
                raise self._crash(f"the process ended ({ended})", doing)
        used = self._process.memory()
        if used > self._memory:
            limit = self._memory / 2**20
            raise self._crash(f"used {used / 2**20:.0f} MiB of memory, the limit is {limit:.0f} MiB", doing)

    def _drain(self) -> None:
        """Read what a dead process left in the pipes (a grandchild may hold them open: no waiting for their end)."""
        for _ in range(64):
            if not self._pump(0.0):
                return

    def _pump(self, wait: float) -> bool:
        """Move bytes in both directions for at most ``wait`` seconds; tell whether any moved."""
        poll = select.poll()
        for descriptor in self._open:
            poll.register(descriptor, select.POLLIN)
        if self._unsent:
            poll.register(self._process.requests, select.POLLOUT)
        ready = poll.poll(math.ceil(wait * 1000))
        for descriptor, _ in ready:
            if descriptor == self._process.requests:
                self._write()
            else:
                self._read(descriptor)
        return bool(ready)

    def _write(self) -> None:
        """Write as much of the queued requests as the pipe takes."""
        try:
            self._unsent = self._unsent[os.write(self._process.requests, self._unsent) :]
        except BlockingIOError:
            return
        except OSError:  # nobody reads any more: whether it also died is for `_watch` to find
            self._unsent = memoryview(b"")

    def _read(self, descriptor: int) -> None:
        """Read what is there; complete lines of the channel become answers."""
        try:
            data = os.read(descriptor, READ_SIZE)
        except BlockingIOError:
            return
        if not data:
            self._open.discard(descriptor)
            if descriptor == self._channel and not self._answers:
                # An adapter that closes its pipe has nothing more to say, whether it lives or not.
                with contextlib.suppress(ProcessLookupError):
                    self._settle()
                raise self._crash(f"closed its pipe ({self._process.ended() or 'still running'})", "a call")
            return
        if descriptor == self._process.stderr or (self._channel is not None and descriptor != self._channel):
            self._process.words.add(data)
            return
        try:
            messages = self._frames.setdefault(descriptor, Frames()).add(data)
        except MalformedRecord as error:
            raise self._crash(f"wrote {error}", "a call") from error
        for line, attached in messages:
            self._line(descriptor, line, attached)

    def _line(self, descriptor: int, line: bytes, attached: bytearray) -> None:
        """Take one line: an answer, chatter of a program on stdout, or garbage."""
        if not line.strip():
            return
        try:
            message = protocol.decode(line, attached)
        except MalformedRecord as error:
            if self._channel is None and descriptor == self._process.stdout:
                self._process.words.add(line + b"\n")  # it may yet speak on the private descriptor
                return
            raise self._crash(f"wrote garbage: {error}", "a call") from error
        self._channel = descriptor
        self._answers.append(message)

    def _settle(self) -> None:
        """Give a process whose pipe just closed a moment to end, so that its exit code and last words can be told."""
        for _ in range(200):
            if self._process.ended() is not None:
                break
            time.sleep(0.01)
        for _ in range(64):
            try:
                data = os.read(self._process.stderr, READ_SIZE)
            except (BlockingIOError, OSError):
                return
            if not data:
                return
            self._process.words.add(data)

    def _error(self, error: Any, doing: str) -> Exception:
        """Return the exception of an error answer."""
        if not isinstance(error, dict) or type(error.get("code")) is not int:
            return self._crash(f"sent an error without a code: {str(error)[:80]!r}", doing)
        data = error.get("data")
        message = str(error.get("message", ""))[:2000]
        return ProtocolError(error["code"], message, data if isinstance(data, dict) else None)

    def _crash(self, what: str, doing: str) -> AdapterCrashed:
        """Kill the process and return the exception, with its last words."""
        self._process.kill()
        during = "" if doing == "a call" else f" during {doing}"
        return AdapterCrashed(f"{what}{during}{self._words()}")

    def _words(self) -> str:
        """Return the last words as a suffix of a message."""
        words = self._process.last_words(6)
        return f"; its last words:\n{words}" if words else "; it left no words on stderr"
