"""Which links may hold a wrong inertia: tau_library - tau = Y δπ must be solvable with the parameters of that link.

Rows come from every force-like quantity that was answered: inverse dynamics, bias force, gravity vector, and the
columns of M, which are inverse dynamics at unit accelerations without gravity. Each row counts in units of its bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    from robodyn_check.diagnosis.evidence import Evidence, Sample
    from robodyn_check.faults.fault import FloatArray

#: States that are used of each quantity: enough for ten parameters of every link of a long chain.
_STATES = 24
#: A link is suspect when it leaves less than this of the bound's multiples that there were.
_SUSPECT = 1e-3
_NO_GRAVITY = (0.0, 0.0, 0.0)
_FORCES = ("mass_matrix", "gravity_vector", "inverse_dynamics", "bias_force")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Residual:
    """tau_library - tau in units of its bound, (rows,), and what each link's parameters do to it, (links, rows, 10)."""

    force: FloatArray
    columns: FloatArray


def residual(evidence: Evidence) -> Residual | None:
    """Return the linear problem; None where no force-like quantity was answered, or is wrong."""
    samples = [one for name in _FORCES if (one := evidence.sample(name)) is not None]
    if not any(sample in evidence.failing for sample in samples):
        return None
    parts = [_rows(evidence, sample.first(_STATES)) for sample in samples]
    force = np.concatenate([part[0] for part in parts])
    columns = np.concatenate([part[1] for part in parts])
    there = np.isfinite(force)
    return Residual(force=force[there], columns=np.moveaxis(columns[there], 1, 0))


def solve(problem: Residual, links: list[int], columns: slice = slice(0, 10)) -> tuple[FloatArray, float]:
    """Return the least change of the links' parameters, (links, 10), and the largest rest in units of its bound."""
    matrix = np.concatenate([problem.columns[link][:, columns] for link in links], axis=1)
    size = np.linalg.norm(matrix, axis=0)
    used = size > 0
    change = np.zeros(matrix.shape[1])
    if used.any():
        change[used] = np.linalg.lstsq(matrix[:, used] / size[used], problem.force, rcond=1e-12)[0] / size[used]
    rest = np.abs(problem.force - matrix @ change).max(initial=0.0)
    full = np.zeros((len(links), 10))
    full[:, columns] = change.reshape(len(links), -1)
    return full, float(rest)


def suspect_links(evidence: Evidence) -> frozenset[str]:
    """Return the links whose parameters alone could explain the forces; all links where forces tell nothing."""
    if "suspects" not in evidence.memory:
        evidence.memory["suspects"] = _suspect_links(evidence)
    return evidence.memory["suspects"]


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
    limit = evidence.limit(sample.quantity, sample.batch)
    # An entry without a bound is exactly zero whatever the links weigh: it says nothing about them.
    unit = np.divide(1.0, limit, out=np.zeros_like(limit), where=limit > 0)
    count, nv, nl = len(request), mechanism.nv, mechanism.nl
    if sample.quantity != "mass_matrix":
        v = request.v if sample.quantity != "gravity_vector" else None
        a = request.a if sample.quantity == "inverse_dynamics" else None
        regressor = evaluate(mechanism, "joint_torque_regressor", request.q, v, a)
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
