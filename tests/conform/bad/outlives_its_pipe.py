"""Waits for ever when the pipe has ended."""

from __future__ import annotations

from tests.conform.miniature import Honest

CAUGHT_BY = ("ends-with-the-pipe",)


class Bad(Honest):
    def end_requests(self) -> None:
        """Nothing happens."""
