"""Numbers of the analysis in words, the same in every format."""

from __future__ import annotations

import math

#: Entries of a pose that are written out.
_SHOWN = 7


def number(value: float) -> str:
    """Return three significant digits."""
    if not math.isfinite(value):
        return "not finite"
    return "0" if value == 0 else f"{value:.3g}"


def pose(q: tuple[float, ...]) -> str:
    """Return a pose, cut after a few joints."""
    shown = " ".join(f"{value:.2f}" for value in q[:_SHOWN])
    return f"({shown}{' …' if len(q) > _SHOWN else ''})"


def span(least: float | None, most: float | None) -> str:
    """Return a range of masses; None at the upper end: the tip cannot give way in some direction."""
    if least is None:
        return "without end"
    return f"{number(least)} to {'without end' if most is None else number(most)}"
