"""The lint's small algebra, held against NumPy and the rotations of the mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_check.model.lint_numbers import EPS, eigenvalues, printed_step, rotation_matrix, symmetric
from robodyn_check.model.placements import Reader, float_number
from robodyn_check.model.robot import Number, Rotation, RotationKind

entries = st.floats(-1, 1, allow_subnormal=False)


@settings(derandomize=True, max_examples=300, deadline=None, database=None)
@given(st.tuples(entries, entries, entries, entries, entries, entries), st.integers(-200, 200))
def test_eigenvalues_are_those_of_numpy_at_any_scale(parts: tuple[float, ...], power: int) -> None:
    xx, xy, xz, yy, yz, zz = (part * 10.0**power for part in parts)
    matrix = symmetric(xx, xy, xz, yy, yz, zz)
    expected = np.linalg.eigvalsh(np.array(symmetric(*parts))) * 10.0**power
    bound = 16 * EPS * float(np.abs(matrix).max())
    assert eigenvalues(matrix) == pytest.approx(expected, rel=0, abs=bound or 1e-300)


def test_a_rank_one_tensor_has_two_moments_of_rounding_only() -> None:
    low, middle, high = eigenvalues(symmetric(1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6))
    assert abs(low) <= 8 * EPS * high
    assert abs(middle) <= 8 * EPS * high
    assert high == pytest.approx(3e-6)


def number(value: float, *, degrees: bool = False) -> Number:
    return Number(text=repr(value), value=value, degrees=degrees)


@pytest.mark.parametrize(
    ("kind", "values", "sequence", "degrees"),
    [
        ("rpy", (0.3, -0.7, 2.1), "", False),
        ("quaternion", (0.2, -0.4, 0.1, 0.9), "", False),
        ("axis_angle", (1.0, 2.0, -0.5, 0.8), "", False),
        ("euler", (10.0, 20.0, 30.0), "xyz", True),
        ("euler", (0.1, 0.2, 0.3), "ZYx", False),
        ("xyaxes", (1.0, 1.0, 0.0, 0.0, 2.0, 0.3), "", False),
        ("zaxis", (0.3, -0.2, 0.5), "", False),
        ("zaxis", (0.0, 0.0, -2.0), "", False),
    ],
)
def test_every_spelling_of_a_rotation_is_the_one_of_the_mechanism(
    kind: RotationKind, values: tuple[float, ...], sequence: str, *, degrees: bool
) -> None:
    written = Rotation(kind=kind, numbers=tuple(number(value, degrees=degrees) for value in values), sequence=sequence)
    assert np.array(rotation_matrix(written)) == pytest.approx(Reader(float_number).rotation(written), abs=1e-14)


@pytest.mark.parametrize(
    ("text", "step"), [("0.01", 0.01), ("1", 0.0), ("0", 0.0), ("1.50e-3", 1e-5), ("2e-4", 1e-4), (".5", 0.1)]
)
def test_the_last_written_digit_is_known(text: str, step: float) -> None:
    assert printed_step(Number(text=text, value=float(text))) == pytest.approx(step)
