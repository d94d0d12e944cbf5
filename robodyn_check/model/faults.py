"""A list that collects every fault of one file, so that a user sees all of them in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.errors import Fault, ModelError

if TYPE_CHECKING:
    from collections.abc import Collection


class Faults:
    """The faults found so far in one file. A reader adds to it and goes on; the end raises them together."""

    def __init__(self, file: str) -> None:
        """Start without faults; ``file`` is the name to show."""
        self.file = file
        self._faults: dict[Fault, None] = {}  # in the order found, each once

    def add(self, line: int | None, message: str, *, cause: str = "unreadable-model", file: str | None = None) -> None:
        """Record one fault: ``message`` says what was found, what was expected, and what to do."""
        self._faults[Fault(file=file or self.file, line=line, message=message, cause=cause)] = None

    def __len__(self) -> int:
        """Return how many faults there are."""
        return len(self._faults)

    def causes(self) -> Collection[str]:
        """Return the kinds of fault found so far."""
        return {fault.cause for fault in self._faults}

    def raise_if_any(self) -> None:
        """Raise all faults, sorted by line.

        Raises:
            ModelError: There is at least one fault.
        """
        if self._faults:
            raise ModelError(tuple(sorted(self._faults, key=lambda fault: (fault.file, fault.line or 0))))
