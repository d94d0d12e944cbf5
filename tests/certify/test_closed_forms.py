"""The closed forms of the bundled models are those that the reference computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_check.certify.closed_forms import CLOSED_FORMS
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states

MODELS = Path(__file__).parents[2] / "models"


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_the_reference_equals_the_closed_form(name: str):
    closed = CLOSED_FORMS[name]
    mechanism = build_mechanism(read_model(MODELS / name / "model.urdf"), base=closed.base)
    states = draw_states(mechanism, count=20, seed=3)
    for quantity, expected in closed.form(states.q, states.v).items():
        got = evaluate(mechanism, quantity, states.q, states.v)
        size = np.abs(expected).max(initial=1.0)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-14 * size, err_msg=quantity)
