"""Hygiene: every state answered, finite, repeatable, free of leftovers, and without side effects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.judging import Given, Outcome, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.quantities import QUANTITIES
from robodyn_check.states.batch import StateBatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.requests import Request


def _offered(context: ProbeContext, batch: StateBatch) -> dict[str, Request]:
    """Ask for every quantity on offer."""
    return {name: ask(name, batch) for name in QUANTITIES if name in context.subject.quantities}


def _for_each(
    context: JudgeContext, given: Given, judge: Callable[[JudgeContext, Given, str], Outcome]
) -> tuple[Outcome, ...]:
    """Judge every quantity that has an answer; those that have none are reported by RD901 alone."""
    names = [name for name in QUANTITIES if name in given and f"again {name}" in given]
    return tuple(judge(context, given, name) for name in names)


@check(
    code="RD901",
    slug="answers-complete",
    quantities=(),
    formula="every state has an answer, and every number of it is finite",
    bound="exact",
    reference="IEEE 754-2019: NaN and infinities",
)
class AnswersComplete:
    """Every question has an answer.

    What it checks: each quantity that the library offers, at each state: there is an answer, of the right shape, and no
        number of it is NaN or infinite. Quantities that are not offered are skips.
    Why it matters: a missing answer is no proof of anything; all other checks judge what is there.
    Usual causes: a crash or time-out in the library; an exception at a corner state; a division by a singular M.
    References: IEEE 754-2019.
    """

    partial = True

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for everything."""
        return {name: ask(name, context.states) for name in QUANTITIES}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Look for rows that failed and for numbers that are none."""
        return tuple(_complete(context, given, name) for name in QUANTITIES)


def _complete(context: JudgeContext, given: Given, quantity: str) -> Outcome:
    """Judge one quantity."""
    if quantity not in given:
        return replace(given.obstacles[quantity], quantity=quantity)
    count = len(context.states)
    failures = given.failures.get(quantity, ())
    broken = [failure for failure in failures if failure.kind == "error"]
    if broken:
        rows = sorted({row for failure in broken for row in (failure.states or range(count))})
        where = f"{len(rows)} of {count} states have no {quantity} (the first is state {rows[0]})"
        return Outcome(verdict="error", quantity=quantity, message=f"{broken[0].message}: {where}")
    bad = ~np.isfinite(given[quantity].reshape(count, -1))
    refused = {row for failure in failures for row in (failure.states or range(count))}
    unexplained = [row for row in np.flatnonzero(bad.any(axis=1)).tolist() if row not in refused]
    if unexplained:
        text = f"{quantity} is not finite at {len(unexplained)} of {count} states (the first is state {unexplained[0]})"
        return Outcome(verdict="error", quantity=quantity, message=text)
    if bad.all():
        return Outcome(verdict="skip", quantity=quantity, message=failures[0].message)
    partly = f"{failures[0].message} ({int(bad.any(axis=1).sum())} of {count} states concerned)" if bad.any() else None
    return Outcome(verdict="pass", quantity=quantity, message=partly, error=0.0, bound=0.0, margin=0.0)


@check(
    code="RD902",
    slug="answers-repeatable",
    quantities=(),
    formula="the same question has the same answer",
    bound="exact",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 3: dynamics are functions of the state",
)
class AnswersRepeatable:
    """The same question gets the same answer.

    What it checks: each quantity asked a second time at the same states is the same to the last bit.
    Why it matters: a result that depends on when it was asked can be neither tested nor debugged.
    Usual causes: uninitialised memory; a warm-started solver; threads that sum in any order.
    References: Featherstone (2008), chapter 3.
    """

    partial = True

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for everything on offer twice."""
        first = _offered(context, context.few)
        again = {f"again {name}": replace(request, repeat=1) for name, request in first.items()}
        return {**first, **again}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two answers bit by bit."""
        return _for_each(context, given, _repeated)


def _repeated(context: JudgeContext, given: Given, quantity: str) -> Outcome:
    """Compare two answers to the same question."""
    return _same(context, quantity, given[quantity], given[f"again {quantity}"], context.few)


@check(
    code="RD903",
    slug="inputs-not-modified",
    quantities=(),
    formula="q, v, a, tau are the same after the call",
    bound="exact",
    reference="observed inside the library's process, around every call",
)
class InputsNotModified:
    """The library does not write into the arrays that it is handed.

    What it checks: the arrays given to each call hold the same numbers afterwards.
    Why it matters: the next computation of the caller silently uses another state.
    Usual causes: normalising a quaternion or wrapping angles in place; clamping to limits in place.
    References: observed inside the library's process, around every call.
    """

    partial = True

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for everything on offer."""
        return _offered(context, context.states)

    @staticmethod
    def judge(_context: JudgeContext, given: Given) -> Outcomes:
        """Report the calls that wrote into an input."""
        return tuple(_untouched(given, name) for name in QUANTITIES if name in given)


def _untouched(given: Given, quantity: str) -> Outcome:
    """Judge one quantity."""
    rows = given.modified.get(quantity, ())
    if rows:
        text = f"{quantity} wrote into the arrays it was handed, at {len(rows)} states (the first is state {rows[0]})"
        return Outcome(verdict="fail", quantity=quantity, message=text, error=float(len(rows)), bound=0.0)
    return Outcome(verdict="pass", quantity=quantity, error=0.0, bound=0.0, margin=0.0)


@check(
    code="RD904",
    slug="no-stale-cache",
    quantities=(),
    formula="the answer at a state does not depend on the states asked before it",
    bound="exact",
    reference="Pinocchio, MuJoCo and Drake document caches that callers must refresh",
)
class NoStaleCache:
    """An answer does not depend on what was asked before.

    What it checks: each quantity asked at the same states in reverse order is the same to the last bit.
    Why it matters: libraries keep intermediate results; a call that forgets to refresh them answers for another state.
    Usual causes: a missing forward-kinematics call before the quantity; a cache that is not invalidated.
    References: documentation of Pinocchio (computeAllTerms), MuJoCo (mj_forward) and Drake (Context caching).
    """

    partial = True

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for everything on offer, forwards and backwards."""
        few = context.few
        back = StateBatch(q=_reversed(few.q), v=_reversed(few.v), a=_reversed(few.a), tau=_reversed(few.tau))
        again = {f"again {name}": replace(request, round=1) for name, request in _offered(context, back).items()}
        return {**_offered(context, few), **again}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two answers bit by bit."""
        return _for_each(context, given, _fresh)


def _fresh(context: JudgeContext, given: Given, quantity: str) -> Outcome:
    """Compare an answer with the one from the reverse order."""
    return _same(context, quantity, given[f"again {quantity}"][::-1], given[quantity], context.few)


def _reversed(array: FloatArray) -> FloatArray:
    """Return the states in reverse order, as an array of its own."""
    return np.ascontiguousarray(array[::-1])


def _same(context: JudgeContext, quantity: str, got: FloatArray, expected: FloatArray, batch: StateBatch) -> Outcome:
    """Compare two answers to the last bit; errors are in eps of the value."""
    return compare(context, got, expected, quantity=quantity, scale=np.abs(expected), factor=0.0, batch=batch)
