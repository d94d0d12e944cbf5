"""A mechanism with other mass properties or placements of its links, merged into its bodies again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.model.placements import MassProperties

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.mechanism import Mechanism

_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def symmetric(entries: FloatArray) -> FloatArray:
    """Return the (3, 3) matrix of xx xy xz yy yz zz."""
    matrix = np.zeros((3, 3))
    for (i, j), entry in zip(_PAIRS, entries, strict=True):
        matrix[i, j] = matrix[j, i] = entry
    return matrix


def with_parameters(mechanism: Mechanism, link: int, change: FloatArray) -> Mechanism:
    """Return the mechanism with a change added to one link's ten parameters (m, m c, I about the link's origin).

    A link that is left without mass loses its first moment too: no body has one without the other.
    """
    mass, com = float(mechanism.link_mass[link]), np.asarray(mechanism.link_com[:, link], dtype=float)
    about_origin = mechanism.link_inertia[:, :, link] + _steiner(mass, com) + symmetric(change[4:])
    new_mass, first = mass + change[0], mass * com + change[1:4]
    new_com = first / new_mass if abs(new_mass) > 1e-12 * abs(mass) else np.zeros(3)
    properties = MassProperties(mass=new_mass, com=new_com, inertia=about_origin - _steiner(new_mass, new_com))
    return with_links(mechanism, {mechanism.links[link]: properties})


def _steiner(mass: float, com: FloatArray) -> FloatArray:
    """Return m (c² 1 - c cᵀ), (3, 3)."""
    shift: FloatArray = mass * (np.eye(3) * (com @ com) - np.outer(com, com))
    return shift


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
        inertias[:, :, body] += _steiner(mass, c)
    return replace(mechanism, mass=masses, first_moment=firsts, inertia=inertias)
