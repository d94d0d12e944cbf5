"""A uniform Euler-Bernoulli beam on a rotating hub, by assumed modes (Rayleigh-Ritz).

The beam lies along x in [0, L], clamped to a hub that turns by θ; its deflection across x is w. The total displacement
of a point is x θ + w(x), with w = Σ φ_i(x) δ_i and φ_i(0) = φ_i'(0) = 0. For small deflections

    M = [[I_h + ∫ρA x² + m L²,  ∫ρA x φ_j + m L φ_j(L)],
         [sym.,                 ∫ρA φ_i φ_j + m φ_i(L) φ_j(L)]],
    K = [[0, 0], [0, ∫EI φ_i'' φ_j'']],

and at hub speed Ω the centrifugal field adds Ω² (∫ ½ρA (L² - x²) φ_i' φ_j' + m L ∫ φ_i' φ_j' - M_ij) to the elastic
block of K: axial tension stiffens, the rotating frame softens.

Lengths are scaled by L, so integrals run over ξ = x/L in [0, 1]; Gauss-Legendre quadrature with enough points is exact
for them, because every integrand is a polynomial.

Sources: Rayleigh-Ritz with ξ^(i+1): L. Meirovitch, Fundamentals of Vibrations (2001), chapters 8 and 9 (from memory;
the equations were derived again here); the Jacobi polynomials: DLMF 18.3 and 18.9.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.errors import EvaluationError

if TYPE_CHECKING:
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

Basis = Literal["monomial", "jacobi"]
_DEPENDENT = "{count} shape functions of this basis are linearly dependent in double precision; use basis 'jacobi'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam:
    """A uniform beam on a hub, with a point mass at its tip.

    length: L, m. linear_density: ρA, kg/m. bending_stiffness: EI, N m². hub_inertia: I_h, kg m². tip_mass: m, kg.
    """

    length: float = 1.0
    linear_density: float = 1.0
    bending_stiffness: float = 1.0
    hub_inertia: float = 0.0
    tip_mass: float = 0.0

    @property
    def rigid_inertia(self) -> float:
        """Inertia of the straight beam alone about the hub's axis, ρA L³ / 3, kg m²."""
        return self.linear_density * self.length**3 / 3.0

    @property
    def frequency_unit(self) -> float:
        """√(EI / ρA) / L², rad/s: a wave number μ = β L means ω = μ² times this."""
        return float(np.sqrt(self.bending_stiffness / self.linear_density)) / self.length**2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeamMatrices:
    """The discrete beam: coordinates (θ, δ_1 .. δ_N); ``mass`` and ``stiffness`` are (N + 1, N + 1)."""

    mass: FloatArray
    stiffness: FloatArray


