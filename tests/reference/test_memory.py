"""NumPy's buffers: small inside, as the caller had them outside, and without influence on the numbers."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference import engine, memory
from robodyn_check.reference.memory import small_buffers
from tests.reference.random_models import mechanism_of, random_states


def test_the_caller_s_buffers_come_back_even_after_an_error() -> None:
    before = np.getbufsize()

    def fail_inside() -> None:
        with small_buffers():
            assert np.getbufsize() < before
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        fail_inside()
    assert np.getbufsize() == before


def test_an_evaluation_leaves_the_caller_s_buffers_alone() -> None:
    before = np.getbufsize()
    mechanism = mechanism_of(2)
    engine.evaluate_many(mechanism, tuple(QUANTITIES), **random_states(mechanism, 3))
    assert np.getbufsize() == before


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_no_number_depends_on_the_buffers(quantity: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = mechanism_of(5, ("planar", "ball"))
    states = random_states(mechanism, 300)
    small = engine.evaluate(mechanism, quantity, **states)
    monkeypatch.setattr(memory, "_BUFFER", np.getbufsize())
    np.testing.assert_array_equal(engine.evaluate(mechanism, quantity, **states), small)
