"""A mechanism with other mass properties or placements of its links, merged into its bodies again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.placements import MassProperties

_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def symmetric(entries: FloatArray) -> FloatArray:
    """Return the (3, 3) matrix of xx xy xz yy yz zz."""
    matrix = np.zeros((3, 3))
    for (i, j), entry in zip(_PAIRS, entries, strict=True):
        matrix[i, j] = matrix[j, i] = entry
    return matrix


def with_parameters(mechanism: Mechanism, link: int, change: FloatArray) -> Mechanism:
    """Return the mechanism with a change added to one link's ten parameters (m, m c, I about the link's origin)."""
    body = mechanism.link_body[link]
    turn, p = np.asarray(mechanism.link_R[:, :, link]), np.asarray(mechanism.link_p[:, link])
    mass, first, inertia = change[0], turn @ change[1:4], turn @ symmetric(change[4:]) @ turn.T
    # about the body's origin: I + m (p² 1 - p pᵀ) + 2 (p·c m) 1 - p (m c)ᵀ - (m c) pᵀ
    shifted = inertia + mass * (np.eye(3) * (p @ p) - np.outer(p, p))
    shifted += 2 * (p @ first) * np.eye(3) - np.outer(p, first) - np.outer(first, p)
    masses, firsts, inertias = (
        np.array(array, dtype=float) for array in (mechanism.mass, mechanism.first_moment, mechanism.inertia)
    )
    masses[body] += mass
    firsts[:, body] += first + mass * p
    inertias[:, :, body] += shifted
    return replace(mechanism, mass=masses, first_moment=firsts, inertia=inertias)


def with_links(mechanism: Mechanism, properties: Mapping[str, MassProperties]) -> Mechanism:
    """Return the mechanism with other mass properties of some links."""
    masses, coms, inertias = (
        np.array(array, dtype=float) for array in (mechanism.link_mass, mechanism.link_com, mechanism.link_inertia)
    )
    for name, new in properties.items():
        link = mechanism.links.index(name)
        masses[link], coms[:, link], inertias[:, :, link] = new.mass, new.com, new.inertia
    return merged(replace(mechanism, link_mass=masses, link_com=coms, link_inertia=inertias))


def merged(mechanism: Mechanism) -> Mechanism:
    """Return the mechanism with its bodies' masses summed anew from its links."""
    masses, firsts, inertias = np.zeros(mechanism.nb), np.zeros((3, mechanism.nb)), np.zeros((3, 3, mechanism.nb))
    for link, body in enumerate(mechanism.link_body):
        if body < 0:
            continue
        turn, p = mechanism.link_R[:, :, link], mechanism.link_p[:, link]
        c, mass = turn @ mechanism.link_com[:, link] + p, float(mechanism.link_mass[link])
        masses[body] += mass
        firsts[:, body] += mass * c
        inertias[:, :, body] += turn @ mechanism.link_inertia[:, :, link] @ turn.T
        inertias[:, :, body] += mass * (np.eye(3) * (c @ c) - np.outer(c, c))
    return replace(mechanism, mass=masses, first_moment=firsts, inertia=inertias)
