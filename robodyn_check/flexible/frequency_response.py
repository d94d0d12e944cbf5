"""Frequency responses of elastic joints: magnitudes, and phases that tell collocated from non-collocated outputs.

jω Θ/T is positive real (the motor's speed at its own torque: no frequency gives energy back), so the phase of Θ/T is
that of jω Θ/T less 90°: never below -180°, never above 0°. The phase of Q/T has no such limit; it is followed from the
lowest frequency on, with steps as small as its fastest turn needs, to -360° (D = 0) or -270° (D > 0) for one joint.

Without dampers both are real and jump by 180° at poles and zeros. The way round is then that of vanishing damping: the
phase is taken with dampers too small to shift it by more than rounding to a multiple of 180° takes back.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.flexible.linear import antiresonances, natural_modes, transfer

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.flexible.linear import Linearisation, Output

    FloatArray = npt.NDArray[np.float64]
    ComplexArray = npt.NDArray[np.complex128]

#: Vanishing damping: D = this · K / (highest frequency).
_SLIGHT = 1e-7
#: A turn of the phase between two frequencies that is followed without looking between them, rad.
_TURN = 1.0
#: Two frequencies this close are one: no turn hides between them.
_CLOSE = 1e-13
#: Curves reach this far beyond the lowest and highest feature, and have this many points a decade.
_BEYOND, _A_DECADE = 5.0, 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Response:
    """One transfer function from a joint's motor torque: frequency (F,) rad/s, magnitude (F,) rad/(N m), phase (F,) °.

    ``poles`` and ``zeros``: undamped frequencies of its resonances and antiresonances, rad/s; zeros of Θ/T only.
    """

    joint: int
    output: Output
    frequency: FloatArray
    magnitude: FloatArray
    phase: FloatArray
    poles: FloatArray
    zeros: FloatArray


def response(linear: Linearisation, joint: int, output: Output, *, frequency: FloatArray | None = None) -> Response:
    """Return the response of one joint's motor or link angle to its own motor torque.

    Args:
        linear: The pose.
        joint: Index into v.
        output: "motor" (Θ/T) or "link" (Q/T).
        frequency: Ascending, rad/s; None: from below the lowest feature to above the highest, denser at each.
    """
    squared = natural_modes(linear).squared
    resonances = np.sqrt(squared[squared > squared[-1] * 1e-12])
    zeros = antiresonances(linear, joint) if output == "motor" else np.empty(0)
    omega = _grid(np.concatenate([resonances, zeros])) if frequency is None else frequency
    values = _on_axis(linear, joint, omega, output)
    return Response(
        joint=joint,
        output=output,
        frequency=omega,
        magnitude=np.abs(values),
        phase=_collocated(omega, values) if output == "motor" else _followed(linear, joint, omega),
        poles=resonances,
        zeros=zeros,
    )


def _grid(features: FloatArray) -> FloatArray:
    """Return frequencies on a log scale, denser where a curve turns fast."""
    low, high = features.min() / _BEYOND, features.max() * _BEYOND
    plain = np.geomspace(low, high, int(np.log10(high / low) * _A_DECADE) + 2)
    near = np.concatenate([-np.geomspace(0.1, 1e-4, 12), np.geomspace(1e-4, 0.1, 12)])
    return np.unique(np.concatenate([plain, (features[:, None] * (1.0 + near)).ravel()]))


def _collocated(omega: FloatArray, values: ComplexArray) -> FloatArray:
    """Return the phase of Θ/T in degrees, in [-180, 0] up to the rounding of the values."""
    return np.asarray(np.degrees(_angle(1j * omega * values)) - 90.0)


def _followed(linear: Linearisation, joint: int, omega: FloatArray) -> FloatArray:
    """Return the phase of Q/T in degrees, continuous from the lowest frequency on."""
    undamped = not linear.damping.any()
    if undamped:
        highest = natural_modes(linear).elastic[-1]
        linear = dataclasses.replace(linear, damping=_SLIGHT * linear.stiffness / highest)
    dense = omega
    angle = _angle(_on_axis(linear, joint, dense, "link"))
    while True:
        turn = np.abs(np.remainder(np.diff(angle) + np.pi, 2.0 * np.pi) - np.pi)
        wide = (turn > _TURN) & (np.diff(dense) > _CLOSE * dense[1:])
        if not wide.any():
            break
        middle = (dense[:-1] + dense[1:])[wide] / 2.0
        order = np.argsort(np.concatenate([dense, middle]), kind="stable")
        dense = np.concatenate([dense, middle])[order]
        angle = np.concatenate([angle, _angle(_on_axis(linear, joint, middle, "link"))])[order]
    phase = np.degrees(np.unwrap(angle))
    if phase[0] > 90.0:  # a rigid motion turns by -180°, which the principal value may call +180°
        phase -= 360.0
    found = phase[np.searchsorted(dense, omega)]
    return np.asarray(180.0 * np.round(found / 180.0) if undamped else found)


def _on_axis(linear: Linearisation, joint: int, omega: FloatArray, output: Output) -> ComplexArray:
    """Return the response at jω, (F,)."""
    return transfer(linear, np.asarray(1j * omega, dtype=np.complex128), output)[:, joint, joint]


def _angle(values: ComplexArray) -> FloatArray:
    """Return the principal values, rad."""
    return np.arctan2(values.imag, values.real)
