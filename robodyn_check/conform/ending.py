"""Claims about the end: after ``shutdown``, and when the pipe ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.conform.claim import Claim, Violation

if TYPE_CHECKING:
    from robodyn_check.conform.bench import Bench

#: Seconds that a process may take to clean up.
PATIENCE = 10.0


def shuts_down(bench: Bench) -> None:
    """``shutdown`` is answered with null, and the process ends by itself."""
    with bench.fresh() as other:
        answer = other.call("shutdown", {})
        if answer is not None:
            raise Violation(f"shutdown was answered with {str(answer)[:60]!r}, expected null")
        _ends(other, "after it answered shutdown")


def ends_with_the_pipe(bench: Bench) -> None:
    """Nobody is left behind when the pipe ends without a word."""
    with bench.fresh() as other:
        other.peer.end_requests()
        _ends(other, "after the end of its requests")


def _ends(bench: Bench, when: str) -> None:
    how = bench.peer.ended_within(PATIENCE)
    if how is None:
        raise Violation(f"still runs {PATIENCE:g} s {when}")
    if how != "exit code 0":
        raise Violation(f"ended with {how} {when}, expected exit code 0")


CLAIMS = (
    Claim(slug="shuts-down", title="shutdown is answered with null, then the process ends", examine=shuts_down),
    Claim(slug="ends-with-the-pipe", title="the process ends when its pipe does", examine=ends_with_the_pipe),
)
