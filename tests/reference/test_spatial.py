"""6×6 inertias, cross products and the parallel-axis rule."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.reference.spatial import (
    force_matrix,
    from_spatial_inertia,
    motion_matrix,
    parallel_axis,
    skew,
    spatial_inertia,
)

COM = np.array([0.1, -0.4, 0.3])
INERTIA = np.array([[0.5, 0.02, -0.03], [0.02, 0.6, 0.01], [-0.03, 0.01, 0.4]])


def test_inertia_comes_back_from_its_matrix() -> None:
    mass, com, inertia = from_spatial_inertia(spatial_inertia(2.0, COM, INERTIA))
    assert mass == 2.0
    np.testing.assert_allclose(com, COM, rtol=1e-15)
    np.testing.assert_allclose(inertia, INERTIA, rtol=1e-14)


def test_massless_inertia_has_its_centre_at_the_origin() -> None:
    _, com, inertia = from_spatial_inertia(spatial_inertia(0.0, COM, INERTIA))
    np.testing.assert_array_equal(com, np.zeros(3))
    np.testing.assert_array_equal(inertia, INERTIA)


def test_half_twist_inertia_twist_is_the_kinetic_energy() -> None:
    v, w = np.array([0.3, 0.1, -0.7]), np.array([1.1, -0.2, 0.5])
    V = np.concatenate([v, w])
    speed = v + np.cross(w, COM)
    energy = (2.0 * speed @ speed + w @ INERTIA @ w) / 2
    assert V @ spatial_inertia(2.0, COM, INERTIA) @ V / 2 == pytest.approx(energy, rel=1e-14)


def test_parallel_axis_of_a_point_is_steiner() -> None:
    # Goldstein (2002), equation 5.22: m (|c|² 1 - c cᵀ)
    np.testing.assert_allclose(parallel_axis(2.0, np.array([0, 0, 0.5]), np.zeros((3, 3))), np.diag([0.5, 0.5, 0]))


def test_power_is_unchanged_by_carrying_motion_and_force_along() -> None:
    V, S, F = (np.random.default_rng(k).normal(size=6) for k in range(3))
    assert (motion_matrix(V) @ S) @ F + S @ (force_matrix(V) @ F) == pytest.approx(0, abs=1e-13)
    np.testing.assert_allclose(motion_matrix(V) @ V, np.zeros(6), atol=1e-15)


def test_skew_is_the_cross_product() -> None:
    np.testing.assert_array_equal(skew(COM) @ INERTIA[0], np.cross(COM, INERTIA[0]))
