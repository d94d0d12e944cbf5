"""Motions of a subject that cannot follow them by itself: its forward dynamics are asked stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.motion import follow, motions_of
from robodyn_check.requests import Answer, Failure, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    Answering = Callable[[Sequence[Request]], Mapping[str, Answer | Failure]]


class _NoAnswer(Exception):
    """A stage without any answer ends the motion; carries the failure."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def answer_motion(request: Request, answering: Answering) -> Answer | Failure:
    """Return the ends of the motions that a request names, from answers to single questions.

    Args:
        request: With ``motion``.
        answering: Answers plain requests, by key.
    """
    assert request.motion is not None, "a plain request needs no motion"
    assert request.v is not None, "a motion begins with a velocity"
    count = len(request)
    lost: dict[tuple[str, str], set[int]] = {}

    def accelerate(q: FloatArray, v: FloatArray, tau: FloatArray) -> FloatArray:
        stage = Request(quantity="forward_dynamics", q=q, v=v, tau=tau, gravity=request.gravity)
        answer = answering((stage,))[stage.key]
        if isinstance(answer, Failure):
            raise _NoAnswer(answer)
        for failure in answer.failures:
            rows = lost.setdefault((failure.kind, failure.message), set())
            rows.update(motions_of(failure.states, len(q), count))
        return answer.values

    try:
        ends = follow(request.motion, request.q, request.v, accelerate)
    except _NoAnswer as error:
        return error.failure
    for rows in lost.values():
        ends[sorted(rows)] = np.nan
    failures = tuple(
        Failure(kind=kind, message=message, states=tuple(sorted(rows))) for (kind, message), rows in lost.items()
    )
    return Answer(values=ends, failures=failures)
