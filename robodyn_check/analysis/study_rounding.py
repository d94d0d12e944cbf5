"""The rounding study: which robots, and the table of how far right libraries are from the certified truth.

Every cell is the largest |error| / (eps · S) that one library showed in one check, over all robots of the population;
beside it stand K and the number of robots. The bounds of `tolerance.factors` are believed because this table can be
made again anywhere. `run.rounding_study` fills it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from robodyn_check.faults.random_models import SMALL_GROUPS, random_robot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Result

#: One floating robot for so many fixed ones, one deep robot for so many.
FLOATING_SHARE, DEEP_SHARE = 3, 20
#: The family whose checks compare nothing with a scale.
HYGIENE = "RD9"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One robot of the population; the same on every machine."""

    group: str
    seed: int
    base: Literal["fixed", "floating"] = "fixed"

    def __str__(self) -> str:
        """Name the case so that it can be drawn again."""
        return f"{self.group}:{self.seed}" + (":floating" if self.base == "floating" else "")

    def robot(self) -> RobotModel:
        """Draw the robot."""
        return random_robot(self.seed, group=self.group, floating=self.base == "floating")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What one library showed on one robot: its results, and per quantity the digits it kept."""

    case: Case
    subject: str
    results: tuple[Result, ...]
    digits: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One check and library. ``largest`` is in eps · S, ``margin`` = error / bound of the worst case, None: no case.

    ``alarms`` counts the robots on which the check failed; on right libraries each is a false alarm.
    """

    code: str
    slug: str
    quantity: str
    subject: str
    largest: float
    margin: float
    worst: Case | None
    robots: int
    alarms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Digits:
    """Digits that a library kept in one quantity, against the local scale: on its worst robot and on the middle one."""

    quantity: str
    subject: str
    worst: float
    middle: float
    robots: int


def population(robots: int, *, seed: int = 0) -> tuple[Case, ...]:
    """Return the study's robots: ``robots`` small fixed ones, a third as many floating, a twentieth as many deep.

    Any prefix is mixed as well, so that a library that is too slow for all sees all groups.
    """
    cases: list[Case] = []
    for number in range(robots):
        group = SMALL_GROUPS[number % len(SMALL_GROUPS)]
        cases.append(Case(group=group, seed=seed + number))
        if number % FLOATING_SHARE == 0:
            turn = number // FLOATING_SHARE
            cases.append(Case(group=SMALL_GROUPS[turn % len(SMALL_GROUPS)], seed=seed + number, base="floating"))
        if number % DEEP_SHARE == 0:
            cases.append(Case(group="deep", seed=seed + number))
    return tuple(cases)


def tabulate(observations: Iterable[Observation]) -> tuple[Row, ...]:
    """Reduce results to one row per check, quantity and library, in the order of the codes; hygiene has no numbers."""
    rows: dict[tuple[str, str, str], Row] = {}
    for observation in observations:
        for result in observation.results:
            if result.verdict not in {"pass", "fail"} or result.margin is None or result.code.startswith(HYGIENE):
                continue
            key = (result.code, result.quantity or "", observation.subject)
            rows[key] = _extended(rows.get(key), result, observation)
    return tuple(rows[key] for key in sorted(rows))


def _extended(row: Row | None, result: Result, observation: Observation) -> Row:
    """Return the row with one more robot."""
    largest = max((error for error in result.errors if error is not None), default=0.0)
    margin = result.margin or 0.0
    before = row or Row(
        code=result.code,
        slug=result.slug,
        quantity=result.quantity or "",
        subject=observation.subject,
        largest=0.0,
        margin=0.0,
        worst=None,
        robots=0,
        alarms=0,
    )
    return Row(
        code=before.code,
        slug=before.slug,
        quantity=before.quantity,
        subject=before.subject,
        largest=max(before.largest, largest),
        margin=max(before.margin, margin),
        worst=observation.case if margin > before.margin else before.worst,
        robots=before.robots + 1,
        alarms=before.alarms + (result.verdict == "fail"),
    )


def count_digits(observations: Iterable[Observation]) -> tuple[Digits, ...]:
    """Reduce the digits kept to one entry per quantity and library."""
    found: dict[tuple[str, str], list[float]] = {}
    for observation in observations:
        for quantity, digits in observation.digits.items():
            found.setdefault((quantity, observation.subject), []).append(digits)
    return tuple(
        Digits(
            quantity=quantity,
            subject=subject,
            worst=min(digits),
            middle=sorted(digits)[len(digits) // 2],
            robots=len(digits),
        )
        for (quantity, subject), digits in found.items()
    )


def rows_as_markdown(rows: Sequence[Row], factors: Mapping[str, str]) -> str:
    """Return the table of largest errors: a row per check and quantity, a column per library.

    Args:
        rows: Of `tabulate`.
        factors: Code -> the bound as the check states it.
    """
    subjects = list(dict.fromkeys(row.subject for row in rows))
    cells = {(row.code, row.quantity, row.subject): row for row in rows}
    lines = [
        "| check | quantity | bound | " + " | ".join(subjects) + " |",
        "|---|---|---|" + "---|" * len(subjects),
    ]
    for code, quantity in dict.fromkeys((row.code, row.quantity) for row in rows):
        slug = next(row.slug for row in rows if row.code == code)
        shown = [_cell(cells.get((code, quantity, subject))) for subject in subjects]
        lines.append(f"| {code} {slug} | {quantity} | {factors.get(code, '')} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def _cell(row: Row | None) -> str:
    """Write one cell: the largest error in eps · S, and how many alarms there were."""
    if row is None:
        return "-"
    size = f"{row.largest:.2g}" if row.largest else "0"
    return f"{size} (**{row.alarms} of {row.robots} fail**)" if row.alarms else size


def digits_as_markdown(digits: Sequence[Digits]) -> str:
    """Return the table of digits kept, worst and middle robot: a row per quantity, a column per library."""
    subjects = list(dict.fromkeys(entry.subject for entry in digits))
    cells = {(entry.quantity, entry.subject): entry for entry in digits}
    lines = ["| quantity | " + " | ".join(subjects) + " |", "|---|" + "---|" * len(subjects)]
    for quantity in dict.fromkeys(entry.quantity for entry in digits):
        found = [cells.get((quantity, subject)) for subject in subjects]
        shown = [f"{entry.worst:.1f} / {entry.middle:.1f}" if entry else "-" for entry in found]
        lines.append(f"| {quantity} | " + " | ".join(shown) + " |")
    return "\n".join(lines)
