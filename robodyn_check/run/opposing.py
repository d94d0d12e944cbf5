"""Where most libraries contradict the reference: who stands where, and the roundest state that shows it.

Votes decide nothing, the certified truth does; but a reader who sees one opinion against many wants the proof at hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.results import Opposition
from robodyn_check.run.assemble import REFERENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.results import Result
    from robodyn_check.states import StateBatch

#: Libraries that must have been judged before one may speak of most.
_LEAST = 2
#: Times the bound that a state shows a fail clearly.
_CLEAR = 100.0


def oppositions(results: Sequence[Result], states: StateBatch) -> tuple[Opposition, ...]:
    """Return the quantities on which more libraries contradict the reference than agree with it.

    Args:
        results: Everything that was judged.
        states: The states of the run.
    """
    votes: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        if result.against == REFERENCE and result.quantity in QUANTITIES and result.verdict in {"pass", "fail"}:
            votes.setdefault((result.code, str(result.quantity)), []).append(result)
    found = []
    for (code, quantity), cast in votes.items():
        fails = {result.subject: result for result in cast if result.verdict == "fail"}
        right = tuple(dict.fromkeys(result.subject for result in cast if result.subject not in fails))
        if len(fails) + len(right) < _LEAST or len(fails) <= len(right):
            continue
        number = _roundest(tuple(fails.values()), quantity, states)
        names = QUANTITIES[quantity].inputs
        inputs: dict[str, tuple[float, ...]] = {}
        if number is not None:
            inputs = {name: tuple(getattr(states, name)[number].tolist()) for name in names}
        found.append(
            Opposition(
                code=code,
                quantity=quantity,
                wrong=tuple(fails),
                right=right,
                agreed=_agreed(results, code, frozenset(fails)),
                state=number,
                inputs=inputs,
                finding=f"{code}:{next(iter(fails))}:{quantity}",
            )
        )
    return tuple(found)


def _agreed(results: Sequence[Result], code: str, names: frozenset[str]) -> bool | None:
    """Tell whether these libraries agree with each other; None where nobody compared them."""
    verdicts = {
        result.verdict
        for result in results
        if result.code == code and result.subject in names and result.against in names and result.verdict != "skip"
    }
    return None if not verdicts else verdicts == {"pass"}


def _roundest(fails: Sequence[Result], quantity: str, states: StateBatch) -> int | None:
    """Return the state with the shortest numbers among those at which all fails are clear, else at which all fail."""
    from robodyn_check.run.shrink_steps import length  # noqa: PLC0415 - nothing is added to a run without opposition

    margins = [_margins(result) for result in fails]
    count = min((len(one) for one in margins), default=0)
    least = [min(one[number] for one in margins) for number in range(min(count, len(states)))]
    for limit in (_CLEAR, 1.0):
        shown = [number for number, margin in enumerate(least) if margin > limit]
        if shown:
            names = QUANTITIES[quantity].inputs
            return min(shown, key=lambda k: length({name: getattr(states, name)[k] for name in names}))
    return None


def _margins(result: Result) -> tuple[float, ...]:
    """Return error / bound of each state: errors per state are in eps·S, so the worst one tells the factor."""
    worst = None if result.worst is None else result.worst.state
    if result.margin is None or worst is None or worst >= len(result.errors) or not result.errors[worst]:
        return ()
    unit = result.margin / float(result.errors[worst] or 1.0)
    return tuple(0.0 if error is None else error * unit for error in result.errors)
