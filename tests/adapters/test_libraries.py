"""Pinocchio, MuJoCo and Drake against the public cases' right values, each through its own process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from lxml import etree

from robodyn_check.errors import AdapterRefused, AdapterUnsupported
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.discovery import find_adapters, installed_version
from robodyn_check.harness.mjcf_compiler import run_compiler
from robodyn_check.harness.session import LibrarySession, Loaded
from robodyn_check.harness.spec import parse_spec
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate
from robodyn_check.requests import Answer, Failure, Request
from robodyn_check.run.sources import source_for
from robodyn_check.sdk.adapter import Source
from robodyn_check.sdk.canonical import Canonical, CanonicalLink, line_up
from robodyn_check.states import draw_states

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[[str], LibrarySession]

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
LIBRARIES = ("pinocchio", "mujoco", "drake")
URDF_CASES = {
    "case_01_mujoco_urdf_inertial_rpy_lost": (),
    "case_04_mimic_dropped": (),
    "case_05_continuous_joint_nq2": (),
    "case_09_rtb_skew_axis": (),
    "case_10_rtb_trailing_fixed_link_mass": (),
    "case_12_rtb_branching_order": (),
    "case_13_pybullet_inertia_from_collision": (),
    "case_26_u2c_offdiagonal_inertia": (),
    "case_45_package_mesh_missing": (),
    "case_64_urdf_damping_friction": (),
    "case_78_rbdl_fixed_body_ignored": (),
    "case_81_products_of_inertia_sign": (),
    "case_90_massless_intermediate_links": ("mujoco",),  # these refuse it
}
MJCF_CASES = {
    "case_52_mjcf_default_degrees": (),
    "case_53_mjcf_euler_default_intrinsic": (),
    "case_57_armature_diag_offset": ("drake",),  # these compute something else: a real difference of the library
    "case_60_mjcf_gravity_option": (),
    "case_62_mjcf_inertiafromgeom_true": (),
    "case_63_mjcf_gravcomp_and_passive": (),
}
#: key of expected.json -> quantity and the inputs it takes there
QUANTITIES = {
    "M": ("mass_matrix", ()),
    "g": ("gravity_vector", ()),
    "Cqd": ("coriolis_force", ("v",)),
    "tau_at_qdd0": ("bias_force", ("v",)),
    "C_christoffel": ("coriolis_matrix", ("v",)),
    "qdd": ("forward_dynamics", ("v", "tau")),
}


@pytest.fixture(scope="session")
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


def read_case(case: str, file: str = "model.urdf") -> tuple[Path, dict[str, Any]]:
    """Return a case's model and its right values, or skip."""
    if not (CASES / case).is_dir():
        pytest.skip("the public cases are not here")
    return CASES / case / file, json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))


def load(
    session: LibrarySession, path: Path, base: str = "fixed", gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
) -> tuple[Loaded, Canonical]:
    """Load a file whose joints and links are read by a few lines of XML (tree order of the file)."""
    root: Any = etree.parse(path).getroot()
    if root.tag == "robot":
        joints = [(one.get("name"), one.get("type")) for one in root.findall("joint") if one.get("type") != "fixed"]
        links = [one.get("name") for one in root.findall("link")]
        children = {one.find("child").get("link") for one in root.findall("joint")}
        joints = [("floating_base", "floating"), *joints] if base == "floating" else joints
        top = next(name for name in links if name not in children)
    else:
        kinds = {"hinge": "revolute", "slide": "prismatic", "free": "floating"}
        elements = list(root.find("worldbody").iter("joint", "freejoint"))
        joints = [
            (one.get("name"), "floating" if one.tag == "freejoint" else kinds[one.get("type", "hinge")])
            for one in elements
        ]
        links, top = [one.get("name") for one in root.find("worldbody").iter("body")], None
    canonical = line_up(tuple(joints), tuple(CanonicalLink(name=name, joint=None) for name in links))
    source = Source(
        path=path,
        format="urdf" if root.tag == "robot" else "mjcf",
        base="floating" if base == "floating" else "fixed",
        gravity=gravity,
        joints=tuple(name for name, _ in joints),
        links=tuple(links),
        root_link=top,
        free_joints=tuple(name for name, kind in joints if kind == "floating"),
    )
    return session.load(source, canonical), canonical


def value(session: LibrarySession, quantity: str, **inputs: Any) -> Any:
    """Return one quantity's values; None where it is not offered."""
    request = Request(quantity=quantity, **inputs)
    answer = session.ask([request])[request.key]
    if isinstance(answer, Failure):
        assert answer.kind == "not_offered", answer.message
        return None
    assert isinstance(answer, Answer)
    assert not answer.failures
    assert answer.inputs_modified == ()
    return answer.values


