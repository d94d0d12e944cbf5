"""Which kinds of states a batch holds, in which order, and which ones stand for the batch when only a few are asked.

60 % inside the limits, 15 % outside them, 25 % corners (design page, section 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robodyn_check.states.batch import StateBatch

#: Kinds of corners, taken by turns: everything zero; each limit and all of them; v = 0; one joint moving; large v.
CORNERS = ("zero", "fast", "limit", "single", "still")
#: The order in which `subset` takes kinds: the ones with everything in motion first.
_PRIORITY = ("inside", "fast", "limit", "single", "outside", "still", "zero")


def kinds_of(count: int) -> tuple[str, ...]:
    """Return the kind of each of ``count`` states, spread evenly, so that any prefix is mixed as well."""
    outside, corners = round(0.15 * count), round(0.25 * count)
    places = [
        ((number + 0.5) / total, kind)
        for kind, total in (("inside", count - outside - corners), ("corner", corners), ("outside", outside))
        for number in range(total)
    ]
    named: list[str] = []
    turn = 0
    for _, kind in sorted(places):
        if kind == "corner":
            named.append(CORNERS[turn % len(CORNERS)])
            turn += 1
        else:
            named.append(kind)
    return tuple(named)


def subset(states: StateBatch, count: int) -> StateBatch:
    """Return at most ``count`` states that stand for the batch: kinds by turns, so that corners are well covered.

    Args:
        states: A batch; where it has no kinds, its first states are taken.
        count: How many are wanted.

    Returns:
        The chosen states in their order in the batch.
    """
    return states.rows(subset_numbers(states, count))


def subset_numbers(states: StateBatch, count: int) -> tuple[int, ...]:
    """Return the numbers of the states that `subset` chooses, ascending."""
    if not states.kinds:
        return tuple(range(min(count, len(states))))
    known = {kind: number for number, kind in enumerate(_PRIORITY)}
    turns: dict[str, int] = {}
    ranked: list[tuple[int, int, int]] = []
    for number, kind in enumerate(states.kinds):
        turn = turns.get(kind, 0)
        turns[kind] = turn + 1
        ranked.append((turn, known.get(kind, len(known)), number))
    return tuple(sorted(number for _, _, number in sorted(ranked)[:count]))
