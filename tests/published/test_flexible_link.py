"""Published numbers of uniform elastic beams, from the project's issue on flexible joints, section 4.

The roots of clamped-free and pinned-free beams are those of every table (cos μ cosh μ = -1, tan μ = tanh μ).
"""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.flexible.beams import Basis, Beam, exact_wave_numbers, natural_frequencies


def wave_numbers(beam: Beam, count: int, *, basis: Basis = "monomial", clamped: bool = False) -> np.ndarray:
    return np.asarray(np.sqrt(natural_frequencies(beam, count, basis=basis, clamped=clamped) / beam.frequency_unit))


def test_the_exact_roots_of_the_cantilever():
    np.testing.assert_allclose(exact_wave_numbers(3, clamped=True), [1.875104, 4.694091, 7.854757], atol=5e-7)


def test_the_exact_roots_of_the_pinned_beam():
    np.testing.assert_allclose(exact_wave_numbers(3), [3.9266, 7.0686, 10.2102], atol=5e-5)


@pytest.mark.parametrize(
    ("count", "mode", "expected", "within"),
    [(1, 0, 2.1147, 5e-5), (3, 0, 1.875387, 5e-7), (3, 2, 10.87, 5e-3), (8, 2, 7.854762, 5e-7)],
)
def test_the_cantilever_by_polynomials(count: int, mode: int, expected: float, within: float):
    assert wave_numbers(Beam(), count, clamped=True)[mode] == pytest.approx(expected, abs=within)


def test_the_pinned_beam_by_eight_polynomials():
    assert wave_numbers(Beam(), 8)[2] == pytest.approx(10.2132, abs=5e-5)


@pytest.mark.parametrize(("ratio", "expected"), [(0.0, 3.9266), (1000.0, 1.8756)])
def test_a_hub_moves_the_first_root_from_pinned_to_clamped(ratio: float, expected: float):
    assert exact_wave_numbers(1, hub_ratio=ratio)[0] == pytest.approx(expected, abs=5e-5)
    hub = Beam(hub_inertia=ratio * Beam().rigid_inertia)
    assert wave_numbers(hub, 12, basis="jacobi")[0] == pytest.approx(expected, abs=5e-5)


def test_an_infinite_hub_is_a_clamp_and_the_frequency_ratio_is_that_of_the_two_ends():
    assert exact_wave_numbers(1, clamped=True)[0] == pytest.approx(1.8751, abs=5e-5)
    ratio = (exact_wave_numbers(1)[0] / exact_wave_numbers(1, clamped=True)[0]) ** 2
    assert ratio == pytest.approx(4.39, abs=5e-3)