def compare(session: LibrarySession, expected: dict[str, Any]) -> None:
    """Compare every quantity of an expected.json that the library offers."""
    states = {"q": [expected["q"]], "v": [expected["qd"]], "tau": [expected.get("tau", expected["qd"])]}
    given = {name: np.array(row, dtype=float) for name, row in states.items()}
    compared = 0
    for key, (quantity, inputs) in QUANTITIES.items():
        if expected.get(key) is None:
            continue
        got = value(session, quantity, q=given["q"], **{name: given[name] for name in inputs})
        if got is None:
            continue
        right = np.array(expected[key], dtype=float)
        scale = np.abs(right).max() + np.abs(np.array(expected["M"])).max()
        # expected.json is written with 13 digits; its C comes from differences
        bound = 2e-9 + 1e-8 * scale if key == "C_christoffel" else 1e-11 * max(scale, 10.0)
        np.testing.assert_allclose(got[0], right, rtol=0, atol=bound, err_msg=quantity)
        compared += 1
    assert compared >= 4


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", URDF_CASES)
def test_a_urdf_case_is_computed_right(open_library: Open, library: str, case: str):
    path, expected = read_case(case)
    session = open_library(library)
    if library in URDF_CASES[case]:
        with pytest.raises(AdapterRefused, match="must be larger than mjMINVAL"):
            load(session, path)
        return
    load(session, path)
    compare(session, expected)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", MJCF_CASES)
def test_an_mjcf_case_is_computed_right(open_library: Open, library: str, case: str):
    path, expected = read_case(case, "model.xml")
    session = open_library(library)
    gravity: Any = etree.parse(path).getroot().find("option[@gravity]")
    x, y, z = map(float, gravity.get("gravity").split()) if gravity is not None else (0.0, 0.0, -9.81)
    load(session, path, gravity=(x, y, z))
    if library in MJCF_CASES[case]:
        with pytest.raises(AssertionError, match="mass_matrix"):
            compare(session, expected)
        return
    compare(session, expected)


