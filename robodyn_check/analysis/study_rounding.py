"""The rounding study: what was seen, and its reduction to the largest error per check, library and population.

Every number is a largest |error| / (eps · S), and error / bound beside it. The bounds of `tolerance.factors` are
believed because these tables can be made again anywhere. `run.rounding_study` makes the observations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from robodyn_check.analysis.study_population import Case
    from robodyn_check.report.results import Result

#: The family whose checks compare nothing with a scale.
HYGIENE = "RD9"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One judged check: the largest error in eps · S (None: it has none), and error / bound.

    ``known``: the reason why a fail is a fault of the library that is recorded; "" otherwise.
    """

    code: str
    quantity: str
    verdict: str
    largest: float | None = None
    margin: float | None = None
    message: str = ""
    known: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What one subject showed on one robot: results, per quantity the digits kept; or why it was not asked.

    ``precision``: what it declares. ``trouble`` is "" where nothing went wrong. ``seconds``: the time that it took.
    """

    case: Case
    subject: str
    precision: str = "double"
    measured: tuple[Measured, ...] = ()
    digits: Mapping[str, float] = field(default_factory=dict)
    trouble: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extreme:
    """The largest error in eps · S and the largest error / bound over ``robots`` robots, and where the latter was."""

    largest: float = 0.0
    margin: float = 0.0
    worst: str = ""
    robots: int = 0

    def with_one_more(self, measured: Measured, where: str) -> Extreme:
        """Return the extreme with one more robot."""
        margin = measured.margin or 0.0
        return Extreme(
            largest=max(self.largest, measured.largest or 0.0),
            margin=max(self.margin, margin),
            worst=where if margin > self.margin else self.worst,
            robots=self.robots + 1,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """A fail or an error about a subject that is taken for right."""

    case: Case
    subject: str
    measured: Measured


@dataclass(slots=True, kw_only=True)
class Summary:
    """The study reduced. ``Row`` is (code, quantity).

    over_all, by_subject, by_population: the extremes of a row. seen: robots per subject and population. digits: per
    quantity and subject, one number a robot. known: robots per (subject, reason). troubles: per (subject, kind) how
    often, and the first one in words.
    """

    over_all: dict[tuple[str, str], Extreme] = field(default_factory=dict)
    by_subject: dict[tuple[str, str, str], Extreme] = field(default_factory=dict)
    by_population: dict[tuple[str, str, str], Extreme] = field(default_factory=dict)
    seen: dict[str, dict[str, int]] = field(default_factory=dict)
    precision: dict[str, str] = field(default_factory=dict)
    digits: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    alarms: list[Alarm] = field(default_factory=list)
    known: dict[tuple[str, str], int] = field(default_factory=dict)
    troubles: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)

    def add(self, observation: Observation) -> None:
        """Take one more observation in."""
        subject, case = observation.subject, observation.case
        if observation.trouble:
            kind = observation.trouble.partition(":")[0]
            count, first = self.troubles.get((subject, kind), (0, f"{case}: {observation.trouble}"))
            self.troubles[subject, kind] = (count + 1, first)
        self.precision[subject] = observation.precision
        by_population = self.seen.setdefault(subject, {})
        by_population[case.population] = by_population.get(case.population, 0) + bool(observation.measured)
        for quantity, kept in observation.digits.items():
            self.digits.setdefault((quantity, subject), []).append(kept)
        for reason in {measured.known for measured in observation.measured if measured.known}:
            self.known[subject, reason] = self.known.get((subject, reason), 0) + 1
        for measured in observation.measured:
            self._take(measured, observation)

    def _take(self, measured: Measured, observation: Observation) -> None:
        """Count one result: an alarm, a number, or nothing where a recorded fault speaks."""
        case, subject = observation.case, observation.subject
        if measured.known:
            return
        if measured.verdict in {"fail", "error"}:
            self.alarms.append(Alarm(case=case, subject=subject, measured=measured))
        if measured.margin is None or measured.code.startswith(HYGIENE) or measured.verdict == "error":
            return
        row, where = (measured.code, measured.quantity), f"{case} {subject}"
        one = self.by_subject.get((*row, subject), Extreme())
        self.by_subject[*row, subject] = one.with_one_more(measured, where)
        if observation.precision == "double":
            self.over_all[row] = self.over_all.get(row, Extreme()).with_one_more(measured, where)
            here = self.by_population.get((*row, case.population), Extreme())
            self.by_population[*row, case.population] = here.with_one_more(measured, where)


def summarise(observations: Iterable[Observation]) -> Summary:
    """Reduce observations, one after the other, so that none has to be kept."""
    summary = Summary()
    for observation in observations:
        summary.add(observation)
    return summary


def measured_of(result: Result) -> Measured | None:
    """Keep of a result what the study needs; None for a skip or a warning."""
    if result.verdict in {"skip", "warn"}:
        return None
    bad = result.verdict != "pass"
    return Measured(
        code=result.code,
        quantity=result.quantity or "",
        verdict=result.verdict,
        largest=max((error for error in result.errors if error is not None), default=None),
        margin=result.margin,
        message=(result.message or "") if bad else "",
        known=result.known.reason if result.known is not None else "",
    )
