"""Findings grouped by cause: what happened once is told once, however many checks saw it.

Findings about the model file are grouped by check: each is its own cause, and one rule may find many elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.report.words import MODEL, rank, word

if TYPE_CHECKING:
    from robodyn_check.report.results import Cause, ModelReport, Result, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Findings of one subject that have one explanation; ``results`` with the largest margin first."""

    subject: str
    verdict: Verdict
    known: bool
    title: str
    results: tuple[Result, ...]
    cause: Cause | None = None

    @property
    def word(self) -> str:
        """The word shown for the group."""
        return word(self.verdict, known=self.known)


def groups(model: ModelReport) -> tuple[Group, ...]:
    """Group the findings of one model: by cause where one is known, worst first.

    Order: fail, error, their known kind, warn, skip; inside one kind the largest group of one cause first.
    """
    buckets: dict[tuple[str, ...], list[Result]] = {}
    for result in model.results:
        if result.verdict != "pass":
            buckets.setdefault(_key(result), []).append(result)
    made = [_group(results) for results in buckets.values()]
    # sorted() is stable: groups of equal rank keep the order in which the checks ran
    return tuple(sorted(made, key=_order))


def _key(result: Result) -> tuple[str, ...]:
    known = "known" if result.known else "open"
    if result.subject == MODEL:
        return (result.subject, result.verdict, known, result.code)
    if result.cause is not None:
        return (result.subject, result.verdict, known, "cause", result.cause.name, result.cause.element or "")
    if result.verdict == "skip":
        return (result.subject, result.verdict, known, result.message or "")
    if result.verdict == "warn":
        return (result.subject, result.verdict, known, result.code)
    if result.verdict == "error":
        return (result.subject, result.verdict, known, result.message or "")
    return (result.subject, result.verdict, known, result.known.reason if result.known else "")


def _order(group: Group) -> tuple[int, bool, int]:
    return (rank(group.verdict, known=group.known), group.cause is None, -len(group.results))


def _group(results: list[Result]) -> Group:
    first = results[0]
    worst_first = sorted(results, key=_size, reverse=True)
    return Group(
        subject=first.subject,
        verdict=first.verdict,
        known=first.known is not None,
        title=_title(first),
        results=tuple(worst_first),
        cause=None if first.subject == MODEL else first.cause,
    )


def _size(result: Result) -> float:
    if result.margin is None:
        # no margin on a fail: the answer was not finite, or the claim has no number; both come first
        return float("inf")
    return result.margin


def _title(result: Result) -> str:
    if result.subject == MODEL:
        return result.slug
    if result.cause is not None:
        element = f" ({result.cause.element})" if result.cause.element else ""
        return f"{result.cause.name}{element}"
    if result.known is not None:
        return result.known.reason
    if result.verdict == "fail":
        return "no cause found"
    if result.verdict == "warn":
        return result.slug
    return result.message or result.slug
