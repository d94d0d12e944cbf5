"""The reference engine in single precision, as a subject that declares it: are the bounds right for such a library too?

The robot's numbers are rounded to single precision once, and so are the inputs of every question, as a library that
keeps 24 bits does on entry; from there on every operation rounds to single precision.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Failure
from robodyn_check.run.subjects import Declared, Subject
from robodyn_check.run.truth import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request
    from robodyn_check.run.budget import Budget
    from robodyn_check.tolerance.paths import FloatArray

NAME = "reference, single precision"


def single_precision(mechanism: Mechanism, budget: Budget) -> Subject:
    """Return the subject; it gets the states of ``budget``."""
    return Subject(
        declared=Declared(name=NAME, quantities=frozenset(QUANTITIES), precision="single", coriolis="christoffel"),
        answer=partial(_answers, _rounded(mechanism)),
        budget=budget,
    )


def _rounded(mechanism: Mechanism) -> Mechanism:
    """Return the mechanism with every number rounded to single precision."""
    arrays: dict[str, Any] = {
        field.name: getattr(mechanism, field.name).astype(np.float32)
        for field in fields(mechanism)
        if getattr(getattr(mechanism, field.name), "dtype", None) == np.float64
    }
    return replace(mechanism, **arrays)


def _answers(mechanism: Mechanism, requests: Sequence[Request]) -> dict[str, Answer | Failure]:
    """Answer rounded requests."""
    arrays: dict[int, FloatArray] = {}  # one for each input, so that requests at the same states still share them
    rounded = [_rounded_request(request, arrays) for request in requests]
    found = answer(mechanism, rounded)
    return {request.key: _in_doubles(found[asked.key]) for request, asked in zip(requests, rounded, strict=True)}


def _rounded_request(request: Request, arrays: dict[int, FloatArray]) -> Request:
    """Return the request with inputs in single precision."""
    inputs: dict[str, Any] = {
        name: arrays.setdefault(id(array), array.astype(np.float32)) for name, array in request.inputs.items()
    }
    gravity: Any = None if request.gravity is None else tuple(np.float32(part) for part in request.gravity)
    return replace(request, **inputs, gravity=gravity)


def _in_doubles(found: Answer | Failure) -> Answer | Failure:
    """Return the answer as all checks want it."""
    if isinstance(found, Failure):
        return found
    assert found.values.dtype == np.float32, "an operation of the engine left single precision"
    return replace(found, values=found.values.astype(np.float64))
