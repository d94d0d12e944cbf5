"""The right values of the small models, by the reference, and that every model is in the table."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.faults.in_models import MODEL_FAULTS, SMALL_MODELS, SmallModel
from robodyn_check.harness.mjcf_compiler import run_compiler
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate_rows


@pytest.mark.parametrize("small", SMALL_MODELS, ids=lambda small: small.name)
def test_the_mass_matrix_is_the_closed_form(small: SmallModel):
    if small.suffix == ".xml":
        pytest.importorskip("mujoco", reason="MuJoCo compiles what it reads")
    mechanism = build_mechanism(read_model(small.path, compile_mjcf=run_compiler), base="fixed")
    q = np.zeros((1, mechanism.nq))
    q[0, [joint.q.stop - 1 for joint in mechanism.joints if joint.kind == "floating"]] = 1.0  # w of a quaternion
    values, _ = evaluate_rows(mechanism, ("mass_matrix",), q=q)
    np.testing.assert_allclose(values["mass_matrix"][0], small.mass_matrix, rtol=1e-14, atol=1e-14)


def test_a_turned_root_inertia_counts_when_the_base_floats():
    (small,) = (one for one in SMALL_MODELS if one.name == "rotated_root_inertial")
    mechanism = build_mechanism(read_model(small.path), base="floating")
    q = np.array([[0.0, 0, 0, 0, 0, 0, 1, 0]])
    values, _ = evaluate_rows(mechanism, ("mass_matrix",), q=q)
    np.testing.assert_allclose(values["mass_matrix"][0, 5, 5], 0.31, rtol=1e-14)


def test_every_fault_is_about_a_model_of_the_table():
    assert {fault.model for fault in MODEL_FAULTS} == {small.name for small in SMALL_MODELS}
