"""What judges share: the worst element by its own bound, errors per state, and the sentence that users read.

Pure functions on arrays whose first axis is the state. An element counts where both sides are finite; what is missing
is reported once, by the hygiene family and by `running`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.labels import labels_of
from robodyn_check.report.results import Difference, StepErrors, Worst

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.checks.context import JudgeContext
    from robodyn_check.report.results import Verdict
    from robodyn_check.requests import Failure, Request
    from robodyn_check.states import StateBatch

    FloatArray = npt.NDArray[np.float64]
    Probes = Mapping[str, Request] | str


#: Rows or columns above which a picture of all elements cannot be read.
_LARGEST_PICTURE = 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """The values that a judge asked for, by the names its probes gave them.

    ``mine`` are the subject's, (N, *shape), rows without an answer hold NaN; ``theirs`` the other subject's (agreement
    only). ``modified`` names the requests at which an input array was written into, with the rows concerned;
    ``failures`` those of which rows have no answer. ``obstacles`` says why a whole request has none: only a check that
    is ``partial`` ever sees one, for any other check it is the outcome.
    """

    mine: Mapping[str, FloatArray]
    theirs: Mapping[str, FloatArray] = field(default_factory=dict)
    modified: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    failures: Mapping[str, tuple[Failure, ...]] = field(default_factory=dict)
    obstacles: Mapping[str, Outcome] = field(default_factory=dict)

    def __getitem__(self, name: str) -> FloatArray:
        """Return the subject's own values."""
        return self.mine[name]

    def __contains__(self, name: str) -> bool:
        """Say whether the subject answered this one at all."""
        return name in self.mine


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A judgement before it gets its code and its subject: the fields of `Result` of the same names."""

    verdict: Verdict
    quantity: str | None = None
    message: str | None = None
    errors: tuple[float | None, ...] = ()
    error: float | None = None
    bound: float | None = None
    margin: float | None = None
    worst: Worst | None = None
    difference: Difference | None = None
    step_errors: StepErrors | None = None


Outcomes = Outcome | tuple[Outcome, ...]


def skip(reason: str, *, quantity: str | None = None) -> Outcome:
    """Return an outcome that says why nothing was judged."""
    return Outcome(verdict="skip", message=reason, quantity=quantity)


def state_numbers(context: JudgeContext, batch: StateBatch) -> tuple[int | None, ...]:
    """Return the run's state number of each row of a batch (None: not one of the run's states)."""
    return _numbers(context.states, batch)


@lru_cache(maxsize=64)
def _numbers(states: StateBatch, batch: StateBatch) -> tuple[int | None, ...]:
    if batch is states:
        return tuple(range(len(batch)))
    known = {row.tobytes(): number for number, row in reversed(list(enumerate(_rows(states))))}
    return tuple(known.get(row.tobytes()) for row in _rows(batch))


def _rows(batch: StateBatch) -> FloatArray:
    """Return one row of numbers per state, enough to tell states apart."""
    return np.ascontiguousarray(np.concatenate([batch.q, batch.v, batch.a], axis=1))


def compare(
    context: JudgeContext,
    got: FloatArray,
    expected: FloatArray | float,
    *,
    quantity: str,
    scale: FloatArray | float,
    factor: FloatArray | float | str,
    eps: float | None = None,
    batch: StateBatch | None = None,
    labels: Callable[[tuple[int, ...]], Sequence[str]] | None = None,
    name: str | None = None,
    advice: str = "",
) -> Outcome:
    """Judge got = expected within factor · eps · scale, element by element.

    Args:
        context: What the check sees.
        got: (N, ...), the side that is under suspicion.
        expected: The other side, broadcast against ``got``.
        quantity: What the result is filed under.
        scale: The size of the terms, in the unit of ``got``; broadcast.
        factor: K, or the name of its row in `tolerance.FACTORS`; 0 demands equality.
        eps: Rounding unit; None: the subject's.
        batch: The states that rows stand for; None: the states of the run.
        labels: From an index (without the state) to names; None: those of ``quantity``.
        name: What to call the left-hand side in the message; None: the quantity.
        advice: A sentence to add to the message of a fail.
    """
    unit = np.asarray(scale, dtype=float) * (context.subject.eps if eps is None else eps)
    weight = tolerance.factor(factor, dofs=context.mechanism.nv) if isinstance(factor, str) else factor
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        error = np.abs(got - expected)
        present = np.isfinite(error)
        if not present.all():
            present = np.isfinite(got) & np.isfinite(expected)
            if not present.any():
                return skip("no value that both sides have", quantity=quantity)
            error[~present] = 0.0
        wrong = error > 0
        in_units = np.divide(error, unit, out=np.zeros_like(error), where=wrong)
        ratio = np.divide(in_units, weight, out=np.zeros_like(error), where=wrong)
    ratio[np.isnan(ratio)] = np.inf  # a bound that is not finite is no bound
    index = _worst_index(ratio, error)

    def value_at(values: FloatArray | float) -> float:
        return float(np.broadcast_to(values, got.shape)[index])

    numbers = state_numbers(context, context.states if batch is None else batch)
    inner = tuple(int(i) for i in index[1:])
    name_of = labels or labels_of(context.mechanism, quantity)
    worst = Worst(
        index=inner,
        labels=tuple(name_of(inner)),
        got=float(got[index]),
        expected=value_at(expected),
        bound=_finite(value_at(unit) * value_at(weight)),
        state=numbers[index[0]] if len(numbers) == got.shape[0] else None,
    )
    failed = bool(ratio[index] > 1)
    margin = _finite(float(ratio[index]))
    message = _sentence(name or quantity, worst, error=float(error[index]), margin=margin) if failed else None
    return Outcome(
        verdict="fail" if failed else "pass",
        quantity=quantity,
        message=f"{message} {advice}".rstrip() if message else None,
        errors=_per_state(in_units, present),
        error=float(error[index]),
        bound=worst.bound,
        margin=margin,
        worst=worst,
        difference=_difference(ratio[index[0]], name_of, name or quantity) if failed else None,
    )


def _difference(
    ratio: FloatArray, labels: Callable[[tuple[int, ...]], Sequence[str]], column: str
) -> Difference | None:
    """Return |error| / bound of every element of one state, for matrices and vectors that one can look at."""
    if ratio.ndim not in {1, 2} or max(ratio.shape) > _LARGEST_PICTURE:
        return None
    matrix = ratio.reshape(ratio.shape[0], -1)
    columns = (column,) if ratio.ndim == 1 else tuple(labels((0, j))[1] for j in range(ratio.shape[1]))
    return Difference(
        rows=tuple(labels((i,) if ratio.ndim == 1 else (i, 0))[0] for i in range(ratio.shape[0])),
        columns=columns,
        margins=tuple(tuple(_finite(float(value)) for value in row) for row in matrix),
    )


def _worst_index(ratio: FloatArray, error: FloatArray) -> tuple[int, ...]:
    """Return the element that exceeds its own bound most; among those beyond all measure, the largest error."""
    place = int(ratio.argmax())
    if np.isinf(ratio.flat[place]):
        place = int(np.where(np.isinf(ratio), error, -1.0).argmax())
    return tuple(int(i) for i in np.unravel_index(place, ratio.shape))


def _per_state(in_units: FloatArray, present: npt.NDArray[np.bool_]) -> tuple[float | None, ...]:
    """Return the largest error of each state in units of eps·S; None where that is no number."""
    rows = in_units.reshape(in_units.shape[0], -1).max(axis=1, initial=0.0)
    there = present.reshape(present.shape[0], -1).any(axis=1)
    known = there & np.isfinite(rows)
    values: list[float | None] = rows.tolist()
    for missing in np.flatnonzero(~known):
        values[missing] = None
    return tuple(values)


def _finite(value: float) -> float | None:
    """Return the value, or None where it is none."""
    return value if np.isfinite(value) else None


def _sentence(name: str, worst: Worst, *, error: float, margin: float | None) -> str:
    """Say what happened: which element, both values, how far apart, what was allowed, where."""
    element = f"{name}[{', '.join(worst.labels)}]" if worst.labels else name
    if worst.bound is None:
        allowed = "which no bound allows"
    elif worst.bound > 0 and margin is not None:
        allowed = f"{margin:.2g} times the bound {worst.bound:.2g}"
    else:
        allowed = "where the two must be equal to the last bit"
    place = "" if worst.state is None else f", at state {worst.state}"
    return f"{element} is {worst.got:.12g}, expected {worst.expected:.12g}: off by {error:.3g}, {allowed}{place}."
