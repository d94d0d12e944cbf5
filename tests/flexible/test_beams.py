"""Elastic links: Rayleigh-Ritz against the exact frequency equation."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.errors import EvaluationError
from robodyn_check.flexible.beams import (
    Beam,
    beam_matrices,
    exact_wave_numbers,
    mass_condition,
    natural_frequencies,
    shape_values,
)

UNIT = Beam()


def wave_numbers(beam: Beam, count: int, *, basis: str = "jacobi", clamped: bool = False):
    return np.sqrt(natural_frequencies(beam, count, basis=basis, clamped=clamped) / beam.frequency_unit)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [1, 3, 8])
def test_both_bases_span_the_same_space(count: int):
    half = (count + 1) // 2  # the monomials lose their digits from the top mode down
    monomial = wave_numbers(UNIT, count, basis="monomial", clamped=True)
    np.testing.assert_allclose(wave_numbers(UNIT, count, clamped=True)[:half], monomial[:half], rtol=1e-7)
    np.testing.assert_allclose(wave_numbers(UNIT, count, clamped=True)[0], monomial[0], rtol=1e-12)


@pytest.mark.parametrize("clamped", [True, False], ids=["clamped", "free hub"])
@pytest.mark.parametrize("hub", [0.0, 0.2, 50.0])
@pytest.mark.parametrize("tip", [0.0, 1.5])
def test_frequencies_bound_from_above_and_never_rise(clamped: bool, hub: float, tip: float):  # noqa: FBT001 - a parameter of the table
    beam = Beam(length=0.7, linear_density=1.3, bending_stiffness=20.0, hub_inertia=hub, tip_mass=tip)
    exact = exact_wave_numbers(
        3,
        hub_ratio=hub / beam.rigid_inertia,
        tip_ratio=tip / (beam.linear_density * beam.length),
        clamped=clamped,
    )
    previous = np.full(3, np.inf)
    for count in range(3, 15):
        current = wave_numbers(beam, count, clamped=clamped)[:3]
        assert (current >= exact * (1 - 1e-12)).all()
        assert (current <= previous * (1 + 1e-12)).all()
        previous = current
    np.testing.assert_allclose(previous, exact, rtol=1e-10)


def test_the_jacobi_basis_stays_orthonormal_where_monomials_are_lost():
    assert mass_condition(20, "jacobi") < 1.0 + 1e-9
    assert mass_condition(8, "monomial") > 1e12
    np.testing.assert_allclose(
        wave_numbers(UNIT, 20, clamped=True)[:5], exact_wave_numbers(5, clamped=True), rtol=1e-11
    )


def test_a_dependent_basis_is_refused_with_the_way_out():
    with pytest.raises(EvaluationError, match="use basis 'jacobi'"):
        natural_frequencies(UNIT, 25, basis="monomial")


def test_shape_derivatives_are_those_of_the_shapes():
    points, step = np.linspace(0.1, 0.9, 5), 1e-6
    low, high = shape_values("jacobi", 6, points - step), shape_values("jacobi", 6, points + step)
    _, slope, curvature = shape_values("jacobi", 6, points)
    np.testing.assert_allclose((high[0] - low[0]) / (2 * step), slope, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose((high[1] - low[1]) / (2 * step), curvature, rtol=1e-6, atol=1e-5)


def test_the_rigid_row_is_that_of_the_straight_beam():
    beam = Beam(length=2.0, linear_density=3.0, hub_inertia=0.5, tip_mass=0.25)
    mass = beam_matrices(beam, 4).mass
    assert mass[0, 0] == pytest.approx(0.5 + 3.0 * 8.0 / 3.0 + 0.25 * 4.0, rel=1e-15)
    # the shape ξ² alone: ∫ρA x φ = ρA L²/4, plus the tip's m L
    monomial = beam_matrices(beam, 1, basis="monomial").mass
    assert monomial[0, 1] == pytest.approx(3.0 * 4.0 / 4.0 + 0.25 * 2.0, rel=1e-15)


def test_turning_stiffens_the_flapping_part_by_more_than_it_softens():
    still, turning = beam_matrices(UNIT, 8), beam_matrices(UNIT, 8, hub_speed=0.1)
    softened = still.stiffness[1:, 1:] - 0.01 * still.mass[1:, 1:]
    stiffened = turning.stiffness[1:, 1:]
    assert (np.linalg.eigvalsh(stiffened - softened) > 0).all()
    # Southwell: in the plane of rotation the first mode of a clamped beam gains about 0.193 Ω² (from memory)
    first = np.linalg.eigvalsh(stiffened)[0]  # the basis makes the mass matrix of the unit beam the identity
    assert (first - exact_wave_numbers(1, clamped=True)[0] ** 4) / 0.01 == pytest.approx(0.193, abs=0.0005)
