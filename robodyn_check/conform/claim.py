"""What the protocol demands, one claim at a time, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.conform.bench import Bench


class Violation(Exception):
    """An adapter does not hold to the protocol; the text says what it did and what was expected."""


class NotApplicable(Exception):
    """A claim that says nothing about this adapter; the text is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One demand of the protocol: a name, a sentence, and the function that puts an adapter to the test.

    ``examine`` raises `Violation` or `NotApplicable`, or whatever a library's process does.
    """

    slug: str
    title: str
    examine: Callable[[Bench], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What became of one claim; a fail and a skip say why."""

    slug: str
    title: str
    verdict: Literal["pass", "fail", "skip"]
    message: str = ""
