"""Findings grouped by cause: what happened once is told once, however many checks saw it.

Findings about the model file are grouped by check: each is its own cause, and one rule may find many elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.report.summary import wrong_subjects
from robodyn_check.report.words import MODEL, is_pair, rank, word

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
    wrong = wrong_subjects(model)
    made = [_group(results, wrong) for results in buckets.values()]
    # sorted() is stable: groups of equal rank keep the order in which the checks ran
    return tuple(sorted(made, key=_order))


def _key(result: Result) -> tuple[str, ...]:
    """Return what the findings of one group have in common."""
    known = "known" if result.known else "open"
    if result.subject == MODEL or (result.verdict == "warn" and result.cause is None):
        shared: tuple[str, ...] = ("code", result.code)
    elif result.cause is not None:
        shared = ("cause", result.cause.name, result.cause.element or "")
    elif result.known is not None:
        shared = ("known", result.known.reason)
    elif result.verdict == "fail":
        shared = ("against", (result.against or "") if is_pair(result) else "")
    else:
        shared = ("message", result.message or "")
    return (result.subject, result.verdict, known, *shared)


def _order(group: Group) -> tuple[int, bool, bool, int]:
    pair = is_pair(group.results[0])
    return (rank(group.verdict, known=group.known), pair, group.cause is None, -len(group.results))


def _group(results: list[Result], wrong: frozenset[str]) -> Group:
    first = results[0]
    # what the truth or the library itself shows comes before what another library shows
    worst_first = sorted(results, key=lambda result: (is_pair(result), -_size(result)))
    return Group(
        subject=first.subject,
        verdict=first.verdict,
        known=first.known is not None,
        title=_title(first, wrong),
        results=tuple(worst_first),
        cause=None if first.subject == MODEL else first.cause,
    )


def _size(result: Result) -> float:
    if result.margin is None:
        # no margin on a fail: the answer was not finite, or the claim has no number; both come first
        return float("inf")
    return result.margin


def _title(result: Result, wrong: frozenset[str]) -> str:
    if result.subject == MODEL:
        return result.slug
    if result.cause is not None:
        element = f" ({result.cause.element})" if result.cause.element else ""
        return f"{result.cause.name}{element}"
    if result.known is not None:
        return result.known.reason
    if result.verdict == "fail":
        return _blame(result, wrong) if is_pair(result) else "no cause found"
    if result.verdict == "warn":
        return result.slug
    return result.message or result.slug


def _blame(result: Result, wrong: frozenset[str]) -> str:
    """Say of two libraries that differ which one the truth contradicts."""
    guilty = [name for name in (result.subject, result.against) if name in wrong]
    verdict = {0: "the truth contradicts neither", 2: "the truth contradicts both"}.get(
        len(guilty), f"the truth contradicts {''.join(str(name) for name in guilty)}"
    )
    return f"differs from {result.against}; {verdict}"
