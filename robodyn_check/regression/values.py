"""What subjects answered at the states of a run, compared entry by entry: bit for bit, in eps·S, and with the bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.probing import ask
from robodyn_check.quantities import EPSILON, QUANTITIES
from robodyn_check.tolerance import bound, factor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.requests import Answer, Failure, FloatArray, Request
    from robodyn_check.run.subjects import Setting, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How far two answers to one quantity are apart.

    ``equal`` of ``entries`` are the same doubles; ``largest`` is the largest difference, ``units`` the same in eps·S,
    ``margin`` its share of the bound that two right answers keep (None: not finite), at ``state`` and ``index``.
    """

    entries: int
    equal: int
    largest: float | None
    units: float | None
    margin: float | None
    state: int | None = None
    index: tuple[int, ...] = ()

    @property
    def is_identical(self) -> bool:
        """Tell whether every entry is the same double."""
        return self.equal == self.entries


def base_request(setting: Setting, subject: Subject, quantity: str) -> Request:
    """Return the request for a quantity at the run's states, as many as this subject gets."""
    return ask(quantity, setting.batch(subject.budget.states_for((quantity,))))


def base_answers(setting: Setting, subject: Subject) -> dict[str, Answer | Failure]:
    """Return what a subject answered at the states of the run, by quantity; what it was not asked is left out."""
    found = {}
    for quantity in QUANTITIES:
        answer = subject.answers.get(base_request(setting, subject, quantity))
        if answer is not None:
            found[quantity] = answer
    return found


def compare(
    setting: Setting,
    quantity: str,
    old: FloatArray,
    new: FloatArray,
    *,
    precision: str = "double",
) -> Change:
    """Compare two answers at the same states; the more states one has, the fewer of them are used.

    Args:
        setting: The run, for its states and scales.
        quantity: Which one.
        old: (states, ...), canonical.
        new: The same shape.
        precision: Declared by the library.
    """
    equal = (old == new) | (np.isnan(old) & np.isnan(new))
    if old.size == 0 or bool(equal.all()):
        return Change(entries=int(old.size), equal=int(old.size), largest=0.0, units=0.0, margin=0.0)
    eps = EPSILON[precision]
    allowed = _allowed(setting, quantity, old, eps)
    difference = np.where(equal, 0.0, np.abs(new - old))
    if quantity == "potential_energy":  # versions may disagree about the constant of a welded root
        difference = np.abs((new - new[:1]) - (old - old[:1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        margins = np.where(difference == 0.0, 0.0, difference / allowed)
    margins = np.where(np.isnan(difference), np.inf, margins)
    worst = np.unravel_index(int(np.argmax(margins)), margins.shape)
    state, *index = (int(number) for number in worst)
    margin = float(margins[worst])
    k = factor(quantity, dofs=setting.mechanism.nv)
    return Change(
        entries=int(old.size),
        equal=int(equal.sum()),
        largest=_finite(float(difference[worst])),
        units=_finite(margin * 2.0 * k),
        margin=_finite(margin),
        state=state,
        index=tuple(index),
    )


def _allowed(setting: Setting, quantity: str, answer: FloatArray, eps: float) -> FloatArray:
    """Return the bound of the difference of two right answers, entry by entry."""
    count = len(answer)
    scales = setting.scales_of(count)
    given: Mapping[str, FloatArray] = {}
    if quantity == "forward_dynamics":
        given = {"answer": answer, "tau": setting.batch(count).tau}
    return bound(quantity, scales, eps, eps, **given)


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
