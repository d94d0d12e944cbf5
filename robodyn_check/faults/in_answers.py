"""Faults in how answers come back: numbers lost, rounded, mixed up between states, or written over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.faults.fault import LibraryFault, Planted, Scene, tampered
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Failure

if TYPE_CHECKING:
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.requests import Request

#: Relative size of the noise of a subject that does not repeat itself: far above rounding, far below sight.
_NOISE = 1e-9


def _rounded(array: FloatArray) -> FloatArray:
    """Round to single precision."""
    return array.astype(np.float32).astype(np.float64)


def _single_precision(scene: Scene) -> Planted:
    """Round every input and every answer to single precision."""

    def wrong(request: Request) -> Answer | Failure:
        found = scene.answer(
            replace(
                request,
                q=_rounded(request.q),
                v=None if request.v is None else _rounded(request.v),
                a=None if request.a is None else _rounded(request.a),
                tau=None if request.tau is None else _rounded(request.tau),
            )
        )
        if isinstance(found, Failure):
            return found
        return replace(found, values=_rounded(found.values))

    return Planted(answer=wrong)


def _upper_triangle(scene: Scene) -> Planted:
    """Leave the lower triangle of M empty."""
    return Planted(answer=tampered(scene.answer, {"mass_matrix": lambda _, values: np.triu(values)}))


def _previous_state(scene: Scene) -> Planted:
    """Answer for the state that was asked before."""

    def stale(_: Request, values: FloatArray) -> FloatArray:
        return np.concatenate([values[:1], values[:-1]])

    return Planted(answer=tampered(scene.answer, {"gravity_vector": stale, "mass_matrix": stale}))


def _input_overwritten(scene: Scene) -> Planted:
    """Write into the arrays that were handed over, at every state."""

    def wrong(request: Request) -> Answer | Failure:
        found = scene.answer(request)
        if isinstance(found, Failure) or request.quantity != "inverse_dynamics":
            return found
        return replace(found, inputs_modified=tuple(range(len(request))))

    return Planted(answer=wrong)


def _nan_at_one_state(scene: Scene) -> Planted:
    """Return NaN at one state of each batch of forward dynamics."""

    def hole(request: Request, values: FloatArray) -> FloatArray:
        values[scene.seed % len(request)] = np.nan
        return values

    return Planted(answer=tampered(scene.answer, {"forward_dynamics": hole}))


def _not_repeatable(scene: Scene) -> Planted:
    """Add noise to what is asked a second time."""

    def noisy(request: Request, values: FloatArray) -> FloatArray:
        return values * (1 + _NOISE * request.repeat)

    return Planted(answer=tampered(scene.answer, dict.fromkeys(QUANTITIES, noisy)))


def _crash(scene: Scene) -> Planted:
    """Die at the first half of the states of the mass matrix."""

    def wrong(request: Request) -> Answer | Failure:
        found = scene.answer(request)
        if isinstance(found, Failure) or request.quantity != "mass_matrix":
            return found
        lost = tuple(range((len(request) + 1) // 2))
        values = found.values.copy()
        values[list(lost)] = np.nan
        failure = Failure(kind="error", message="the process was killed by signal 11", states=lost)
        return replace(found, values=values, failures=(failure,))

    return Planted(answer=wrong)


FAULTS: tuple[LibraryFault, ...] = (
    LibraryFault(
        name="single-precision",
        cause="single-precision",
        text="inputs and answers are single precision, undeclared",
        shows_on=("mass_matrix", "gravity_vector"),
        plant=_single_precision,
    ),
    LibraryFault(
        name="upper-triangle-only",
        cause="upper-triangle-only",
        text="only the upper triangle of M is filled",
        shows_on=("mass_matrix",),
        plant=_upper_triangle,
    ),
    LibraryFault(
        name="previous-state",
        cause="stale-cache",
        text="M and g are those of the state asked before",
        shows_on=("mass_matrix", "gravity_vector"),
        plant=_previous_state,
    ),
    LibraryFault(
        name="input-overwritten",
        cause="input-overwritten",
        text="inverse dynamics writes into q",
        shows_on=("inverse_dynamics",),
        plant=_input_overwritten,
    ),
    LibraryFault(
        name="nan-at-one-state",
        cause="not-finite",
        text="forward dynamics is NaN at one state",
        shows_on=("forward_dynamics",),
        plant=_nan_at_one_state,
    ),
    LibraryFault(
        name="not-repeatable",
        cause="not-repeatable",
        text="a second call gives other numbers",
        shows_on=tuple(QUANTITIES),
        plant=_not_repeatable,
    ),
    LibraryFault(
        name="crash-at-some-states",
        cause="library-crash",
        text="the process dies at half of the states of M",
        shows_on=("mass_matrix",),
        plant=_crash,
    ),
)
