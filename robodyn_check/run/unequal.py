"""Where two processes that were asked the same gave different numbers: one entry per quantity, the largest apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.labels import labels_of
from robodyn_check.quantities import QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch

    FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unequal:
    """The entry of one quantity that is furthest apart, and the sentence that says so."""

    apart: float
    text: str


def unequal(
    pairs: Iterable[tuple[Request, FloatArray, FloatArray]], mechanism: Mechanism, states: StateBatch
) -> dict[str, Unequal]:
    """Return the quantities whose finite numbers are not equal in both; numbers that one of them lacks do not count.

    Args:
        pairs: A request, what was said first and what was said again, both (N, *shape).
        mechanism: Names the entries.
        states: The states of the run, whose numbers are shown.
    """
    found: dict[str, Unequal] = {}
    for request, first, again in pairs:
        there = first.shape == again.shape and np.isfinite(first) & np.isfinite(again)
        different = np.where(there, first != again, False) if first.shape == again.shape else np.array(False)
        if not different.any():
            continue
        apart = np.where(different, np.abs(first - again), 0.0)
        index = np.unravel_index(int(np.argmax(apart)), apart.shape)
        before = found.get(request.quantity)
        if before is None or apart[index] > before.apart:
            place = tuple(int(entry) for entry in index)
            text = (
                f"{_element(mechanism, request.quantity, place[1:])} is {float(first[index])!r} in the process that "
                f"was judged and {float(again[index])!r} in a fresh one that was asked the same in the same order"
                f"{_state(request, place[0], states)}; {int(different.sum())} of {different.size} numbers differ there"
            )
            found[request.quantity] = Unequal(apart=float(apart[index]), text=text)
    return found


def _element(mechanism: Mechanism, quantity: str, index: tuple[int, ...]) -> str:
    """Name an entry by joints and links, ``mass_matrix[elbow, wrist]``."""
    if not index:
        return quantity
    plain = len(index) == len(QUANTITIES[quantity].shape)  # the ends of motions have more
    names = labels_of(mechanism, quantity)(index) if plain else map(str, index)
    return f"{quantity}[{', '.join(names)}]"


def _state(request: Request, row: int, states: StateBatch) -> str:
    """Say at which state of the run; nothing where the check asked at a state of its own."""
    same = np.ones(len(states), dtype=bool)
    for name, values in request.inputs.items():
        same &= (getattr(states, name) == values[row]).all(axis=1)
    return f", at state {int(np.argmax(same))}" if same.any() else ""
