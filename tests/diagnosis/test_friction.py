"""Dry friction that a library counts in its own way is named where it stays within what the file states."""

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

LINK = (
    '<link name="{}"><inertial><origin xyz="0.1 0.02 0.2"/><mass value="1.5"/>'
    '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.025"/></inertial></link>'
)
JOINT = (
    '<joint name="{}" type="continuous"><origin xyz="0 0 0.3"/><parent link="{}"/><child link="{}"/>'
    '<axis xyz="{}"/><dynamics damping="0.7" friction="{}"/></joint>'
)
MODEL = (
    '<robot name="r"><link name="base"/>'
    + LINK.format("a")
    + LINK.format("b")
    + JOINT.format("j", "base", "a", "0 1 0", "0.5")
    + JOINT.format("k", "a", "b", "1 0 0", "0.25")
    + "</robot>"
)
FRICTION = np.array([0.5, 0.25])
ASKED = ("link_poses", "mass_matrix", "gravity_vector", "coriolis_force", "inverse_dynamics", "forward_dynamics")


def named(folder: Path, *, share: float, only: str = "") -> Cause:
    """Diagnose a library whose friction is smooth in the speed and goes up to a share of what the file states."""
    path = folder / "model.urdf"
    path.write_text(MODEL, encoding="utf-8")
    robot = read_model(path)
    mechanism = build_mechanism(robot)
    states = draw_states(mechanism, count=12, seed=3)
    few = subset(states, 5)
    whole, part = (scales(mechanism, one, evaluate(mechanism, "mass_matrix", one.q)) for one in (states, few))
    answer = reference_answerer(mechanism)
    scene = Scene(robot=robot, mechanism=mechanism, answer=answer, seed=3)

    def force(request: Request) -> FloatArray:
        assert request.v is not None, "asked with a velocity"
        return np.asarray(0.7 * request.v + share * FRICTION * np.tanh(20 * request.v), dtype=np.float64)

    def slower(request: Request, values: FloatArray) -> FloatArray:
        mass = np.asarray(values_of(answer, request, quantity="mass_matrix"), dtype=np.float64)
        return np.asarray(values - np.linalg.solve(mass, force(request)[..., None])[..., 0], dtype=np.float64)

    tampers = {"inverse_dynamics": lambda request, values: values + force(request), "forward_dynamics": slower}
    wrong = tampered(answer, {name: tamper for name, tamper in tampers.items() if only in {"", name}})
    place = Bench(scene=scene, states=states, few=few, scales=whole, few_scales=part)
    found = diagnose(evidence_of(place, wrong, quantities=ASKED), library="planted", version="1")
    assert found is not None
    return found.general


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_friction_within_the_files_is_named_with_its_numbers(tmp_path: Path, share: float) -> None:
    cause = named(tmp_path, share=share)
    assert cause.name == "passive-forces-in-inverse-dynamics"
    assert any("stays within the dry friction that it states: j 0.5, k 0.25" in line for line in cause.evidence)


def test_in_forward_dynamics_alone_it_has_the_other_name(tmp_path: Path) -> None:
    cause = named(tmp_path, share=1.0, only="forward_dynamics")
    assert cause.name == "passive-forces-in-forward-dynamics"


def test_more_friction_than_the_file_states_is_not_explained_by_it(tmp_path: Path) -> None:
    assert named(tmp_path, share=1.01).name == UNEXPLAINED
