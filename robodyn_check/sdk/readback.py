"""The model as a library holds it after loading: what `Adapter.readback` returns, and the shape of ``mechanism``.

The same shape is handed to an adapter that declares ``needs_mechanism``. Plain values, JSON-ready by
`dataclasses.asdict`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyReadback:
    """One link or merged body: mass (kg), centre of mass (m) and inertia about it (kg m²), both in ``frame`` axes.

    ``name``: the link's name, or the joint's where the library keeps bodies by joint. ``joint``: the moving joint that
    carries it (None: the world). ``links``: the links merged into it, as far as the library tells.
    ``rotation``, ``translation``: placement of this body's frame in the frame of the joint after motion.
    """

    name: str
    mass: float
    com: Vector
    inertia: Matrix
    joint: str | None = None
    links: tuple[str, ...] = ()
    rotation: Matrix = IDENTITY
    translation: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointReadback:
    """One joint, moving or fixed, in file order.

    ``parent`` and ``child`` are link names (parent None: the world). ``rotation``, ``translation``: the joint frame
    before motion in the parent link's frame. ``axis`` in the joint frame. Values that the library does not keep: None.
    """

    name: str
    kind: str
    parent: str | None = None
    child: str | None = None
    rotation: Matrix | None = None
    translation: Vector | None = None
    axis: Vector | None = None
    armature: tuple[float, ...] | None = None
    damping: tuple[float, ...] | None = None
    friction: tuple[float, ...] | None = None
    child_rotation: Matrix | None = None
    child_translation: Vector | None = None
    reference: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Readback:
    """Everything a library lets us see of the loaded model; None or empty: it does not show it."""

    bodies: tuple[BodyReadback, ...] = ()
    joints: tuple[JointReadback, ...] = ()
    gravity: Vector | None = None
    total_mass: float | None = None
    precision: str = "double"
    warnings: tuple[str, ...] = ()


def vector(values: Iterable[Any]) -> Vector:
    """Return three numbers, of any array, as plain doubles."""
    x, y, z = values
    return (float(x), float(y), float(z))


def matrix(values: Iterable[Iterable[Any]]) -> Matrix:
    """Return 3×3 numbers, of any array, as plain doubles."""
    return cast("Matrix", tuple(vector(row) for row in values))


def numbers(values: Iterable[Any]) -> tuple[float, ...]:
    """Return numbers, of any array, as plain doubles."""
    return tuple(float(value) for value in values)
