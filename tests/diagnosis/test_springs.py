"""Springs, weight that is held up and damping of an MJCF, counted by a library, are named with the file's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.diagnosis.causes import UNEXPLAINED
from robodyn_check.diagnosis.diagnose import diagnose
from robodyn_check.faults.fault import Scene, reference_answerer, tampered, values_of
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states, subset
from robodyn_check.tolerance import scales
from tests.checks.conftest import Bench
from tests.diagnosis.exam import evidence_of

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.report.results import Cause
    from robodyn_check.requests import Request

MODEL = """<mujoco model="m"><compiler angle="radian"/><worldbody>
<body name="a" gravcomp="0.5"><joint name="j" axis="0 1 0" damping="3" stiffness="2" springref="0.25"/>
<inertial pos="0.2 0 0" mass="1" diaginertia="0.015 0.02 0.025"/>
<body name="b" pos="0.3 0 0"><joint name="k" axis="0 1 0"/>
<inertial pos="0.1 0 0.1" mass="2" diaginertia="0.01 0.02 0.02"/></body></body></worldbody></mujoco>"""
ASKED = ("link_poses", "mass_matrix", "gravity_vector", "inverse_dynamics", "forward_dynamics", "potential_energy")


def bench(folder: Path) -> Bench:
    path = folder / "model.xml"
    path.write_text(MODEL, encoding="utf-8")
    robot = read_model(path)
    mechanism = build_mechanism(robot)
    states = draw_states(mechanism, count=12, seed=3)
    few = subset(states, 5)
    whole, part = (scales(mechanism, one, evaluate(mechanism, "mass_matrix", one.q)) for one in (states, few))
    scene = Scene(robot=robot, mechanism=mechanism, answer=reference_answerer(mechanism), seed=3)
    return Bench(scene=scene, states=states, few=few, scales=whole, few_scales=part)


def named(place: Bench, *, stiffness: float) -> Cause:
    """Diagnose a library that counts all of it, with the weight of body a by hand: m γ x along the joint's axis."""
    answer = place.scene.answer

    def force(request: Request) -> FloatArray:
        assert request.v is not None, "asked with a velocity"
        held_up = 0.5 * 1.0 * 9.81 * 0.2 * np.cos(request.q[:, 0])
        pushing = np.zeros_like(request.q)
        pushing[:, 0] = 3.0 * request.v[:, 0] + stiffness * (request.q[:, 0] - 0.25) + held_up
        return pushing

    def slower(request: Request, values: FloatArray) -> FloatArray:
        mass = np.asarray(values_of(answer, request, quantity="mass_matrix"), dtype=np.float64)
        change = np.linalg.solve(mass, force(request)[..., None])[..., 0]
        return np.asarray(values - change, dtype=np.float64)

    wrong = tampered(
        answer,
        {
            "inverse_dynamics": lambda request, values: values + force(request),
            "forward_dynamics": slower,
            "potential_energy": lambda request, values: values + 0.5 * stiffness * (request.q[:, 0] - 0.25) ** 2,
        },
    )
    found = diagnose(evidence_of(place, wrong, quantities=ASKED), library="planted", version="1")
    assert found is not None
    return found.general


def test_what_the_file_states_beside_the_rigid_body_part_is_named_with_its_lines(tmp_path: Path) -> None:
    cause = named(bench(tmp_path), stiffness=2.0)
    assert cause.name == "passive-forces-in-inverse-dynamics"
    assert any(
        "gravcomp 0.5 of 'a' (line 2), stiffness 2 of 'j' (line 2), springref 0.25 of 'j' (line 2)" in line
        for line in cause.evidence
    )


@pytest.mark.parametrize("stiffness", [2.0 + 1e-9, 4.0])
def test_another_spring_than_the_files_is_not_named_so(tmp_path: Path, stiffness: float) -> None:
    assert named(bench(tmp_path), stiffness=stiffness).name == UNEXPLAINED
