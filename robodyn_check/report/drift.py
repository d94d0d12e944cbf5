"""The picture of energy along simulated motion: what does not add up at each step size, as numbers for inline SVG.

A fourth-order method loses energy as the fourth power of the step: a line of that slope goes with every picture. What
runs flatter is not the method's error but the dynamics'.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

from robodyn_check.report.charts import BOTTOM, LEFT, RIGHT, TOP
from robodyn_check.report.matrix import columns
from robodyn_check.report.words import short

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport, Result, StepErrors

#: Order of the method that every motion is integrated with.
ORDER = 4
#: Room left and right of the outer steps, in SVG units.
_INSET = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftPicture:
    """One library in one check: the path through its errors, the path of the method's order, the steps' places."""

    result: Result
    sentence: str
    measured: str
    order: str
    wrong: bool
    places: tuple[tuple[int, str], ...]
    top: str
    foot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftRow:
    """One check, one picture a library (None: not integrated, or the error was rounding)."""

    code: str
    slug: str
    pictures: tuple[DriftPicture | None, ...]


def drift_rows(model: ModelReport) -> tuple[DriftRow, ...]:
    """Return the pictures of every check that followed motions, in the columns of the page's tables."""
    found: dict[tuple[str, str], dict[str, Result]] = {}
    for result in model.results:
        if result.step_errors is not None and _drawable(result.step_errors):
            found.setdefault((result.code, result.slug), {})[result.subject] = result
    names = columns(model)
    return tuple(
        DriftRow(
            code=code,
            slug=slug,
            pictures=tuple(_picture(by_library[name], by_library) if name in by_library else None for name in names),
        )
        for (code, slug), by_library in sorted(found.items())
        if by_library.keys() & set(names)
    )


def _drawable(by_step: StepErrors) -> bool:
    return all(isfinite(error) and error > 0 for error in by_step.errors)


def _picture(result: Result, together: dict[str, Result]) -> DriftPicture:
    """Draw one library; all of a row share their axes."""
    by_step = result.step_errors
    assert by_step is not None, "only what was integrated is drawn"
    steps, errors = by_step.steps, by_step.errors
    expected = tuple(errors[0] * (step / steps[0]) ** ORDER for step in steps)
    everything = [value for one in together.values() if one.step_errors for value in _span(one.step_errors)]
    low, high = floor(log10(min(everything))), ceil(log10(max(everything)) + 0.1)

    def path(values: tuple[float, ...]) -> str:
        heights = [round(BOTTOM - (BOTTOM - TOP) * (log10(value) - low) / (high - low)) for value in values]
        return "M" + "L".join(f"{x} {y}" for (x, _), y in zip(places, heights, strict=True))

    places = tuple((_across(step, steps), f"{1e3 * step:g} ms") for step in steps)
    numbers = ", ".join(f"{short(error)} at {1e3 * step:g} ms" for step, error in zip(steps, errors, strict=True))
    wrong = result.verdict == "fail"
    return DriftPicture(
        result=result,
        sentence=f"{result.subject}, {result.slug}: energy that does not add up, {numbers}; "
        + ("it does not fall as the method's order says" if wrong else "it falls as the method's order says"),
        measured=path(errors),
        order=path(expected),
        wrong=wrong,
        places=places,
        top=f"1e{high}",
        foot=f"1e{low}",
    )


def _span(by_step: StepErrors) -> tuple[float, ...]:
    """Return what has to be inside the axes: the errors and the foot of the line of the method's order."""
    return (*by_step.errors, by_step.errors[0] * (by_step.steps[-1] / by_step.steps[0]) ** ORDER)


def _across(step: float, steps: tuple[float, ...]) -> int:
    """Return the place of a step on a log axis, the coarsest on the left."""
    share = log10(steps[0] / step) / log10(steps[0] / steps[-1])
    return round(LEFT + _INSET + (RIGHT - LEFT - 2 * _INSET) * share)
