"""The classical Runge-Kutta method of fourth order, for many trajectories at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    #: (stage, x) -> dx/dt; stage counts half steps from the start, so that forces of time can be looked up
    Rate = Callable[[int, FloatArray], FloatArray]


def runge_kutta(rate: Rate, start: FloatArray, *, step: float | FloatArray, steps: int) -> FloatArray:
    """Integrate x' = rate and return x after each step.

    Args:
        rate: Called four times a step, at half steps 2k, 2k + 1, 2k + 1 and 2k + 2.
        start: x, any shape; all trajectories advance together.
        step: h, s; an array that broadcasts against x gives each trajectory its own.
        steps: How many.

    Returns:
        (steps + 1, *shape of x), the start first.
    """
    path = np.empty((steps + 1, *start.shape))
    path[0] = x = start
    for k in range(steps):
        first = rate(2 * k, x)
        second = rate(2 * k + 1, x + step / 2.0 * first)
        third = rate(2 * k + 1, x + step / 2.0 * second)
        fourth = rate(2 * k + 2, x + step * third)
        path[k + 1] = x = x + step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
    return path
