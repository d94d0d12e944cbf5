"""The paper arm: uniform rods of 20 and 15 g, 10 and 8 cm, from the project's issue on the manipulator equation."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.flexible.integrate import runge_kutta
from robodyn_check.reference.christoffel import centrifugal_matrix, christoffel_symbols, coriolis_products
from robodyn_check.reference.engine import evaluate, evaluate_many
from tests.published.arms import GRAM_SQUARE_CENTIMETRE, LENGTHS, LOAD, MASSES, at, paper_arm, rod, sliding_arm
from tests.reference.robots import chain

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism


def mass_matrix(arm: Mechanism, degrees: float) -> np.ndarray:
    """M at one elbow angle, g·cm²."""
    found: np.ndarray = evaluate(arm, "mass_matrix", np.array([[0.4, np.radians(degrees)]]))[0]
    return found / GRAM_SQUARE_CENTIMETRE


def torques(arm: Mechanism, quantity: str, q: tuple[float, float], *rest: tuple[float, float]) -> np.ndarray:
    """A force at one state, mN·m; q in degrees."""
    found: np.ndarray = evaluate(arm, quantity, np.radians([q]), *(np.array([x], dtype=float) for x in rest))[0]
    return 1e3 * found


@pytest.mark.parametrize(
    ("degrees", "published"),
    [(60, [[3086.67, 620], [620, 320]]), (0, [[3687, 920], [920, 320]])],
)
def test_the_mass_matrix_is_the_published_one(degrees: float, published: list[list[float]]):
    assert mass_matrix(paper_arm(), degrees) == pytest.approx(np.array(published), abs=0.5)


def test_the_coupling_changes_its_sign_at_122_degrees():
    assert mass_matrix(paper_arm(), 122)[0, 1] > 0 > mass_matrix(paper_arm(), 123)[0, 1]


@pytest.mark.parametrize("degrees", [0, 45, 90, 122, 180])
def test_the_determinant_is_the_published_formula(degrees: float):
    expected = 693333 + 1 / 3 - 360000 * np.cos(np.radians(degrees)) ** 2
    assert np.linalg.det(mass_matrix(paper_arm(), degrees)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("degrees", "published"), [(0, 19886.7), (150, 2719.2)])
def test_the_inertia_with_a_load_is_the_published_one(degrees: float, published: float):
    assert mass_matrix(paper_arm(load=LOAD), degrees)[0, 0] == pytest.approx(published, abs=0.05)


def test_the_whole_mass_matrix_with_a_load_is_the_published_one():
    published = np.array([[19887, 8120], [8120, 3520]])
    assert mass_matrix(paper_arm(load=LOAD), 0) == pytest.approx(published, abs=0.5)


@pytest.mark.parametrize(("degrees", "published"), [(0, 19640), (150, 2472.6)])
def test_links_as_points_lose_the_rods_own_inertia(degrees: float, published: float):
    points = mass_matrix(paper_arm(load=LOAD, as_points=True), degrees)[0, 0]
    assert points == pytest.approx(published, abs=0.05)
    whole = mass_matrix(paper_arm(load=LOAD), degrees)[0, 0]
    assert whole - points == pytest.approx(246.7, abs=0.05)


def symbols(degrees: float) -> np.ndarray:
    """Γ_ijk, (2, 2, 2, 1), g·cm²."""
    state = at(paper_arm(), 0.4, np.radians(degrees))
    return christoffel_symbols(state.tree, state.positions, state.subtree) / GRAM_SQUARE_CENTIMETRE


@pytest.mark.parametrize("index", list(product(range(2), repeat=3)), ids=str)
def test_christoffel_symbols_at_90_degrees_are_the_published_ones(index: tuple[int, int, int]):
    published = {(0, 0, 1): -600, (0, 1, 0): -600, (0, 1, 1): -600, (1, 0, 0): 600}
    assert symbols(90)[index][0] == pytest.approx(published.get(index, 0.0), abs=1e-10)


@pytest.mark.parametrize(("v", "published"), [((4, 0), (0, 0.96)), ((4, 4), (-2.88, 0.96))])
def test_velocity_forces_at_90_degrees_are_the_published_ones(v: tuple[float, float], published: tuple[float, float]):
    force = torques(paper_arm(), "coriolis_force", (0, 90), v)
    assert force == pytest.approx(published, abs=1e-12)
    Gamma = symbols(90)
    pairs, _ = coriolis_products(Gamma)
    squares = np.array([v[0] ** 2, v[1] ** 2])
    rebuilt = centrifugal_matrix(Gamma)[..., 0] @ squares + pairs[..., 0] @ np.array([v[0] * v[1]])
    assert 1e3 * GRAM_SQUARE_CENTIMETRE * rebuilt == pytest.approx(published, abs=1e-12)


@pytest.mark.parametrize(
    ("q", "load", "published"),
    [
        ((0, 0), 0.0, (30.38, 5.88)),
        ((90, 0), 0.0, (0, 0)),
        ((0, 90), 0.0, (24.5, 0)),
        ((0, 0), LOAD, (118.58, 45.08)),
    ],
)
def test_gravity_torques_are_the_published_ones(q: tuple[float, float], load: float, published: tuple[float, float]):
    assert torques(paper_arm(load=load), "gravity_vector", q) == pytest.approx(published, abs=5e-3)


@pytest.mark.parametrize(
    ("q", "v", "a", "published"),
    [((0, 90), (3, 0), (10, 0), (26.99, 0.86)), ((30, 60), (0, 0), (0, 20), (22.46, 0.64))],
)
def test_inverse_dynamics_is_the_published_one(
    q: tuple[float, float], v: tuple[float, float], a: tuple[float, float], published: tuple[float, float]
):
    assert torques(paper_arm(), "inverse_dynamics", q, v, a) == pytest.approx(published, abs=5e-3)


def test_kinetic_energy_at_90_degrees_is_the_published_one():
    energy = torques(paper_arm(), "kinetic_energy", (0, 90), (1, -1)) / 1e3
    assert energy / GRAM_SQUARE_CENTIMETRE == pytest.approx(1083.3, abs=0.05)


def test_kinetic_energy_is_conserved_over_two_seconds_of_runge_kutta_at_a_millisecond():
    stages: list[np.ndarray] = []

    def rate(_: int, x: np.ndarray) -> np.ndarray:
        stages.append(x[0])
        return np.array([[*x[0, 2:], *closed_acceleration(*x[0, 1:])]])

    path = runge_kutta(rate, np.array([[0.0, 0.5, 3.0, -2.0]]), step=1e-3, steps=2000)[:, 0]
    arm, asked = paper_arm(), np.array(stages)
    no_torque = np.zeros((len(asked), 2))
    found = evaluate(arm, "forward_dynamics", asked[:, :2], asked[:, 2:], None, no_torque, gravity=(0, 0, 0))
    used = np.array([closed_acceleration(*x[1:]) for x in asked])
    np.testing.assert_allclose(found, used, atol=1e-12)  # so the path is that of the engine's own accelerations
    energies = evaluate(arm, "kinetic_energy", path[:, :2], path[:, 2:]) / GRAM_SQUARE_CENTIMETRE
    assert energies == pytest.approx(np.full(2001, 11489.649), abs=5e-4)
    assert np.ptp(energies) < 1e-6  # the method itself loses no digit that is published


def closed_acceleration(elbow: float, v1: float, v2: float) -> tuple[float, float]:
    """Return the accelerations of the two rods without gravity and torque, from M and V on paper, rad/s²."""
    (m1, m2), (l1, l2) = MASSES, LENGTHS
    cross = m2 * l1 * l2 / 2
    c, s = math.cos(elbow), cross * math.sin(elbow)
    m22 = m2 * l2**2 / 3
    m12 = m22 + cross * c
    m11 = (m1 / 3 + m2) * l1**2 + m22 + 2 * cross * c
    f1, f2 = s * v2 * (2 * v1 + v2), -s * v1**2
    determinant = m11 * m22 - m12**2
    return (m22 * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant


def test_the_sliding_arm_s_velocity_forces_are_the_published_ones():
    values = evaluate_many(sliding_arm(), ("coriolis_force",), np.array([[0.3, 0.5]]), np.array([[1.0, 0.2]]))
    assert values["coriolis_force"][0] == pytest.approx((0.4, -1.0), abs=1e-15)


def test_a_turning_rod_s_energy_is_that_of_its_centre_and_that_about_it():
    m, l, w = 0.020, 0.10, 3.0
    arm = chain(("continuous", (0, 0, 1), (0, 0, 0), rod("l", m, l)))
    about, of_centre = m * l**2 / 12 * w**2 / 2, m * (l / 2) ** 2 * w**2 / 2
    assert (of_centre / GRAM_SQUARE_CENTIMETRE, about / GRAM_SQUARE_CENTIMETRE) == pytest.approx((2250, 750))
    energy = evaluate(arm, "kinetic_energy", np.zeros((1, 1)), np.array([[w]]))[0]
    assert energy / GRAM_SQUARE_CENTIMETRE == pytest.approx(3000, rel=1e-14)
