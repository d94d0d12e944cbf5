"""The fixed tolerances that people compare numbers with, to be held against the bounds in the same run.

A rule that sees more is worth nothing if it cries for nothing: each is also held against a twin that is right but
rounds otherwise, since it computes the same quantities on another way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.checks.probing import ask
from robodyn_check.requests import Answer, Failure, Request
from robodyn_check.run.truth import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.run.exam_class import ExamClass
    from robodyn_check.run.subjects import Answering

    FloatArray = npt.NDArray[np.float64]

#: On the quantities that people compare; each says whether two answers differ.
RULES: dict[str, Callable[[Any, Any], bool]] = {
    "absolute 1e-6": lambda a, b: bool((np.abs(a - b) > 1e-6).any()),
    "absolute 1e-9": lambda a, b: bool((np.abs(a - b) > 1e-9).any()),
    "allclose(1e-7, 1e-9)": lambda a, b: not np.allclose(a, b, rtol=1e-7, atol=1e-9),
    "elementwise relative 1e-9": lambda a, b: bool((np.abs(a - b) > 1e-9 * np.abs(b)).any()),
}
RULED = ("mass_matrix", "coriolis_matrix", "gravity_vector", "bias_force", "forward_dynamics")
_NO_GRAVITY = (0.0, 0.0, 0.0)


def broken_by(pupils: ExamClass, answering: Answering) -> frozenset[str]:
    """Return the rules by which a subject's answers differ from the right ones."""
    requests = [ask(quantity, pupils.setting.states) for quantity in RULED if quantity not in pupils.without]
    found = answering(requests)
    differing = set()
    for request in requests:
        mine, right = found[request.key], pupils.honest(request)
        if isinstance(mine, Answer) and isinstance(right, Answer):
            differing |= {name for name, rule in RULES.items() if rule(mine.values, right.values)}
    return frozenset(differing)


def rounding_twin(pupils: ExamClass) -> Answering:
    """Return a subject that is right and rounds otherwise.

    M comes column by column from inverse dynamics at unit accelerations, g and h from inverse dynamics, and forward
    dynamics from solving with that M. C has no second way here and is left as it is.
    """
    mechanism = pupils.setting.mechanism

    def one(request: Request) -> Answer | Failure:
        if request.quantity == "mass_matrix":
            return _answered(_mass_matrix(mechanism, request.q))
        if request.quantity in {"gravity_vector", "bias_force"}:
            v = np.zeros((len(request), mechanism.nv)) if request.v is None else request.v
            return _answered(_inverse(mechanism, request, v, np.zeros_like(v)))
        if request.quantity == "forward_dynamics" and request.v is not None and request.tau is not None:
            still = np.zeros_like(request.v)
            left = request.tau - _inverse(mechanism, request, request.v, still)
            try:
                return _answered(np.linalg.solve(_mass_matrix(mechanism, request.q), left[..., None])[..., 0])
            except np.linalg.LinAlgError:
                return pupils.honest(request)
        return pupils.honest(request)

    def all_of(requests: Sequence[Request]) -> Mapping[str, Answer | Failure]:
        return {request.key: one(request) for request in requests}

    return all_of


def _answered(values: npt.NDArray[np.floating[Any]]) -> Answer:
    return Answer(values=np.ascontiguousarray(values, dtype=np.float64))


def _inverse(mechanism: Mechanism, request: Request, v: FloatArray, a: FloatArray) -> FloatArray:
    asked = replace(request, quantity="inverse_dynamics", v=v, a=a, tau=None)
    found = answer(mechanism, [asked])[asked.key]
    assert isinstance(found, Answer), "inverse dynamics is defined at every state"
    return found.values


def _mass_matrix(mechanism: Mechanism, q: FloatArray) -> FloatArray:
    """Return M by inverse dynamics at unit accelerations without gravity, (N, nv, nv)."""
    count, nv = len(q), mechanism.nv
    states = np.repeat(q, nv, axis=0)
    request = Request(quantity="inverse_dynamics", q=states, gravity=_NO_GRAVITY)
    columns = _inverse(mechanism, request, np.zeros((len(states), nv)), np.tile(np.eye(nv), (count, 1)))
    return columns.reshape(count, nv, nv).transpose(0, 2, 1)
