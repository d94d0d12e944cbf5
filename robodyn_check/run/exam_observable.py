"""Could anybody have seen this fault? Asked only of what was not found, and answered by certified values.

Not observable is a fault under which every answer is the same bit for bit, or under which no true value moves by more
than a few rounding units eps S: a right library in double precision may be further off than that. True values come from
ball arithmetic, at a few states; potential energies are compared as differences between states.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.certify.certificate import Question, recursive
from robodyn_check.certify.exact import midpoints
from robodyn_check.checks.probing import ask
from robodyn_check.faults.fault import batched
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Failure, Request
from robodyn_check.tolerance import bound, factor

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from robodyn_check.faults.fault import Answerer, LibraryFault, Scene
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.exam_class import ExamClass
    from robodyn_check.states import StateBatch

    FloatArray = npt.NDArray[np.float64]

#: States at which true values are compared.
PROVEN = 3
EPS = 2.0**-52
#: Rounding units that a true value may move: what the arithmetic of a fault itself may round, far below any bound.
_UNITS = 4.0


def observable(pupils: ExamClass, fault: LibraryFault, scene: Scene) -> bool:
    """Say whether a fault in a library could be seen at all."""
    planted = fault.plant(scene)
    assert planted is not None, "only what was planted is looked for"
    if not _differs(pupils, planted.answer):
        return False
    if planted.robot is not None:
        return not moves_like(pupils, planted.robot)
    states = _states(pupils)
    certified = _certified(pupils)
    wrong = fault.plant(replace(scene, answer=certified))
    assert wrong is not None, "it could be planted before"
    values: list[dict[str, FloatArray]] = []
    for answer in (certified, wrong.answer):
        said = {name: answer(ask(name, states)) for name in _names(pupils)}
        values.append({name: one.values for name, one in said.items() if isinstance(one, Answer)})
    return not _alike(pupils, *values)


def moves_like(pupils: ExamClass, robot: RobotModel) -> bool:
    """Say whether another robot moves like the one of the exam, as far as doubles can tell."""
    states = _states(pupils)
    names = _names(pupils)
    mine, other = (
        recursive(
            Question(
                robot=one,
                base=pupils.base,
                gravity=pupils.setting.gravity,
                inputs=(states.q, states.v, states.a, states.tau),
            ),
            names,
        )
        for one in (pupils.robot, robot)
    )
    return _alike(pupils, mine, other)


def _names(pupils: ExamClass) -> tuple[str, ...]:
    return tuple(name for name in QUANTITIES if name not in pupils.without)


def _states(pupils: ExamClass) -> StateBatch:
    """Return a few states, spread over those of the exam."""
    states = pupils.setting.states
    rows = _rows(len(states))
    return replace(states, **{name: getattr(states, name)[rows] for name in ("q", "v", "a", "tau")})


def _rows(count: int) -> list[int]:
    return sorted({int(row) for row in np.linspace(0, count - 1, PROVEN)})


def _alike(pupils: ExamClass, mine: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether no value of two answers is apart by more than a rounding unit; values may be balls."""
    if set(mine) != set(other):
        return False
    for name, values in mine.items():
        pair = [values, other[name]]
        if name == "potential_energy":
            pair = [one - one[0] for one in pair]
        if (_gap(*pair) > _UNITS * _unit(pupils, name)).any():
            return False
    return True


def _gap(mine: Any, other: Any) -> FloatArray:
    """Return an upper bound of |a - b|, (N, *shape); of balls that overlap 0, since nothing tells them apart."""
    if mine.dtype != object:
        apart: FloatArray = np.abs(mine - other)
        return apart
    pairs = zip(mine.flat, other.flat, strict=True)
    flat = [0.0 if a.overlaps(b) else float(abs(a - b).upper()) for a, b in pairs]
    return np.array(flat).reshape(mine.shape)


def _unit(pupils: ExamClass, quantity: str) -> FloatArray:
    """Return eps S of a quantity at the few states."""
    states = pupils.setting.states
    given: dict[str, Any] = {}
    if quantity == "forward_dynamics":
        right = pupils.honest(ask(quantity, states))
        assert isinstance(right, Answer), "it is left out where it is not defined"
        given = {"answer": right.values, "tau": states.tau}
    limit = bound(quantity, pupils.setting.scales_of(len(states)), EPS, **given)
    unit: FloatArray = limit[_rows(len(states))] / factor(quantity, dofs=pupils.setting.mechanism.nv)
    return unit


def _certified(pupils: ExamClass) -> Answerer:
    """Return a subject that answers with the doubles nearest to the truth."""

    def answer(request: Request) -> Answer | Failure:
        still = np.zeros((len(request), pupils.setting.mechanism.nv))
        inputs = tuple(still if one is None else one for one in (request.v, request.a, request.tau))
        question = Question(
            robot=pupils.robot,
            base=pupils.base,
            gravity=request.gravity or pupils.setting.gravity,
            inputs=(request.q, *inputs),  # type: ignore[arg-type]
        )
        found = recursive(question, (request.quantity,))
        if request.quantity not in found:
            return Failure(kind="unsupported", message="no certified value")
        return Answer(values=midpoints(found[request.quantity]))

    return answer


def _differs(pupils: ExamClass, wrong: Answerer) -> bool:
    """Say whether a pupil's answers differ from honest ones in any bit, to anything that the checks ask."""
    differences = []

    def compared(request: Request) -> Answer | Failure:
        mine, right = wrong(request), pupils.honest(request)
        if isinstance(mine, Answer) and isinstance(right, Answer):
            same = np.array_equal(mine.values, right.values, equal_nan=True) and not mine.inputs_modified
        else:
            same = type(mine) is type(right)
        differences.append(not same)
        return mine

    pupils.paper(batched(compared))
    return any(differences)
