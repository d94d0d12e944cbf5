"""Robotics Toolbox, Modern Robotics, RBDL and biorbd against the public cases' right values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import robodyn_check
from robodyn_check.errors import AdapterUnsupported
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.describe import describe
from robodyn_check.harness.discovery import find_adapters, installed_version
from robodyn_check.harness.session import LibrarySession, Loaded
from robodyn_check.harness.spec import parse_spec
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate_rows
from robodyn_check.requests import Failure, Request
from robodyn_check.sdk.adapter import Source
from tests.adapters.library_runs import run
from tests.adapters.test_libraries import compare, read_case

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[[str], LibrarySession]

ROOT = Path(__file__).parents[2]
LIBRARIES = ("modern-robotics", "biorbd", "rbdl:canonical", "robotics-toolbox:canonical")
CASES = (
    "case_04_mimic_dropped",
    "case_05_continuous_joint_nq2",
    "case_09_rtb_skew_axis",
    "case_10_rtb_trailing_fixed_link_mass",
    "case_12_rtb_branching_order",
    "case_26_u2c_offdiagonal_inertia",
    "case_64_urdf_damping_friction",
    "case_78_rbdl_fixed_body_ignored",
    "case_81_products_of_inertia_sign",
    "case_84_q0_is_not_universe",
)


@pytest.fixture(scope="module")
def open_library() -> Any:
    """Return a function that gives a library's session, started once."""
    adapters, sessions = find_adapters(), {}

    def opened(spec: str) -> LibrarySession:
        name = parse_spec(spec).name
        if installed_version(adapters[name]) is None:
            pytest.skip(f"{name} is not installed")
        if spec not in sessions:
            sessions[spec] = LibrarySession.start(parse_spec(spec), adapters=adapters)
        return sessions[spec]

    yield opened
    for session in sessions.values():
        session.close()


def load(session: LibrarySession, path: Path, base: Any = "fixed") -> tuple[Loaded, Any]:
    robot = read_model(path)
    mechanism = build_mechanism(robot, base=base)
    source = Source(
        path=path,
        format="urdf",
        base=base,
        gravity=(0.0, 0.0, -9.81),
        joints=mechanism.joint_names,
        links=mechanism.links,
        root_link=robot.root_links()[0],
        mechanism=describe(robot, mechanism),
    )
    return session.load(source, canonical_of(mechanism)), mechanism


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", CASES)
def test_a_public_case_is_computed_right(open_library: Open, library: str, case: str):
    path, expected = read_case(case)
    session = open_library(library)
    if case == "case_12_rtb_branching_order" and library == "modern-robotics":
        with pytest.raises(AdapterUnsupported, match="serial chains only"):
            load(session, path)
        return
    load(session, path)
    if library.startswith("robotics-toolbox"):
        expected = {key: value for key, value in expected.items() if key != "C_christoffel"}  # coriolis() raises
        if len(expected["q"]) == 1:
            expected = {
                key: value for key, value in expected.items() if key != "qdd"
            }  # and so does accel() of one joint
    compare(session, expected)


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_readback_weighs_what_the_file_says(open_library: Open, library: str):
    loaded, mechanism = load(open_library(library), ROOT / "models" / "schunk_lwa4d" / "model.urdf")
    assert loaded.readback is not None
    moving = {joint.name for joint in mechanism.joints}
    held = sum(body.mass for body in loaded.readback.bodies if body.joint in moving)
    assert held == pytest.approx(mechanism.mass.sum(), rel=1e-14)


@pytest.mark.parametrize("model", ["hanging_arm.urdf", "hanging_arm_welded_sides.urdf", "elbow_first.urdf"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_robot_held_is_the_file_s(library: str, model: str):
    found = run(library, model)
    assert found.unknown == set()
    assert found.held_otherwise == set()


@pytest.mark.parametrize("library", ["rbdl", "rbdl:canonical", "biorbd"])
def test_a_free_body_floats_in_the_library_s_own_convention(open_library: Open, library: str):
    session = open_library(library)
    _, mechanism = load(session, ROOT / "models" / "free_body" / "model.urdf", base="floating")
    rng = np.random.default_rng(2)
    q = rng.normal(size=(3, mechanism.nq))
    q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
    v, a = rng.normal(size=(2, 3, mechanism.nv))
    asked = {
        "mass_matrix": {"q": q},
        "link_poses": {"q": q},
        "link_jacobians": {"q": q},
        "gravity_vector": {"q": q},
        "bias_force": {"q": q, "v": v},
        "inverse_dynamics": {"q": q, "v": v, "a": a},
        "kinetic_energy": {"q": q, "v": v},
    }
    assert asked.keys() - session.info.quantities <= {"link_jacobians"}
    for quantity in asked.keys() & session.info.quantities:
        given = asked[quantity]
        request = Request(quantity=quantity, **given)
        answer = session.ask([request])[request.key]
        assert not isinstance(answer, Failure), answer.message
        right = evaluate_rows(mechanism, (quantity,), **given)[0][quantity]
        np.testing.assert_allclose(answer.values, right, rtol=0, atol=1e-12 * max(1.0, np.abs(right).max()))


BALLS = """<mujoco><worldbody>
  <body name="upper"><joint name="shoulder" type="ball"/>
    <inertial pos="0.1 0 -0.5" mass="2" fullinertia="0.2 0.3 0.25 0.01 0.02 0.03"/>
    <body name="middle" pos="0 0 -1"><joint name="elbow" axis="0 1 0"/>
      <inertial pos="0 0.1 -0.5" mass="1" diaginertia="0.1 0.2 0.15"/>
      <body name="lower" pos="0 0 -1"><joint name="wrist" type="ball"/>
        <inertial pos="0 0 -0.2" mass="1" diaginertia="0.1 0.2 0.15"/>
      </body>
    </body>
  </body>
</worldbody></mujoco>"""


def test_biorbd_turns_balls_above_and_below_a_hinge(tmp_path: Path):
    if installed_version(find_adapters()["biorbd"]) is None:
        pytest.skip("biorbd is not installed")
    path = tmp_path / "balls.xml"
    path.write_text(BALLS, encoding="utf-8")
    report = robodyn_check.check(path, libraries=["biorbd"], samples=4, certify=0, ignore=("RD505", "RD506", "RD508"))
    results = [one for one in report.models[0].results if one.subject == "biorbd"]
    assert [one.message for one in results if one.verdict in {"fail", "error"}] == []
    assert {"RD250", "RD350", "RD453", "RD454", "RD650", "RD750"} <= {
        one.code for one in results if one.verdict == "pass"
    }
