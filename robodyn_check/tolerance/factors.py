"""K: the measured factor of every check and quantity, with the row of the calibration that it comes from.

Each is at least 1.6 times the largest error that four independent right implementations (Pinocchio, MuJoCo, Drake,
a batched world-frame engine) showed in units of eps · S over 2 140 random fixed-base robots, 850 floating ones and
48 real ones, or, for relations that the calibration did not have, at least twice the largest error of the rounding
study. ``study rounding`` measures all of them again; none is ever widened to get to green.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Above this many coordinates M and g get twice their K (margins of 1.6 were seen on deep trees).
DEEP_DOFS = 15
_DEEP = frozenset({"mass_matrix", "gravity_vector"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """One K: its value, what it multiplies, and the largest error measured (pin, mujoco, drake, numpy), eps · S."""

    value: float
    scale: str
    measured: float
    source: str


def _row(value: float, scale: str, measured: float, source: str) -> Factor:
    """Write one row."""
    return Factor(value=value, scale=scale, measured=measured, source=f"calibration, {source}")


def _seen(value: float, scale: str, measured: float, codes: str) -> Factor:
    """Write one row that the rounding study measured, over Pinocchio, MuJoCo, Drake and biorbd."""
    return Factor(value=value, scale=scale, measured=measured, source=f"study rounding, {codes}")


#: Every factor by name. Agreement uses the quantity's own name; the others are relations of a subject's own answers.
FACTORS: Mapping[str, Factor] = MappingProxyType(
    {
        # Agreement with the truth (section 2; floating base, section 3).
        "mass_matrix": _row(64, "S_M", 40.7, "2 M"),
        "coriolis_matrix": _row(64, "S_C", 15.8, "2 C"),
        "gravity_vector": _row(32, "S_g", 24.7, "2 g"),
        "bias_force": _row(32, "S_b", 8.6, "2 bias"),
        "coriolis_force": _row(32, "S_q", 5.2, "2 Cv"),
        "forward_dynamics": _row(16, "S_1b(answer; tau)", 4.0, "2 qdd"),
        "inverse_dynamics": _row(32, "S_tau", 9.3, "2 inverse dynamics"),
        "kinetic_energy": _row(32, "S_K", 9.8, "2 kinetic energy"),
        "potential_energy": _row(16, "sum of both states' scales", 3.6, "2 V(q2)-V(q)"),
        "link_poses": _row(32, "d0 for p, half of 1 + joints for R", 6.9, "2 link pose"),
        "link_jacobians": _row(64, "d0+org+rb linear, a quarter of 1 + joints angular", 17.0, "2 link Jacobian"),
        "joint_torque_regressor": _row(64, "Y scale", 23.7, "2 regressor"),
        # Derivatives of a subject's own answers (section 1 a, b, e).
        "structural_zeros": _row(128, "S_dM,k", 25.5, "1 (b)"),
        "gravity_from_potential": _row(16, "S_V,k", 5.5, "1 (e)"),
        # Coriolis relations (section 1 c, d, f, g, h).
        "rate_is_coriolis_plus_transpose": _row(16, "S_Mdot + S_C + S_Cᵀ", 3.5, "1 (c,d)"),
        "skew_scalar": _row(16, "|w|ᵀ(S_Mdot + S_C + S_Cᵀ)|w|", 2.1, "1 (c) scalar"),
        "christoffel": _row(16, "S_C + half of the S_dM terms", 2.5, "1 (c) Christoffel"),
        "coriolis_force_from_mass_matrix": _row(16, "S_Mdot u + ½ uᵀ S_dM,k u + S_q", 2.5, "1 Cv = Mdot v - ..."),
        "torsion_free": _row(16, "S_C(v)|w| + S_C(w)|v|", 1.1, "1 (f)"),
        "coriolis_times_velocity_is_bias_minus_gravity": _row(16, "S_q + S_g", 2.8, "1 (g) bias-g"),
        "coriolis_times_velocity_is_coriolis_force": _row(32, "S_q", 4.6, "1 (g) own Cv"),
        "bias_minus_gravity_is_coriolis_force": _row(16, "S_q + S_g", 1.9, "1 bias - g"),
        "homogeneous_by_powers_of_two": _row(0, "exact", 0.0, "1 (h)"),
        "bias_homogeneous": _row(32, "4 S_q + S_g", 5.1, "1 (h) bias"),
        # Measured by the rounding study (reports/rounding.md): what the calibration had not.
        "mass_matrix_from_jacobians": _seen(128, "S_M", 57.4, "RD207"),
        "gravity_from_jacobians": _seen(128, "S_g", 39.7, "RD418"),
        "gravity_has_potential": _seen(64, "S_dg,j[i] + S_dg,i[j]", 0.39, "RD420"),
        "momentum_rate": _seen(16, "S_M|a| + |tau| + S_Mdot|v| + S_b", 0.89, "RD507, RD508"),
        "effective_mass": _seen(32, "(|uᵀ J_v| S_1b + S_J |a|) / F", 0.71, "RD604"),
        "coriolis_force_rebuilt": _seen(16, "see the check", 0.09, "RD424"),
        "regressor_terms": _seen(32, "S_M e_i + S_g, S_q + S_g, S_g", 7.7, "RD305 to RD307"),
        # Inverse and forward dynamics (section 1 i).
        "forward_of_inverse": _row(16, "S_1b(a; ID(a))", 0.8, "1 (i) FD(ID(a)), 3 S_1b"),
        "inverse_dynamics_from_mass_matrix": _row(16, "S_tau", 2.2, "1 (i) Ma + bias"),
        "unit_acceleration_is_column": _row(32, "S_M[:,j] + S_g", 4.5, "1 (i) ID(q,0,e_j)"),
        "inverse_dynamics_at_rest_is_bias": _row(16, "S_b", 0.64, "1 (i) ID(q,v,0)"),
        "forward_dynamics_from_mass_matrix": _row(16, "S_1b(FD; tau)", 1.8, "1 (i) solve"),
        "forward_residual_fixed_base": _row(16, "S_M|FD| + |tau| + S_b", 3.8, "1 (i) M FD + bias, fixed base only"),
        "regressor_gives_torque": _row(16, "S_tau", 1.3, "1 Y pi"),
        # Energy (section 1, power).
        "kinetic_energy_from_mass_matrix": _row(32, "S_K", 4.7, "1 K"),
        "power_from_mass_matrix": _row(16, "|v|ᵀ(S_M|a| + ½ S_Mdot|v| + S_g + S_tau)", 1.2, "1 power, M form"),
        "power_from_energies": _row(16, "see the check", 0.74, "1 power, own K and V"),
        # A floating base (section 3).
        "coriolis_force_independent_of_base": _row(16, "S_q + S_q'", 0.55, "3 Cv'"),
        "base_carries_the_weight": _row(32, "m|γ|", 11.6, "3 g_lin"),
    }
)


def factor(name: str, *, dofs: int) -> float:
    """Return K of a check or quantity for a robot of this many coordinates."""
    value = FACTORS[name].value
    return 2.0 * value if name in _DEEP and dofs > DEEP_DOFS else value
