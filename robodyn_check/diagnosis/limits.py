"""At which states joint limits may act."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request


def beyond_limits(mechanism: Mechanism, request: Request) -> npt.NDArray[np.bool_]:
    """Say at which states of a request a joint stands at or beyond one of its limits, (N,)."""
    beyond = np.zeros(len(request), dtype=bool)
    for joint in mechanism.joints:
        if joint.kind in {"revolute", "prismatic"}:
            q = request.q[:, joint.q.start]
            beyond |= (q <= joint.lower[0]) | (q >= joint.upper[0])
    return beyond
