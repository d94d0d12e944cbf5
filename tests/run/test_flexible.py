"""The run of ``flex`` without libraries, and the judgement of its simulations on subjects that are wrong."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.errors import UsageError
from robodyn_check.model.read import read_model
from robodyn_check.report.json_format import dumps
from robodyn_check.requests import Answer
from robodyn_check.run.elastic_subjects import reference_answer, with_springs
from robodyn_check.run.flexible import run_flexible
from robodyn_check.run.flexible_judgement import (
    judge_rigid_limit,
    judge_same_motion,
    judge_simulation,
    judge_turned_base,
)
from robodyn_check.run.flexible_model import FlexibleModel, read_flexible
from robodyn_check.run.flexible_simulation import Plan, Simulated, plan, rigid_limit, simulate
from robodyn_check.run.truth import answer as rigid_answer
from robodyn_check.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.model.elastic import Springs
    from robodyn_check.report.flexible_results import FlexibleReport
    from robodyn_check.requests import Failure, Request

MODELS = Path(__file__).parents[2] / "models"
MODEL = MODELS / "planar_2r" / "model.urdf"
JOINTS = "[default]\nstiffness = 1e3\ndamping = 0.4\nmotor_inertia = 0.2\n"
POSES = np.array([[0.4, -0.9]])


@pytest.fixture(scope="module")
def joint_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("joints") / "arm.joints.toml"
    path.write_text(JOINTS)
    return path


@pytest.fixture(scope="module")
def model(joint_file: Path) -> FlexibleModel:
    return read_flexible(MODEL, joint_file)


@pytest.fixture(scope="module")
def planned(model: FlexibleModel) -> Plan:
    return plan(model.elastic, POSES)


@pytest.fixture(scope="module")
def truth(model: FlexibleModel, planned: Plan) -> Simulated:
    found = simulate(model.elastic, planned, partial(reference_answer, model.elastic))
    assert isinstance(found, Simulated)
    return found


@pytest.fixture(scope="module")
def report(joint_file: Path) -> FlexibleReport:
    return run_flexible(Settings(models=(str(MODEL),), lib=(), samples=20), joint_file, poses=2)


def double(model: FlexibleModel, springs: Springs, planned: Plan) -> Simulated | str:
    rigid = with_springs(springs, partial(rigid_answer, model.elastic.double))
    return simulate(model.elastic, planned, rigid)


def test_the_reference_passes_everything(report: FlexibleReport):
    results = report.report.models[0].results
    assert {result.code for result in results} == {"RD801", "RD802", "RD803", "RD804", "RD810", "RD811", "RD813"}
    assert {result.verdict for result in results} == {"pass"}
    assert report.report.exit_code == 0


def test_poses_start_at_zero_and_have_all_frequencies(report: FlexibleReport):
    assert report.poses[0].name == "zero"
    assert len(report.poses) == 2
    for pose in report.poses:
        assert len(pose.elastic) == len(pose.locked) == len(pose.elastic_with_gravity) == 2
        assert all(0 < ratio < 1 for ratio in pose.damping_ratios)
    assert [drive.relative_degree_link for drive in report.drives] == [3, 3]
    assert {(curve.joint, curve.output) for curve in report.curves} == {
        (drive.joint, output) for drive in report.drives for output in ("motor", "link")
    }


def test_the_command_shows_how_to_run_it_again(report: FlexibleReport, joint_file: Path):
    assert report.report.command.startswith(f"robodyn-check flex {MODEL} --joints {joint_file}")


def test_it_is_written_as_json(report: FlexibleReport):
    assert '"schema_version": "1.0"' in dumps(report)


def test_the_double_ends_where_the_elastic_model_does(model: FlexibleModel, planned: Plan, truth: Simulated):
    found = double(model, model.elastic.springs, planned)
    assert {result.verdict for result in judge_simulation("library", found)} == {"pass"}
    same = judge_same_motion(model.elastic, planned, "library", found, truth)
    assert same.verdict == "pass"
    assert same.bound is not None
    assert 0.0 < same.bound < 1e-11


def test_a_spring_a_part_in_1e4_too_stiff_is_found(model: FlexibleModel, planned: Plan, truth: Simulated):
    springs = model.elastic.springs
    wrong = double(model, dataclasses.replace(springs, stiffness=springs.stiffness * 1.0001), planned)
    feedforward, _ = judge_simulation("library", wrong)
    assert feedforward.verdict == "fail"
    assert "the model is off, not the steps" in (feedforward.message or "")
    same = judge_same_motion(model.elastic, planned, "library", wrong, truth)
    assert same.verdict == "fail"
    assert "away from the reference" in (same.message or "")


def test_a_damper_that_the_energy_does_not_know_is_found(model: FlexibleModel, planned: Plan):
    springs = model.elastic.springs
    wrong = double(model, dataclasses.replace(springs, damping=springs.damping * 1.01), planned)
    assert judge_simulation("library", wrong)[1].verdict == "fail"


def test_a_subject_that_stops_answering_is_skipped_with_its_words(model: FlexibleModel, planned: Plan):
    def silent(requests: Sequence[Request]) -> Mapping[str, Answer | Failure]:
        nothing = np.full_like(requests[0].q, np.nan)
        return {request.key: Answer(values=nothing) for request in requests}

    found = simulate(model.elastic, planned, silent)
    assert [result.verdict for result in judge_simulation("library", found)] == ["skip", "skip"]
    assert "not finite" in (judge_simulation("library", found)[0].message or "")


def test_the_rigid_limit_is_one_over_k(model: FlexibleModel):
    stiffer = (1.0, 4.0, 16.0)
    differences = rigid_limit(model.elastic, POSES, stiffer)
    assert judge_rigid_limit(stiffer, differences).verdict == "pass"
    wrong = judge_rigid_limit(stiffer, [value + 1e-3 * differences[0] for value in differences])
    assert wrong.verdict == "fail"
    assert "not like 1/K" in (wrong.message or "")


def test_frequencies_of_two_loads_are_compared():
    squared, bound = np.array([[1e4, 4e4]]), np.array([[1e-8]])
    assert judge_turned_base("library", squared, squared + 1e-9, bound).verdict == "pass"
    moved = judge_turned_base("library", squared, squared + np.array([[0.0, 1.0]]), bound)
    assert moved.verdict == "fail"
    assert "mode 2 has 200 rad/s, and 200.0025 rad/s" in (moved.message or "")
    assert judge_turned_base("library", squared, "refused", bound).verdict == "skip"


def test_a_model_without_joint_data_is_told_what_to_write():
    with pytest.raises(UsageError, match=r"no model\.joints\.toml beside the model, and no --joints FILE"):
        read_flexible(MODEL, None)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*/*.joints.toml")), ids=lambda path: path.parent.name)
def test_joint_data_beside_a_bundled_model_is_found_and_read(path: Path):
    assert read_flexible(path.with_name("model.urdf"), None).elastic.springs.n > 0


def test_a_payload_is_noted(tmp_path: Path):
    path = tmp_path / "arm.joints.toml"
    path.write_text(f"{JOINTS}[payload]\nlink = '{read_model(MODEL).links[-1].name}'\nmass = 1.5\n")
    found = read_flexible(MODEL, path)
    assert any("payload of 1.5 kg" in note for note in found.notes)


SPRUNG = """<mujoco><worldbody><body name="arm"><inertial pos="0 0 -0.3" mass="1" diaginertia="0.1 0.1 0.1"/>
<joint name="hinge" axis="0 1 0" stiffness="700" damping="0.4" springref="0.2"/></body></worldbody></mujoco>"""


def test_a_joint_spring_of_the_model_joins_motor_and_link_where_the_data_has_a_rotor_only(tmp_path: Path):
    model, joints = tmp_path / "arm.xml", tmp_path / "arm.joints.toml"
    model.write_text(SPRUNG)
    joints.write_text("[joints.hinge]\nmotor_inertia = 0.2\n")
    found = read_flexible(model, None)
    springs = found.elastic.springs
    assert (springs.stiffness[0], springs.damping[0]) == (700.0, 0.4)
    assert any("springs of hinge are the model's own joint stiffness" in note for note in found.notes)
    joints.write_text("[joints.hinge]\nmotor_inertia = 0.2\nstiffness = 900\n")
    own = read_flexible(model, None)
    assert own.elastic.springs.stiffness[0] == 900.0
    assert any("springs to the world of hinge in the model are left out" in note for note in own.notes)
