"""Which links may hold a wrong inertia: tau_library - tau = Y δπ must be solvable with the parameters of that link.

Rows come from every force-like quantity that was answered: inverse dynamics, bias force, gravity vector, and the
columns of M, which are inverse dynamics at unit accelerations without gravity. Answers under a turned gravity count as
well: they feel first moments that an upright axis hides. Each row counts in units of its bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.diagnosis.evidence import Evidence, Sample
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.mechanism import Mechanism

#: States that are used of each quantity: enough for ten parameters of every link of a long chain. M has as many rows
#: as it has entries at each state, so of large ones fewer states are enough.
_STATES, _FEWEST, _ROWS = 24, 3, 4000
#: A link is suspect when it leaves less than this of the bound's multiples that there were.
_SUSPECT = 1e-3
_NO_GRAVITY = (0.0, 0.0, 0.0)
_FORCES = ("mass_matrix", "gravity_vector", "inverse_dynamics", "bias_force")


#: A parameter is felt where as much of it as the whole robot has makes more than this many bounds.
_FELT = 10.0
#: Rounding of an answer beside the largest entry of its kind, where the truth has no term to measure it by.
_ROUNDED = 4 * 2.0**-52


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Residual:
    """tau_library - tau in units of its bound, (rows,), and what each link's parameters do to it, (links, rows, 10).

    ``felt``: which parameters the motion feels at all, (links, 10); the columns of the others are rounding.
    ``triangle``: R of the felt columns and the force behind them, by QR, so that least squares for a few of the columns
    need few rows; ``place``: where a link's parameter stands in it, (links, 10).
    """

    force: FloatArray
    columns: FloatArray
    felt: npt.NDArray[np.bool_]
    triangle: FloatArray
    place: npt.NDArray[np.int_]


def residual(evidence: Evidence) -> Residual | None:
    """Return the linear problem; None where no force-like quantity was answered, or is wrong."""
    if "residual" not in evidence.memory:
        evidence.memory["residual"] = _residual(evidence)
    return cast("Residual | None", evidence.memory["residual"])


def _residual(evidence: Evidence) -> Residual | None:
    samples = sorted(
        (one for one in evidence.samples if one.quantity in _FORCES), key=lambda one: _FORCES.index(one.quantity)
    )
    if not any(sample in evidence.failing for sample in samples):
        return None
    entries = evidence.scene.mechanism.nv**2
    few = max(_FEWEST, min(_STATES, _ROWS // max(1, entries)))
    parts = [_rows(evidence, one.first(few if one.quantity == "mass_matrix" else _STATES)) for one in samples]
    force = np.concatenate([part[0] for part in parts])
    columns = np.concatenate([part[1] for part in parts])
    there = np.isfinite(force)
    columns = np.moveaxis(columns[there], 1, 0)
    felt = np.abs(columns).max(axis=1, initial=0.0) * _whole(evidence.scene.mechanism) > _FELT
    place = np.where(felt, np.cumsum(felt).reshape(felt.shape) - 1, -1)
    stacked = np.concatenate([columns.transpose(1, 0, 2)[:, felt], force[there, None]], axis=1)
    triangle = np.asarray(np.linalg.qr(stacked, mode="r"))
    return Residual(force=force[there], columns=columns, felt=felt, triangle=triangle, place=place)


def _whole(mechanism: Mechanism) -> FloatArray:
    """Return how much of each of the ten parameters the whole robot has, (10,): its mass, as far out as it goes."""
    mass = float(np.abs(np.asarray(mechanism.mass, dtype=float)).sum()) or 1.0
    lengths = [np.linalg.norm(np.asarray(one, dtype=float), axis=0) for one in (mechanism.p_tree, mechanism.link_com)]
    length = float(lengths[0].sum() + lengths[1].max(initial=0.0)) or 1.0
    return mass * np.repeat([1.0, length, length**2], [1, 3, 6])


def solve(problem: Residual, links: list[int], columns: slice = slice(0, 10)) -> tuple[FloatArray, float]:
    """Return the least change of the links' parameters, (links, 10), and the largest rest in units of its bound."""
    chosen = [(k, column) for k, link in enumerate(links) for column in np.flatnonzero(problem.felt[link])]
    chosen = [(k, column) for k, column in chosen if columns.start <= column < columns.stop]
    full = np.zeros((len(links), 10))
    if not chosen:
        return full, float(np.abs(problem.force).max(initial=0.0))
    reduced = problem.triangle[:, [problem.place[links[k], column] for k, column in chosen]]
    size = np.linalg.norm(reduced, axis=0)
    change = np.linalg.lstsq(reduced / size, problem.triangle[:, -1], rcond=1e-12)[0] / size
    for (k, column), one in zip(chosen, change, strict=True):
        full[k, column] = one
    return full, left(problem, links, full)


