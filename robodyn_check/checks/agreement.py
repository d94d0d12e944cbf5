"""What the checks of agreement share: two subjects, one quantity, one bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.checks.judging import Given, Outcome, compare
from robodyn_check.checks.probing import ask

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import Probes


def pair_eps(context: JudgeContext) -> float:
    """Return the rounding unit of a comparison: the subject's alone against a certified truth, else the sum of both."""
    other = context.against
    if other is None or other.certified:
        return context.subject.eps
    return context.subject.eps + other.eps


def probe(context: ProbeContext, quantity: str) -> Probes:
    """Ask both for the quantity at all states."""
    return {quantity: ask(quantity, context.states)}


def agree(context: JudgeContext, given: Given, quantity: str) -> Outcome:
    """Compare one quantity of the two, entry by entry, within K eps S of that quantity."""
    return compare(
        context,
        given[quantity],
        given.theirs[quantity],
        quantity=quantity,
        scale=getattr(context.scales, quantity),
        factor=quantity,
        eps=pair_eps(context),
    )