def shape_values(basis: Basis, count: int, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Evaluate the shape functions and their first two derivatives with respect to ξ.

    "monomial": ξ^(i+1), the published choice, whose Gram matrix is a Hilbert matrix in disguise. "jacobi":
    ξ² P_i^(0,4)(2ξ - 1), orthogonal over [0, 1] (weight ξ⁴ is that of the square of ξ²), scaled to unit norm.

    Args:
        basis: Which functions.
        count: How many, N.
        points: ξ in [0, 1], (P,).

    Returns:
        φ, φ', φ'', each (N, P).
    """
    if basis == "monomial":
        powers = np.arange(2, count + 2)[:, None]
        return (
            points**powers,
            powers * points ** (powers - 1),
            powers * (powers - 1) * points ** (powers - 2),
        )
    value, slope, curvature = _jacobi(count, 2.0 * points - 1.0)
    slope, curvature = 2.0 * slope, 4.0 * curvature  # d/dξ = 2 d/dt
    norm = np.sqrt(2.0 * np.arange(count) + 5.0)[:, None]  # ∫ ξ⁴ P_i² dξ = 1 / (2i + 5)
    square = points**2
    return (
        norm * square * value,
        norm * (2.0 * points * value + square * slope),
        norm * (2.0 * value + 4.0 * points * slope + square * curvature),
    )


def _jacobi(count: int, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """P_i^(0,4)(t) and two derivatives by the three-term recurrence (DLMF 18.9.1), (count, P) each."""
    alpha, beta = 0.0, 4.0
    zero = np.zeros_like(t)
    rows = [(zero, zero, zero), (np.ones_like(t), zero, zero)]
    for n in range(count - 1):
        if n == 0:
            slope, shift, back = (alpha + beta + 2.0) / 2.0, (alpha - beta) / 2.0, 0.0
        else:
            total = 2.0 * n + alpha + beta
            scale = 2.0 * (n + 1) * (n + alpha + beta + 1) * total
            slope = (total + 1) * (total + 2) * total / scale
            shift = (total + 1) * (alpha**2 - beta**2) / scale
            back = 2.0 * (n + alpha) * (n + beta) * (total + 2) / scale
        (p0, d0, c0), (p1, d1, c1) = rows[-2:]
        line = slope * t + shift
        rows.append(
            (
                line * p1 - back * p0,
                line * d1 + slope * p1 - back * d0,
                line * c1 + 2.0 * slope * d1 - back * c0,
            )
        )
    value, first, second = zip(*rows[1:], strict=True)
    return np.stack(value), np.stack(first), np.stack(second)


def beam_matrices(beam: Beam, count: int, *, basis: Basis = "jacobi", hub_speed: float = 0.0) -> BeamMatrices:
    """Assemble mass and stiffness matrix of the hub-beam for ``count`` shape functions.

    Args:
        beam: The beam.
        count: Number of shape functions, N >= 1.
        basis: See `shape_values`.
        hub_speed: Ω, rad/s; other than 0 adds centrifugal stiffening and the softening of the rotating frame.

    Returns:
        The matrices in coordinates (θ rad, δ_i m).
    """
    points, weights = np.polynomial.legendre.leggauss(count + 4)
    points, weights = (points + 1.0) / 2.0, weights / 2.0
    shape, slope, curvature = shape_values(basis, count, points)
    tip = shape_values(basis, count, np.ones(1))[0][:, 0]
    L, rhoA, m = beam.length, beam.linear_density, beam.tip_mass

    mass = np.zeros((count + 1, count + 1))
    mass[0, 0] = beam.hub_inertia + beam.rigid_inertia + m * L**2
    mass[0, 1:] = mass[1:, 0] = rhoA * L**2 * (shape @ (weights * points)) + m * L * tip
    mass[1:, 1:] = rhoA * L * (shape * weights) @ shape.T + m * np.outer(tip, tip)
    stiffness = np.zeros_like(mass)
    stiffness[1:, 1:] = beam.bending_stiffness / L**3 * (curvature * weights) @ curvature.T
    if hub_speed:
        tension = 0.5 * rhoA * L * (1.0 - points**2) + m
        stiffness[1:, 1:] += hub_speed**2 * ((slope * weights * tension) @ slope.T - mass[1:, 1:])
    return BeamMatrices(mass=mass, stiffness=stiffness)


def natural_frequencies(beam: Beam, count: int, *, basis: Basis = "jacobi", clamped: bool = False) -> FloatArray:
    """Natural frequencies of the discrete beam, ascending, rad/s.

    Args:
        beam: The beam.
        count: Number of shape functions, N.
        basis: See `shape_values`.
        clamped: True holds the hub still (an infinite hub); otherwise it is free and the rigid mode (0) is left out.

    Returns:
        N frequencies. Each bounds the exact one from above and never rises when N grows (Rayleigh-Ritz).

    Raises:
        EvaluationError: The basis is linearly dependent in doubles (monomials from about N = 11).
    """
    matrices = beam_matrices(beam, count, basis=basis)
    mass, stiffness = matrices.mass[1:, 1:], matrices.stiffness[1:, 1:]
    if not clamped:  # the hub's row has no stiffness: M_hh θ̈ + M_he δ̈ = 0 eliminates it exactly
        coupling = matrices.mass[0, 1:]
        mass = mass - np.outer(coupling, coupling) / matrices.mass[0, 0]
    return _generalized_frequencies(mass, stiffness)


def _generalized_frequencies(mass: FloatArray, stiffness: FloatArray) -> FloatArray:
    """√ of the eigenvalues of K x = ω² M x, through the Cholesky factor of K scaled to a unit diagonal."""
    scale = 1.0 / np.sqrt(np.diag(stiffness))
    try:
        factor = np.linalg.cholesky(stiffness * np.outer(scale, scale))
    except np.linalg.LinAlgError as error:
        raise EvaluationError(_DEPENDENT.format(count=len(mass))) from error
    half = np.linalg.solve(factor, mass * np.outer(scale, scale))
    inverse = np.linalg.eigvalsh(np.linalg.solve(factor, half.T))
    if inverse[0] <= 0.0:
        raise EvaluationError(_DEPENDENT.format(count=len(mass)))
    return np.asarray(1.0 / np.sqrt(inverse[::-1]))


def mass_condition(count: int, basis: Basis) -> float:
    """Condition number of the Gram matrix ∫ φ_i φ_j: how well the basis stands on its own feet."""
    matrices = beam_matrices(Beam(), count, basis=basis)
    return float(np.linalg.cond(matrices.mass[1:, 1:]))


def exact_wave_numbers(
    count: int, *, hub_ratio: float = 0.0, tip_ratio: float = 0.0, clamped: bool = False
) -> FloatArray:
    """First roots μ = β L of the exact frequency equation, by bracketing.

    w = A (cosh - cos) + B sinh + D sin of β x, with w(0) = 0; the hub demands EI w''(0) = -ω² I_h w'(0), that is
    2 A = -(r μ³/3)(B + D); the tip demands w''(L) = 0 and EI w'''(L) = -ω² m w(L). Clamped: B + D = 0.

    Args:
        count: How many roots.
        hub_ratio: r = I_h / (ρA L³ / 3); 0 is a pin.
        tip_ratio: Tip mass over ρA L.
        clamped: The limit r -> infinity.

    Returns:
        Roots above zero, ascending, each to about one unit in the last place.
    """
    # The determinant changes sign between roots that lie about π apart; a grid far finer than that finds each.
    grid = np.arange(1, 400 * (count + 2)) * (np.pi / 400.0)
    values = [_frequency_determinant(mu, hub_ratio, tip_ratio, clamped=clamped) for mu in grid]
    roots: list[float] = []
    for low, high, f_low, f_high in zip(grid, grid[1:], values, values[1:], strict=False):
        if f_low * f_high <= 0.0:
            roots.append(_bisect(float(low), float(high), hub_ratio, tip_ratio, clamped=clamped))
        if len(roots) == count:
            break
    return np.array(roots)


def _frequency_determinant(mu: float, hub_ratio: float, tip_ratio: float, *, clamped: bool) -> float:
    """Determinant of the two tip conditions, over cosh μ, on two solutions that stay independent for every hub.

    The first is sinh - sin (A = B + D = 0), the second -k (cosh - cos) + ½ (sinh + sin) over 1 + k, k = r μ³ / 6.
    """
    unit = 1.0 / np.cosh(mu)
    c, s, C, S = np.cos(mu) * unit, np.sin(mu) * unit, 1.0, np.tanh(mu)
    k = hub_ratio * mu**3 / 6.0
    bend, turn = (1.0, 0.0) if clamped else (k / (1.0 + k), 0.5 / (1.0 + k))
    free = np.array([S + s, C + c, S - s])  # second and third derivative and w, at the tip
    held = turn * np.array([S - s, C - c, S + s]) - bend * np.array([C + c, S - s, C - c])
    shear = [mode[1] + tip_ratio * mu * mode[2] for mode in (free, held)]
    return float((free[0] * shear[1] - shear[0] * held[0]) / unit)


def _bisect(low: float, high: float, hub_ratio: float, tip_ratio: float, *, clamped: bool) -> float:
    f_low = _frequency_determinant(low, hub_ratio, tip_ratio, clamped=clamped)
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in {low, high}:
            break
        f_middle = _frequency_determinant(middle, hub_ratio, tip_ratio, clamped=clamped)
        if f_low * f_middle <= 0.0:
            high = middle
        else:
            low, f_low = middle, f_middle
    return 0.5 * (low + high)