def left(problem: Residual, links: list[int], change: FloatArray) -> float:
    """Return the largest rest, in units of its bound, under a change of the links' parameters, (links, 10)."""
    made = sum((problem.columns[link] @ one for link, one in zip(links, change, strict=True)), 0.0 * problem.force)
    return float(np.abs(problem.force - made).max(initial=0.0))


def suspect_links(evidence: Evidence) -> frozenset[str]:
    """Return the links whose parameters alone could explain the forces; all links where forces tell nothing."""
    if "suspects" not in evidence.memory:
        evidence.memory["suspects"] = _suspect_links(evidence)
    return cast("frozenset[str]", evidence.memory["suspects"])


def _suspect_links(evidence: Evidence) -> frozenset[str]:
    mechanism = evidence.scene.mechanism
    problem = residual(evidence)
    if problem is None:
        return frozenset(mechanism.links)
    before = float(np.abs(problem.force).max(initial=0.0))
    bodies = {
        body
        for body in set(mechanism.link_body) - {-1}
        if solve(problem, [mechanism.link_body.index(body)])[1] < max(10.0, _SUSPECT * before)
    }
    return frozenset(name for name, body in zip(mechanism.links, mechanism.link_body, strict=True) if body in bodies)


def _rows(evidence: Evidence, sample: Sample) -> tuple[FloatArray, FloatArray]:
    """Return the rows of one quantity: (rows,) and (rows, links, 10), both in units of the bound."""
    mechanism, request = evidence.scene.mechanism, sample.request
    # The true robot may have no term where the library's has one (a centre of mass on the axis): then the answer's own
    # rounding is the bound. An entry that is exactly zero on both sides says nothing about the links.
    size = np.where(np.isfinite(sample.got), np.abs(sample.got), 0.0).max(initial=0.0)
    limit = evidence.limit(sample.quantity, sample.batch) + _ROUNDED * size
    unit = np.divide(1.0, limit, out=np.zeros_like(limit), where=limit > 0)
    count, nv, nl = len(request), mechanism.nv, mechanism.nl
    if sample.quantity != "mass_matrix":
        v = request.v if sample.quantity != "gravity_vector" else None
        a = request.a if sample.quantity == "inverse_dynamics" else None
        regressor = evaluate(mechanism, "joint_torque_regressor", request.q, v, a, gravity=request.gravity)
        force, weight = sample.got - sample.true, unit
        return (force * weight).reshape(-1), (regressor.reshape(count, nv, nl, 10) * weight[..., None, None]).reshape(
            -1, nl, 10
        )
    q = np.repeat(request.q, nv, axis=0)
    a = np.tile(np.eye(nv), (count, 1))
    regressor = evaluate(mechanism, "joint_torque_regressor", q, None, a, gravity=_NO_GRAVITY)
    force = (sample.got - sample.true).transpose(0, 2, 1).reshape(-1)
    weight = unit.transpose(0, 2, 1).reshape(-1)
    return force * weight, regressor.reshape(-1, nl, 10) * weight[:, None, None]
