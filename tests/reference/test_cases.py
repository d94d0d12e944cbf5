"""The public cases: right values by an independent script, against the reference engine."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robodyn_check.errors import EvaluationError, ModelError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
#: The case is that this file is refused; there is no other file that says the same.
REFUSED = {"case_44_mjcf_passed_as_urdf"}
#: expected.json's word -> (quantity, its second and third input there)
WORDS: dict[str, tuple[str, tuple[str | None, ...]]] = {
    "M": ("mass_matrix", ()),
    "g": ("gravity_vector", ()),
    "Cqd": ("coriolis_force", ("qd",)),
    "tau_at_qdd0": ("bias_force", ("qd",)),
    "C_christoffel": ("coriolis_matrix", ("qd",)),
    "qdd": ("forward_dynamics", ("qd", None, "tau")),
}


def expectations() -> list[Any]:
    """Return one parameter per case and word."""
    found = []
    for file in sorted(CASES.glob("*/expected.json")):
        case = json.loads(file.read_text())
        if file.parent.name in REFUSED or "q" not in case:
            continue
        for word in WORDS:
            value = case.get(word, case.get(f"raw_{word}"))
            if value is not None and not (word == "qdd" and "Y" in case):
                found.append(pytest.param(file.parent, case, word, value, id=f"{file.parent.name}-{word}"))
    return found


@cache
def mechanism_of(folder: Path) -> Any:
    """Build the case's model; where it is the case that it is not read, the file that says the same."""
    equivalent = folder / "reference_equivalent.urdf"
    (file,) = [*folder.glob("model.urdf"), *folder.glob("model.xml")]
    try:
        robot = read_model(file)
    except ModelError:
        if not equivalent.exists():
            raise
        robot = read_model(equivalent)
    return build_mechanism(robot)


def inputs_of(case: dict[str, Any], mechanism: Any) -> dict[str, Any]:
    """Return the case's states in canonical order."""
    order = [case["joints"].index(name) for name in mechanism.joint_names]
    return {name: np.array([case[name]])[:, order] for name in ("q", "qd", "tau", "qdd") if case.get(name)}


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
@pytest.mark.parametrize(("folder", "case", "word", "value"), expectations())
def test_reference_equals_the_published_value(folder: Path, case: dict[str, Any], word: str, value: Any) -> None:
    mechanism = mechanism_of(folder)
    given = inputs_of(case, mechanism)
    order = [case["joints"].index(name) for name in mechanism.joint_names]
    expected = np.array(value, dtype=float)[np.ix_(*[order] * np.ndim(value))]
    quantity, names = WORDS[word]
    actual = evaluate(mechanism, quantity, given["q"], *(given.get(name) if name else None for name in names))[0]
    size = np.abs(expected).max()
    if word == "C_christoffel":  # comes from differences there
        bound = 2e-9 + 1e-8 * size
    else:
        weight = np.abs(evaluate(mechanism, "mass_matrix", given["q"])[0]).max()
        terms = {"M": weight, "qdd": size}.get(word, weight * (9.81 + np.abs(given["qd"]).max() ** 2))
        bound = 1e-12 * max(size, terms)
    assert np.abs(actual - expected).max() <= bound


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
def test_reference_regressor_equals_the_published_one() -> None:
    folder = CASES / "case_75_regressor_parameter_order"
    case = json.loads((folder / "expected.json").read_text())
    mechanism = mechanism_of(folder)
    given = inputs_of(case, mechanism)
    Y = evaluate(mechanism, "joint_torque_regressor", given["q"], given["qd"], given["qdd"])[0]
    published = np.array(case["Y"])  # per moving link: m mx my mz xx xy yy xz yz zz
    order = np.array([0, 1, 2, 3, 4, 5, 7, 6, 8, 9])
    for number, name in enumerate(("a", "b")):
        own = Y[:, 10 * mechanism.links.index(name) : 10 * mechanism.links.index(name) + 10]
        assert np.abs(own - published[:, 10 * number : 10 * number + 10][:, order]).max() <= 1e-12 * np.abs(Y).max()


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
def test_reference_equals_the_published_floating_base() -> None:
    folder = CASES / "case_71_floating_quat_and_velocity_frame"
    case = json.loads((folder / "expected.json").read_text())
    mechanism = build_mechanism(read_model(folder / "model.urdf"), base="floating")
    q = np.array([[*case["base_pos"], *case["base_quat_xyzw"], *case["q_joint"]]])
    body = case["body_convention"]
    v = np.array([body["v"]])
    for word, quantity in (("M", "mass_matrix"), ("g", "gravity_vector"), ("bias", "bias_force")):
        expected = np.array(body[word])
        assert np.abs(evaluate(mechanism, quantity, q, v)[0] - expected).max() <= 1e-12 * np.abs(expected).max()


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
def test_reference_equals_the_published_ball() -> None:
    folder = CASES / "case_30_idyntree_spherical_block"
    expected = np.array(json.loads((folder / "expected.json").read_text())["M"])
    M = evaluate(mechanism_of(folder), "mass_matrix", np.array([[0.0, 0.0, 0.0, 1.0]]))[0]
    assert np.abs(M - expected).max() <= 1e-15


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
def test_singular_case_names_the_joint() -> None:
    mechanism = mechanism_of(CASES / "case_23_last_link_zero_inertia_singular_M")
    with pytest.raises(EvaluationError, match="joint 'j2' feels no inertia"):
        evaluate(mechanism, "forward_dynamics", np.array([[0.3, 0.2]]))


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_case_left_out_is_indeed_refused(name: str) -> None:
    with pytest.raises(ModelError):
        mechanism_of(CASES / name)
