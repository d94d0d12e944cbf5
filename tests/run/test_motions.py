"""A motion is the same whether the library's process follows it or its stages are asked one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from robodyn_check.faults.fault import reference_answerer
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.motion import STEPS, Place, Springs, motions_of
from robodyn_check.requests import Answer, Failure, Request
from robodyn_check.run.motions import answer_motion
from robodyn_check.sdk.canonical import Canonical, CanonicalJoint
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.moving import move, places_of
from robodyn_check.states import draw_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.model.mechanism import Mechanism

ROBOT = build_mechanism(random_robot(5, group="branched", dofs=4, floating=True, kinds=("revolute",)), base="floating")


def motion(mechanism: Mechanism, count: int = 3) -> Request:
    states = draw_states(mechanism, count=count, seed=2)
    springs = Springs(
        joints=tuple(Place(joint.kind, joint.q, joint.v) for joint in mechanism.joints),
        stiffness=np.full_like(states.v, 0.3),
        damping=np.full_like(states.v, 0.1),
    )
    return Request(quantity="forward_dynamics", q=states.q, v=states.v, tau=np.zeros_like(states.v), motion=springs)


def canonical_of(mechanism: Mechanism) -> Canonical:
    joints = tuple(
        CanonicalJoint(name=joint.name, kind=joint.kind, q=joint.q.start, v=joint.v.start) for joint in mechanism.joints
    )
    return Canonical(joints=joints, links=())


def layout_of(mechanism: Mechanism) -> Layout:
    joints = tuple(
        JointLayout(
            name=joint.name,
            q=tuple(range(joint.q.start, joint.q.stop)),
            v=tuple(range(joint.v.start, joint.v.stop)),
            form="pose" if joint.kind == "floating" else "angle",
        )
        for joint in mechanism.joints
    )
    return Layout(joints=joints, links=(), nq=mechanism.nq, nv=mechanism.nv)


class OneByOne:
    """An adapter that asks the reference at one state; counts, and fails where it is told to."""

    def __init__(self, mechanism: Mechanism, *, fail_at: int = -1) -> None:
        """Count from none."""
        self.answer, self.calls, self.fail_at = reference_answerer(mechanism), 0, fail_at

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        self.calls += 1
        if self.calls == self.fail_at:
            message = "did not converge"
            raise ArithmeticError(message)
        told = self.answer(Request(quantity="forward_dynamics", q=q[None], v=v[None], tau=tau[None]))
        assert isinstance(told, Answer)
        return told.values[0]


def moved(adapter: OneByOne, request: Request) -> Any:
    assert request.motion is not None
    assert request.v is not None
    return move(
        adapter,  # type: ignore[arg-type] # what `move` needs of one
        layout_of(ROBOT),
        canonical_of(ROBOT),
        start=(request.q, request.v),
        stiffness=request.motion.stiffness,
        damping=request.motion.damping,
    )


def test_the_process_and_the_stages_give_the_same_ends():
    request, answer = motion(ROBOT), reference_answerer(ROBOT)
    staged = answer_motion(request, lambda stages: {stage.key: answer(stage) for stage in stages})
    assert isinstance(staged, Answer)
    assert staged.values.shape == (3, len(STEPS), ROBOT.nq + ROBOT.nv + 1)
    assert moved(OneByOne(ROBOT), request).values == pytest.approx(staged.values, rel=1e-9, abs=1e-9)


def test_a_stage_that_fails_costs_its_own_motion():
    told = moved(OneByOne(ROBOT, fail_at=2), motion(ROBOT))
    assert [failure.rows for failure in told.failures] == [(1,)]
    assert np.isnan(told.values[1]).all()
    assert np.isfinite(told.values[[0, 2]]).all()


@pytest.mark.parametrize(
    ("rows", "asked", "motions"),
    [((0, 4), 9, {0, 1}), ((0, 5), 6, {0, 2}), ((2,), 3, {2})],
    ids=["all steps", "two steps", "the finest alone"],
)
def test_rows_of_a_stage_are_counted_from_the_end(rows: tuple[int, ...], asked: int, motions: set[int]):
    assert motions_of(rows, asked, 3) == motions


def test_stages_without_answer_end_the_motion():
    failure = Failure(kind="error", message="crashed")

    def crash(stages: Sequence[Request]) -> Mapping[str, Answer | Failure]:
        return {stage.key: failure for stage in stages}

    assert answer_motion(motion(ROBOT), crash) is failure


def test_places_of_the_wire_are_those_of_the_mechanism():
    assert places_of(canonical_of(ROBOT)) == tuple(Place(joint.kind, joint.q, joint.v) for joint in ROBOT.joints)


def test_springs_are_part_of_the_key():
    one, other = motion(ROBOT), motion(ROBOT)
    assert one.key == other.key
    assert one.motion is not None
    one.motion.damping[0, 0] += 1.0
    assert motion(ROBOT).key == other.key
    changed = Request(quantity="forward_dynamics", q=one.q, v=one.v, tau=one.tau, motion=one.motion)
    assert changed.key != other.key
