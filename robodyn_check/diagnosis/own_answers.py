"""A library's own answers as the parameter of a change, at the states that it was asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from robodyn_check.diagnosis.evidence import Sample
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.requests import Request


def own_answer(sample: Sample, request: Request) -> FloatArray | None:
    """Return what the library said to a request for the first states of a sample; None to any other request."""
    count = len(request)
    asked = sample.request.inputs
    if count > len(sample.got) or asked.keys() != request.inputs.keys():
        return None
    same = all(np.array_equal(asked[name][:count], values) for name, values in request.inputs.items())
    return sample.got[:count] if same else None
