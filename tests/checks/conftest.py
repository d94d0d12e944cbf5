"""Robots of all joint kinds, with their truth: what the checks are tried on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

import pytest

from robodyn_check.checks.context import JudgeContext, SubjectView
from robodyn_check.checks.registry import Check, load
from robodyn_check.faults.fault import Scene, reference_answerer
from robodyn_check.faults.random_models import random_robot, written
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference.engine import evaluate
from robodyn_check.requests import Answer, Answers, Failure
from robodyn_check.run.motions import answer_motion
from robodyn_check.run.subjects import MOST_ROUNDS
from robodyn_check.states import draw_states, subset
from robodyn_check.tolerance import Scales, scales

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.faults.fault import Answerer
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Result
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch

STATES, FEW, SEED = 12, 5, 3


@dataclass(frozen=True, kw_only=True)
class Robot:
    """One robot of the tests: how to draw it, and on which base."""

    draw: Callable[[], RobotModel]
    base: Literal["fixed", "floating"] = "fixed"


def _sliding_root() -> RobotModel:
    """Return a robot whose root joint slides along an oblique axis, with branches and welded links."""
    robot = random_robot(3, group="branched", dofs=6, armature=True)
    first = next(number for number, joint in enumerate(robot.joints) if joint.kind != "fixed")
    joints = list(robot.joints)
    joints[first] = replace(joints[first], kind="prismatic", parent=robot.links[0].name)
    return replace(robot, joints=tuple(joints))


def _vertical_root() -> RobotModel:
    """Return a robot whose root joint turns about the vertical, with armature and a mimic joint."""
    robot = random_robot(2, group="plain", dofs=5, armature=True, mimic=True)
    first = next(number for number, joint in enumerate(robot.joints) if joint.kind != "fixed")
    joints = list(robot.joints)
    placement = replace(joints[first].placements[0], rotation=None)
    axis = (written(0.0), written(0.0), written(1.0))
    joints[first] = replace(
        joints[first], kind="revolute", parent=robot.links[0].name, placements=(placement,), axis=axis
    )
    return replace(robot, joints=tuple(joints))


ROBOTS: dict[str, Robot] = {
    "vertical_root": Robot(draw=_vertical_root),
    "sliding_root": Robot(draw=_sliding_root),
    "floating": Robot(draw=lambda: random_robot(7, group="branched", dofs=4, floating=True), base="floating"),
    "ball_and_planar": Robot(
        draw=lambda: random_robot(4, dofs=8, kinds=("ball", "planar"), armature=True, source_format="mjcf")
    ),
    "free_joint_inside": Robot(draw=lambda: random_robot(5, dofs=9, kinds=("floating",), source_format="mjcf")),
    "deep": Robot(draw=lambda: random_robot(1, group="deep", dofs=16)),
}


def answered(request: Request, answer: Answerer) -> Answer | Failure:
    """Answer a request; a motion by its stages."""
    if request.motion is None:
        return answer(request)
    return answer_motion(request, lambda stages: {stage.key: answer(stage) for stage in stages})


@dataclass(frozen=True, kw_only=True, eq=False)
class Bench:
    """A robot with its right subject, states and scales; judges any subject alone and against the reference."""

    scene: Scene
    states: StateBatch
    few: StateBatch
    scales: Scales
    few_scales: Scales

    def view(self, answers: Answers, *, name: str, coriolis: str) -> SubjectView:
        """Return a subject that offers everything in double precision."""
        return SubjectView(
            name=name, quantities=frozenset(QUANTITIES), eps=2.0**-52, coriolis=coriolis, answers=answers
        )

    def gather(self, checks: tuple[Check, ...], answer: Answerer, *, name: str, coriolis: str) -> SubjectView:
        """Ask a subject what the checks want, round by round, until nobody asks on."""
        answers = Answers()
        for _ in range(MOST_ROUNDS):
            context = self.context(self.view(answers, name=name, coriolis=coriolis))
            wanted = {request.key: request for check in checks for request in check.probes(context)}
            new = {key: request for key, request in wanted.items() if answers.by_key(key) is None}
            if not new:
                break
            answers = answers.merged({key: answered(request, answer) for key, request in new.items()})
        return self.view(answers, name=name, coriolis=coriolis)

    def context(self, subject: SubjectView) -> JudgeContext:
        """Return what checks see of a subject."""
        return JudgeContext(
            mechanism=self.scene.mechanism,
            gravity=self.gravity,
            states=self.states,
            few=self.few,
            subject=subject,
            seed=SEED,
            scales=self.scales,
            few_scales=self.few_scales,
        )

    def with_mechanism(self, mechanism: Mechanism) -> Bench:
        """Return a bench of another mechanism, with states of its own."""
        return _on(replace(self.scene, mechanism=mechanism, answer=reference_answerer(mechanism)))

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Gravity of the robot."""
        x, y, z = (float(component) for component in self.scene.mechanism.gravity)
        return x, y, z

    def judge(
        self, answer: Answerer, *, coriolis: str = "christoffel", name: str = "library", checks: tuple[Check, ...] = ()
    ) -> list[Result]:
        """Judge a subject by all checks, alone and against the reference."""
        checks = checks or load()
        subject = self.gather(checks, answer, name=name, coriolis=coriolis)
        agreement = tuple(check for check in checks if check.is_agreement)
        truth = self.gather(agreement, self.scene.answer, name="reference", coriolis="christoffel")
        context = self.context(subject)
        pair = replace(context, against=truth)
        return [result for check in checks for result in check.judge(pair if check.is_agreement else context)]


@cache
def bench(name: str) -> Bench:
    """Return the bench of one robot; the same one for all tests."""
    chosen = ROBOTS[name]
    robot = chosen.draw()
    mechanism = build_mechanism(robot, base=chosen.base)
    scene = Scene(robot=robot, mechanism=mechanism, answer=reference_answerer(mechanism), seed=SEED, base=chosen.base)
    return _on(scene)


def _on(scene: Scene) -> Bench:
    """Draw states for a scene, and compute their scales."""
    states = draw_states(scene.mechanism, count=STATES, seed=SEED)
    few = subset(states, FEW)
    whole, part = (
        scales(scene.mechanism, batch, evaluate(scene.mechanism, "mass_matrix", batch.q)) for batch in (states, few)
    )
    return Bench(scene=scene, states=states, few=few, scales=whole, few_scales=part)


@pytest.fixture(params=list(ROBOTS))
def any_bench(request: pytest.FixtureRequest) -> Bench:
    """Return the bench of each robot in turn."""
    return bench(request.param)


@pytest.fixture
def benches() -> dict[str, Bench]:
    """Return all benches by name."""
    return {name: bench(name) for name in ROBOTS}


@pytest.fixture
def build_bench() -> Callable[[str], Bench]:
    """Return the function that gives the bench of a robot by name."""
    return bench
