"""Parameters found by least squares, as the decimals that somebody may have written."""

from __future__ import annotations

import math

#: Significant digits of numbers that people write.
_DIGITS = 9
#: Relative error of a parameter found by least squares from answers that are right to some eps.
_UNCERTAIN = 1e-11


def neat(value: float, size: float) -> float:
    """Return the short decimal that a found parameter is, or the value itself where it is none.

    Args:
        value: The parameter as found.
        size: The size of the numbers that it was found among: what is far below it is zero.
    """
    if not math.isfinite(value) or abs(value) <= _UNCERTAIN * size:
        return 0.0 if math.isfinite(value) else value
    short = float(f"{value:.{_DIGITS}g}")
    return short if abs(short - value) <= _UNCERTAIN * max(size, abs(value)) else value
