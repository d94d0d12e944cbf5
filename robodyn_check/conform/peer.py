"""One running adapter, spoken to in raw lines, so that lines which are no requests can be tried as well."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol

from robodyn_check.harness.client import Client
from robodyn_check.harness.process import AdapterProcess

if TYPE_CHECKING:
    from robodyn_check.harness.process import Launch
    from robodyn_check.harness.session import Budget

#: Seconds between two looks at a process that is expected to end.
PAUSE = 0.02


class Peer(Protocol):
    """What the claims need of an adapter, whether it runs in a process or not."""

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""

    def receive(self, doing: str, *, first: bool = False) -> dict[str, Any]:
        """Return the next message; raises AdapterError where none comes. ``first``: allow time for an import."""

    def end_requests(self) -> None:
        """Let the adapter read the end of its requests."""

    def ended_within(self, seconds: float) -> str | None:
        """Return how it ended, None when it still runs after so many seconds."""

    def close(self) -> None:
        """End it."""


class ProcessPeer:
    """A peer in a process of its own."""

    def __init__(self, launch: Launch, budget: Budget) -> None:
        """Start it.

        Raises:
            OSError: The command cannot be started.
        """
        self._budget = budget
        self._process = AdapterProcess(launch)
        self._client = Client(self._process, memory=budget.memory)

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._client.send_bytes(data)

    def receive(self, doing: str, *, first: bool = False) -> dict[str, Any]:
        """Return the next message.

        Raises:
            AdapterCrashed, AdapterTimeout: None came; the process was killed.
        """
        timeout = self._budget.start_timeout if first else self._budget.timeout
        return self._client.next_message(timeout=timeout, doing=doing)

    def end_requests(self) -> None:
        """Close the pipe that it reads."""
        self._process.end_requests()

    def ended_within(self, seconds: float) -> str | None:
        """Return how it ended, None when it still runs after so many seconds."""
        deadline = time.monotonic() + seconds
        while (how := self._process.ended()) is None and time.monotonic() < deadline:
            time.sleep(PAUSE)
        return how

    def close(self) -> None:
        """Kill it and everything it started."""
        self._process.close()
