"""Masses, centres of mass and inertias of two bodies beside each other.

Each is compared with the largest entry of its own kind, so that 1e-12 of a body's mass is seen whatever else it has.
What the sums and frames of a merge may have rounded is no difference: a centre of mass far from the frame keeps eps of
that distance, and an inertia about it the same times mass and radius of gyration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from robodyn_check.sdk.readback import BodyReadback

    FloatArray = npt.NDArray[np.float64]

#: Rounding units that frames and sums of a merge may cost.
EPS = 2.0**-52
_ROUNDED = 32 * EPS
#: Significant digits that tell any two doubles apart.
_ALL = 17
_ORDER = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Body:
    """Mass, kg; centre of mass (3,) m; inertia about it (3, 3) kg m²; how far out its parts stand, m; their number."""

    mass: float
    com: FloatArray
    inertia: FloatArray
    reach: float
    parts: int = 1


def alone(body: BodyReadback) -> Body:
    """Return one body in its own frame."""
    com = np.array(body.com)
    reach = float(np.linalg.norm(com) + np.linalg.norm(body.translation))
    return Body(mass=body.mass, com=com, inertia=np.array(body.inertia), reach=reach)


def together(bodies: Sequence[BodyReadback]) -> Body:
    """Return the sum of bodies on one joint, in the joint's frame after motion."""
    turns = [np.array(body.rotation) for body in bodies]
    centres = [turn @ body.com + np.array(body.translation) for turn, body in zip(turns, bodies, strict=True)]
    mass = float(sum(body.mass for body in bodies))
    first = sum((body.mass * c for body, c in zip(bodies, centres, strict=True)), np.zeros(3))
    com = first / mass if mass else np.zeros(3)
    inertia = np.zeros((3, 3))
    for body, turn, c in zip(bodies, turns, centres, strict=True):
        d = c - com
        inertia += turn @ np.array(body.inertia) @ turn.T + body.mass * (np.eye(3) * (d @ d) - np.outer(d, d))
    far = (float(np.linalg.norm(c) + np.linalg.norm(b.translation)) for b, c in zip(bodies, centres, strict=True))
    reach = max(far, default=0.0)
    return Body(mass=mass, com=com, inertia=inertia, reach=reach, parts=len(bodies))


def change(right: Body, held: Body) -> tuple[float, float, float]:
    """Return the changes of mass, centre of mass and inertia, each beside the largest entry of its kind.

    What rounding may have made is taken away. A body without mass has no centre of mass.
    """
    size = float(np.abs(right.inertia).max())
    gyration = (size * right.mass) ** 0.5 if right.mass > 0 else 0.0  # mass times radius of gyration
    moved = float(np.abs(held.com - right.com).max()) if right.mass or held.mass else 0.0
    turned = float(np.abs(held.inertia - right.inertia).max())
    rounded = _ROUNDED + max(right.parts, held.parts) * EPS  # one more for each term of the sums
    return (
        _share(abs(held.mass - right.mass), abs(right.mass), 0.0),
        _share(moved, float(np.abs(right.com).max()), rounded * right.reach),
        _share(turned, size, rounded * right.reach * gyration),
    )


def compared(right: Body, held: Body, relative: float) -> str:
    """Say how two bodies differ by more than a relative difference; nothing where they do not."""
    mass, com, inertia = (one > relative for one in change(right, held))
    parts = []
    if mass:
        parts.append("mass {} kg, the file {} kg".format(*_both([held.mass], [right.mass])))
    if com:
        parts.append("centre of mass ({}), the file ({}) m".format(*_both(held.com, right.com)))
    if inertia:
        got, expected = ([one[i, j] for i, j in _ORDER] for one in (held.inertia, right.inertia))
        parts.append("inertia ({}), the file ({}) kg m²".format(*_both(got, expected)))
    return "; ".join(parts)


def listed(values: Iterable[float], digits: int = 6) -> str:
    """Return numbers for people."""
    return ", ".join(f"{value:.{digits}g}" for value in values)


def _both(held: Iterable[float], right: Iterable[float]) -> tuple[str, str]:
    """Return both lists of numbers; with all their digits where fewer would show the same."""
    held, right = list(held), list(right)
    short = listed(held), listed(right)
    return short if short[0] != short[1] else (listed(held, _ALL), listed(right, _ALL))


def _share(change: float, size: float, rounded: float) -> float:
    left = max(0.0, change - rounded)
    if not left:
        return 0.0
    return left / size if size else float("inf")
