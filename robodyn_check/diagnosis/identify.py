"""Unnamed parameter faults: the smallest set of links whose changed parameters explain all forces.

Of one link's ten parameters the smallest kind that suffices is taken: the inertia alone, the first moment alone, both,
then all ten. Parameters that the motion does not feel stay as they are.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.diagnosis.candidate import INERTIAL, MECHANISM, Candidate, mechanism_changes
from robodyn_check.diagnosis.masses import with_parameters
from robodyn_check.diagnosis.suspects import left, residual, solve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.diagnosis.suspects import Residual
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.mechanism import Mechanism

#: Kinds of parameters by their columns, the simplest first.
_KINDS = (slice(4, 10), slice(1, 4), slice(1, 10), slice(0, 10))
#: What least squares may leave, in units of the bound; the proof on all states follows.
_SOLVED = 1.0
_MOST_BODIES = 40
#: A parameter whose change makes less than this many bounds in every force is taken to be as it was.
_UNFELT = 0.5


def parameters(evidence: Evidence) -> Iterable[Candidate]:
    """One link has other parameters, or two have."""
    if evidence.wrong & {"link_poses", "link_jacobians", "joint_torque_regressor"}:
        return
    problem = residual(evidence)
    if problem is None:
        return
    mechanism = evidence.scene.mechanism
    links = [_speaker(mechanism, body) for body in range(mechanism.nb)]
    single = [(link,) for link in links]
    pairs = list(combinations(links, 2)) if len(links) <= _MOST_BODIES else []
    for group in (single, pairs):
        found = [(chosen, change) for chosen in group if (change := _explained(problem, list(chosen))) is not None]
        found.sort(key=lambda one: _size(mechanism, *one))
        for chosen, change in found[:3]:
            yield _candidate(mechanism, chosen, change, [one[0] for one in found if one[0] != chosen])
        if found:
            return


def _speaker(mechanism: Mechanism, body: int) -> int:
    """Return the link that stands for a body: the heaviest on it."""
    on_it = [link for link, carrier in enumerate(mechanism.link_body) if carrier == body]
    return max(on_it, key=lambda link: (float(mechanism.link_mass[link]), -link))


def _explained(problem: Residual, links: list[int]) -> FloatArray | None:
    """Return the simplest change of the links' parameters that leaves nothing; None where there is none."""
    if solve(problem, links)[1] > _SOLVED:
        return None
    for kind in _KINDS:
        change, rest = solve(problem, links, kind)
        if rest <= _SOLVED:
            cleared = _cleared(problem, links, change)
            return cleared if left(problem, links, cleared) <= _SOLVED else change
    return None


def _cleared(problem: Residual, links: list[int], change: FloatArray) -> FloatArray:
    """Return the change without the parameters that no force feels by half a bound: they are rounding."""
    felt = np.stack([np.abs(problem.columns[link]).max(axis=0, initial=0.0) for link in links])
    return np.where(np.abs(change) * felt < _UNFELT, 0.0, change)


def _size(mechanism: Mechanism, links: tuple[int, ...], change: FloatArray) -> float:
    """Return how large a change is beside what the links have: the smallest one is the most likely."""
    total = 0.0
    for link, one in zip(links, change, strict=True):
        mass = abs(float(mechanism.link_mass[link])) or abs(float(np.sum(mechanism.mass))) or 1.0
        com = mechanism.link_com[:, link]
        inertia = abs(float(np.trace(mechanism.link_inertia[:, :, link]) + mass * (com @ com))) or 1.0
        length = np.sqrt(inertia / mass)
        total += np.abs(one[0]) / mass + np.abs(one[1:4]).sum() / (mass * length) + np.abs(one[4:]).sum() / inertia
    return float(total)


def _candidate(
    mechanism: Mechanism, links: tuple[int, ...], change: FloatArray, others: list[tuple[int, ...]]
) -> Candidate:
    def changed(held: Mechanism) -> Mechanism:
        for link, one in zip(links, change, strict=True):
            held = with_parameters(held, link, one)
        return held

    told = [_told(mechanism.links[link], one) for link, one in zip(links, change, strict=True)]
    elsewhere: list[int] = []
    if len(links) == 1:
        on_bodies = [link for (body_link,) in (links, *others) for link in _welded(mechanism, body_link)]
        elsewhere = [link for link in on_bodies if link != links[0]]
    elif others:
        names = "; ".join(" and ".join(mechanism.links[link] for link in other) for other in others[:4])
        told.append(f"the motion would not tell it from a larger change of: {names}")
    return Candidate(
        cause="inertial-parameters-differ",
        touches=INERTIAL,
        apply=mechanism_changes(changed),
        level=MECHANISM,
        element=" and ".join(mechanism.links[link] for link in links),
        elsewhere=tuple(mechanism.links[link] for link in elsewhere),
        evidence=tuple(told),
    )


def _welded(mechanism: Mechanism, link: int) -> list[int]:
    """Return the links that move as one body with a link, itself included."""
    return [k for k, body in enumerate(mechanism.link_body) if body == mechanism.link_body[link]]


def _told(link: str, change: FloatArray) -> str:
    """Say which parameters change, and by how much."""
    parts = []
    if change[0]:
        parts.append(f"mass by {change[0]:+.6g} kg")
    if change[1:4].any():
        parts.append(f"first moment by ({', '.join(f'{one:+.4g}' for one in change[1:4])}) kg m")
    if change[4:].any():
        parts.append(f"inertia about the link's origin by ({', '.join(f'{one:+.4g}' for one in change[4:])}) kg m²")
    return f"as far as the motion feels it, {link!r} changes its {', its '.join(parts)}"


HYPOTHESES = (parameters,)
