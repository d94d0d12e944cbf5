"""What ``flex`` reports beside verdicts: frequencies by pose, Bode data, beams. Frozen dataclasses, plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from robodyn_check.report.results import Report

FLEXIBLE_SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveRecord:
    """One elastic joint: K (N m/rad), D (N m s/rad), J behind the gear (kg m²), relative degree of link and motor."""

    joint: str
    stiffness: float
    damping: float
    motor_inertia: float
    relative_degree_link: int
    relative_degree_motor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseRecord:
    """Frequencies at one pose, rad/s, ascending.

    ``elastic``: free motors, no gravity. ``elastic_with_gravity``: the n upper ones in gravity. ``locked``: motors
    locked, gravity (None: the pose is not stable then). ``damping_ratios``: of the poles that oscillate, by frequency,
    in gravity. ``slow``: the n lower ω² in gravity, rad²/s²; negative ones fall over.
    """

    name: str
    q: tuple[float, ...]
    elastic: tuple[float, ...]
    elastic_with_gravity: tuple[float, ...]
    locked: tuple[float | None, ...]
    damping_ratios: tuple[float, ...]
    slow: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRecord:
    """One frequency response from a joint's motor torque: rad/s, rad/(N m), degrees."""

    pose: str
    joint: str
    output: Literal["motor", "link"]
    frequency: tuple[float, ...]
    magnitude: tuple[float, ...]
    phase: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlexibleReport:
    """One run of ``flex`` on a robot."""

    model: str
    drives: tuple[DriveRecord, ...]
    poses: tuple[PoseRecord, ...]
    curves: tuple[CurveRecord, ...]
    notes: tuple[str, ...]
    report: Report
    schema_version: str = FLEXIBLE_SCHEMA_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamModes:
    """Frequencies of one end condition, rad/s: ``exact``, and Rayleigh-Ritz by number of shape functions."""

    end: str
    exact: tuple[float, ...]
    assumed: tuple[tuple[int, tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamReport:
    """One run of ``flex`` on a beam.

    ``conditions``: number of shape functions, condition number of the mass matrix of monomials and of the orthogonal
    basis. ``chains``: library, and its first frequency for each number of rigid segments, rad/s.
    """

    model: str
    beam: dict[str, float]
    modes: tuple[BeamModes, ...]
    conditions: tuple[tuple[int, float, float], ...]
    chains: tuple[tuple[str, tuple[tuple[int, float], ...]], ...]
    report: Report
    schema_version: str = FLEXIBLE_SCHEMA_VERSION
