"""Requests that checks share. Equal questions get equal keys, so each is asked of a subject once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Request

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.states import StateBatch

    FloatArray = npt.NDArray[np.float64]
    Gravity = tuple[float, float, float]


class NotHere(Exception):
    """A check does not apply to this robot; the text says why. For helpers of probes, which cannot return it."""


def ask(
    quantity: str,
    states: StateBatch,
    *,
    q: FloatArray | None = None,
    v: FloatArray | None = None,
    a: FloatArray | None = None,
    tau: FloatArray | None = None,
    gravity: Gravity | None = None,
) -> Request:
    """Return the request for a quantity at states, some of their inputs replaced.

    Only the inputs that the quantity takes are sent along.
    """
    if q is None and v is None and a is None and tau is None:
        return _plain(quantity, states, gravity)
    wanted = QUANTITIES[quantity].inputs
    return Request(
        quantity=quantity,
        gravity=gravity,
        q=states.q if q is None else q,
        v=(states.v if v is None else v) if "v" in wanted else None,
        a=(states.a if a is None else a) if "a" in wanted else None,
        tau=(states.tau if tau is None else tau) if "tau" in wanted else None,
    )


@lru_cache(maxsize=512)
def _plain(quantity: str, states: StateBatch, gravity: Gravity | None) -> Request:
    """Return the request at the states as they are: one object, whose key is made once."""
    wanted = QUANTITIES[quantity].inputs
    return Request(
        quantity=quantity,
        gravity=gravity,
        q=states.q,
        v=states.v if "v" in wanted else None,
        a=states.a if "a" in wanted else None,
        tau=states.tau if "tau" in wanted else None,
    )


def base_requests(context: ProbeContext | JudgeContext) -> tuple[Request, ...]:
    """Return the requests that every run makes: each quantity at the run's states, unchanged."""
    return tuple(ask(quantity, context.states) for quantity in QUANTITIES)


def base_keys(context: ProbeContext | JudgeContext) -> frozenset[str]:
    """Return the keys of the base requests, at all states and at the few that derivatives use."""
    return _keys(context.states, context.few)


@lru_cache(maxsize=64)
def _keys(states: StateBatch, few: StateBatch) -> frozenset[str]:
    return frozenset(ask(quantity, batch).key for batch in (states, few) for quantity in QUANTITIES)
