"""What a planted fault in a library is: a wrapper around any subject's answers, with the right verdict on it.

A fault knows how to plant itself into a scene (a robot and a subject that answers rightly) and says what a good checker
must report: on which quantities it shows, what it is called, and which link or joint it sits on. Tests and the exam use
the same faults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from robodyn_check.reference.engine import evaluate_rows
from robodyn_check.requests import Answer, Failure, Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel

    FloatArray = npt.NDArray[np.float64]

Answerer = Callable[[Request], Answer | Failure]
#: From a request and the right values, (N, *shape), to the wrong ones.
Tamper = Callable[[Request, Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """Where a fault is planted: the robot, and a subject that answers rightly."""

    robot: RobotModel
    mechanism: Mechanism
    answer: Answerer
    seed: int
    base: Literal["fixed", "floating"] = "fixed"

    def pick(self, options: Sequence[str]) -> str | None:
        """Return one of the options by the seed; None when there is none."""
        return options[self.seed % len(options)] if options else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Planted:
    """A subject with the fault in it. ``element`` is the link or joint that holds it; None: all of the robot.

    ``robot``: what a loader read instead of the file, where the fault is one of reading.
    """

    answer: Answerer
    element: str | None = None
    robot: RobotModel | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryFault:
    """One fault with its right answer.

    ``shows_on``: quantities of which at least one must be found wrong. ``cause``: what a diagnosis must call it.
    ``plant`` returns None where the robot has nothing that the fault could touch.
    """

    name: str
    cause: str
    text: str
    shows_on: tuple[str, ...]
    plant: Callable[[Scene], Planted | None]


def reference_answerer(mechanism: Mechanism) -> Answerer:
    """Return a subject that answers with the reference engine on this mechanism."""

    def answer(request: Request) -> Answer | Failure:
        values, singular = evaluate_rows(mechanism, (request.quantity,), **request.inputs, gravity=request.gravity)
        rows = tuple(singular) if request.quantity == "forward_dynamics" else ()
        lost = (Failure(kind="unsupported", message="the mass matrix is singular", states=rows),) if rows else ()
        return Answer(values=np.ascontiguousarray(values[request.quantity]), failures=lost)

    return answer


def remembering(answer: Answerer, memory: dict[str, Answer | Failure], *, learn: bool) -> Answerer:
    """Return the same subject with a memory of what it was asked before; without ``learn`` nothing is added to it."""

    def recalled(request: Request) -> Answer | Failure:
        known = memory.get(request.key)
        if known is not None:
            return known
        found = answer(request)
        if learn:
            memory[request.key] = found
        return found

    return recalled


def tampered(answer: Answerer, tampers: Mapping[str, Tamper]) -> Answerer:
    """Return a subject whose answers to the named quantities are changed."""

    def wrong(request: Request) -> Answer | Failure:
        right = answer(request)
        tamper = tampers.get(request.quantity)
        if tamper is None or isinstance(right, Failure):
            return right
        return replace(right, values=np.asarray(tamper(request, right.values.copy()), dtype=float))

    return wrong


def asked_otherwise(answer: Answerer, change: Callable[[Request], Request]) -> Answerer:
    """Return a subject that hears another question than the one it is asked."""
    return lambda request: answer(change(request))


def values_of(answer: Answerer, request: Request, **other: Any) -> FloatArray:
    """Return the right values of a request with some of its fields replaced (``quantity``, ``v`` ...).

    Inputs that the new quantity takes and the request lacks are zero.
    """
    asked = replace(request, **other)
    still = np.zeros_like(asked.v) if asked.v is not None else None
    if asked.quantity in {"inverse_dynamics", "joint_torque_regressor"} and asked.a is None:
        asked = replace(asked, a=still)
    found = answer(asked)
    if isinstance(found, Failure):
        raise TypeError(found.message)
    return found.values


def batched(answer: Answerer) -> Callable[[Sequence[Request]], Mapping[str, Answer | Failure]]:
    """Return the same subject, asked many requests at once."""
    return lambda requests: {request.key: answer(request) for request in requests}