@pytest.mark.parametrize("file", ["model.urdf", "model_b.xml"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_floating_base_is_the_same_in_all_conventions(open_library: Open, library: str, file: str):
    path, expected = read_case("case_71_floating_quat_and_velocity_frame", file)
    session = open_library(library)
    load(session, path, base="floating")
    body = expected["body_convention"]
    q = np.array([[*expected["base_pos"], *expected["base_quat_xyzw"], *expected["q_joint"]]])
    v, M, g, h = (np.array([body[key]]) for key in ("v", "M", "g", "bias"))
    close = 1e-10
    got = value(session, "mass_matrix", q=q)
    assert got is not None
    np.testing.assert_allclose(got, M, rtol=0, atol=close)
    np.testing.assert_allclose(value(session, "gravity_vector", q=q), g, rtol=0, atol=close)
    bias, coriolis = value(session, "bias_force", q=q, v=v), value(session, "coriolis_force", q=q, v=v)
    assert bias is not None or coriolis is not None
    if bias is not None:
        np.testing.assert_allclose(bias, h, rtol=0, atol=close)
    if coriolis is not None:
        np.testing.assert_allclose(coriolis, h - g, rtol=0, atol=close)
    a = np.arange(1.0, 8.0)[None] / 3
    tau = np.einsum("nij,nj->ni", M, a) + h
    np.testing.assert_allclose(value(session, "inverse_dynamics", q=q, v=v, a=a), tau, rtol=0, atol=close)
    np.testing.assert_allclose(value(session, "forward_dynamics", q=q, v=v, tau=tau), a, rtol=0, atol=1e-7)
    kinetic = np.einsum("ni,nij,nj->n", v, M, v) / 2
    np.testing.assert_allclose(value(session, "kinetic_energy", q=q, v=v), kinetic, rtol=0, atol=close)
    J = value(session, "link_jacobians", q=q)
    assert J is not None
    np.testing.assert_allclose(J[0, 0, 3:, 3:6], J[0, 0, :3, :3], atol=1e-14)  # both are the base's rotation


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_readback_shows_what_the_file_says(open_library: Open, library: str):
    path, _ = read_case("case_64_urdf_damping_friction")
    loaded, _ = load(open_library(library), path)
    robot: Any = etree.parse(path).getroot()
    assert loaded.readback is not None
    held = {joint.name: joint for joint in loaded.readback.joints}
    for joint in robot.iter("joint"):
        dynamics = joint.find("dynamics")
        if dynamics is not None:
            assert held[joint.get("name")].damping == (float(dynamics.get("damping")),)
            if library != "drake":  # Drake holds no friction and says so in a warning
                assert held[joint.get("name")].friction == (float(dynamics.get("friction")),)
    if library == "drake":
        assert any("friction" in warning for warning in loaded.readback.warnings)
    total = sum(float(mass.get("value")) for mass in robot.iter("mass"))
    assert loaded.readback.total_mass == pytest.approx(total, rel=1e-15)
    assert sum(body.mass for body in loaded.readback.bodies) == pytest.approx(total, rel=1e-15)
    assert loaded.readback.gravity == (0.0, 0.0, -9.81)


def test_drake_s_replaced_inertia_shows_in_its_warnings_and_readback(open_library: Open):
    path, _ = read_case("case_16_triangle_inequality_violated")
    loaded, _ = load(open_library("drake"), path)
    assert loaded.readback is not None
    assert any("triangle inequality" in warning for warning in loaded.readback.warnings)


@pytest.mark.parametrize("library", ["mujoco", "drake"])
def test_a_root_link_named_world_does_not_float(open_library: Open, library: str):
    path = Path(__file__).parents[2] / "models" / "schunk_lwa4d" / "model.urdf"
    with pytest.raises(AdapterUnsupported, match="own world body, which does not float"):
        load(open_library(library), path, base="floating")


def test_damping_acts_in_the_profiles_of_a_first_time_user(open_library: Open):
    path, expected = read_case("case_64_urdf_damping_friction")
    q, v, tau = (np.array([expected[key]], dtype=float) for key in ("q", "qd", "tau"))
    for library in ("mujoco", "drake"):
        faithful, naive = open_library(library), open_library(f"{library}:default")
        load(faithful, path)
        load(naive, path)
        right, damped = (value(session, "forward_dynamics", q=q, v=v, tau=tau) for session in (faithful, naive))
        assert right is not None
        assert damped is not None
        assert np.abs(right - damped).max() > 1e-3


def test_axes_of_planar_joints_are_respected(open_library: Open):
    path = CASES / "case_29_drake_planar_axis" / "model.urdf"
    if not path.is_file():
        pytest.skip("the public cases are not here")
    for library in ("mujoco", "drake"):
        session = open_library(library)
        load(session, path)
        g = value(session, "gravity_vector", q=np.array([[0.1, 0.2, 0.3]]))
        # z is turned to y by a quarter about -x: the plane's second axis is world -z, where 2 kg weigh -19.62
        np.testing.assert_allclose(g, [[0.0, -19.62, 0.0]], atol=1e-13)


def test_pinocchio_s_regressor_times_its_parameters_is_its_inverse_dynamics(open_library: Open):
    path, _ = read_case("case_12_rtb_branching_order")
    session = open_library("pinocchio")
    loaded, canonical = load(session, path)
    assert loaded.readback is not None
    assert loaded.layout.regressor is not None
    joints = [joint.name for joint in canonical.joints]
    # links merged: one link at each joint's frame stands for its whole body
    links = tuple(CanonicalLink(name=name, joint=name) for name in joints)
    renamed = session._conventions
    assert renamed is not None
    renamed.canonical = Canonical(joints=canonical.joints, links=links)
    rng = np.random.default_rng(3)
    q, v, a = rng.normal(size=(3, 4, len(joints)))
    Y = value(session, "joint_torque_regressor", q=q, v=v, a=a)
    assert Y is not None
    held = {body.joint: body for body in loaded.readback.bodies}
    parameters = []
    for name in joints:
        body = held[name]
        c, about_com = np.array(body.com), np.array(body.inertia)
        about_origin = about_com + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
        parameters += [body.mass, *(body.mass * c), *about_origin[np.triu_indices(3)]]
    np.testing.assert_allclose(Y @ parameters, value(session, "inverse_dynamics", q=q, v=v, a=a), atol=1e-11)


INERTIAL = '<inertial pos="0.1 0.02 0.3" mass="1" fullinertia="1 1.1 1.2 0.01 0.02 0.03"/>'
UNNAMED = f"""<mujoco model="m"><worldbody>
  <body name="a" quat="0.6 0.8 0 0"><joint axis="0 0 1" pos="0.1 0 0"/>{INERTIAL}
    <body name="b" pos="0.3 0 0"><joint axis="0 1 0" type="slide"/>{INERTIAL}
      <body name="welded" pos="0 0.2 0" euler="10 20 30">{INERTIAL}</body></body>
    <body name="c" pos="0 1 0"><joint name="x" type="ball"/>{INERTIAL}</body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", ["urdf", "mjcf"])
def test_bodies_held_add_up_to_those_of_the_file(open_library: Open, library: str, kind: str, tmp_path: Path):
    """Masses and first moments in joint frames; in the MJCF, joints without a name and a ball joint."""
    if kind == "urdf":
        path, _ = read_case("case_78_rbdl_fixed_body_ignored")
        robot = read_model(path)
    else:
        path = tmp_path / "unnamed.xml"
        path.write_text(UNNAMED, encoding="utf-8")
        open_library("mujoco")  # or skip: reading needs its compiler
        robot = read_model(path, compile_mjcf=run_compiler)
    mechanism = build_mechanism(robot)
    session = open_library(library)
    loaded = session.load(source_for(robot, mechanism, session.adapter, tmp_path)[0], canonical_of(mechanism))
    assert loaded.readback is not None
    for body in range(mechanism.nb):
        name = mechanism.joints[mechanism.body_joint[body]].name
        mine = [one for one in loaded.readback.bodies if one.joint == name]
        assert sum(one.mass for one in mine) == pytest.approx(mechanism.mass[body], rel=1e-12)
        moment = sum(one.mass * (np.array(one.rotation) @ one.com + one.translation) for one in mine)
        np.testing.assert_allclose(moment, mechanism.first_moment[:, body], rtol=0, atol=1e-12)
    states = draw_states(mechanism, count=4, seed=2)
    M = value(session, "mass_matrix", q=states.q)
    np.testing.assert_allclose(M, evaluate(mechanism, "mass_matrix", states.q), rtol=0, atol=1e-11)
