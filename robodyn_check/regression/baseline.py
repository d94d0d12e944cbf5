"""A run held against a baseline: an earlier report with its values.

What was already wrong in the baseline is known here and does not fail the run; what the libraries answer is compared
with the baseline's values, exactly and with the bounds.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.quantities import QUANTITIES
from robodyn_check.regression.findings import BAD, name_of, named, plain_model, plain_subject
from robodyn_check.regression.sidecar import read
from robodyn_check.regression.values import base_answers, compare
from robodyn_check.report.json_format import read_report
from robodyn_check.report.results import Known, ModelReport, Result, Worst
from robodyn_check.report.words import plural
from robodyn_check.requests import Answer

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.regression.findings import Name
    from robodyn_check.regression.sidecar import SubjectValues, Values
    from robodyn_check.regression.values import Change
    from robodyn_check.report.results import Report
    from robodyn_check.run.gathered import Gathered
    from robodyn_check.run.subjects import Subject

CODE, SLUG = "RD945", "answers-as-in-the-baseline"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baseline:
    """An earlier run; `watch` is handed to the pipeline."""

    path: str
    report: Report
    values: Values
    bad: frozenset[Name]

    def watch(self, gathered: Gathered) -> None:
        """Compare the answers about one model, and flag what the baseline had already."""
        model = gathered.model_report()
        before = self._model(model)
        known = Known(reason=f"already in the baseline {self.path}", link=None, source=self.path)
        gathered.results = [
            dataclasses.replace(one, known=known)
            if one.verdict in BAD and one.known is None and name_of(model, one) in self.bad
            else one
            for one in gathered.results
        ]
        for asked in gathered.asked:
            if before is None:
                text = f"the baseline {self.path} has no model {plain_model(gathered.path)}"
                gathered.results.append(_result(asked.name, "skip", message=text))
            elif asked.subject is not None:
                gathered.results.extend(self._compared(gathered, asked.subject, model, before))

    def _model(self, model: ModelReport) -> ModelReport | None:
        name = plain_model(model.model.path)
        return next((one for one in self.report.models if plain_model(one.model.path) == name), None)

    def _compared(self, gathered: Gathered, subject: Subject, model: ModelReport, before: ModelReport) -> list[Result]:
        """Return one result per quantity that this run or the baseline has."""
        if before.model.sha256 != model.model.sha256 or before.states != model.states:
            text = "not comparable: the model file or the states are not those of the baseline; save it again"
            return [_result(subject.name, "skip", message=text)]
        theirs = self._subject(before.model.path, subject.name)
        if theirs is None:
            return [_result(subject.name, "skip", message=f"the baseline has no values of {subject.name}")]
        assert gathered.setting is not None, "watched only after the run of a model"
        results = []
        now = base_answers(gathered.setting, subject)
        for quantity in QUANTITIES:
            old, new = theirs.base_values(quantity), now.get(quantity)
            if old is None:
                continue
            if not isinstance(new, Answer) or new.values.shape != old.shape:
                text = f"{quantity} was answered in the baseline and is not now"
                results.append(_result(subject.name, "warn", quantity=quantity, message=text))
                continue
            change = compare(gathered.setting, quantity, old, new.values, precision=subject.declared.precision)
            results.append(_changed(subject.name, quantity, change))
        return results

    def _subject(self, path: str, name: str) -> SubjectValues | None:
        """Return the baseline's values of a library, whichever version it had."""
        exact = self.values.get((path, name))
        if exact is not None:
            return exact
        plain = plain_subject(name)
        found = [one for (model, other), one in self.values.items() if model == path and plain_subject(other) == plain]
        return found[0] if len(found) == 1 else None


def load_baseline(path: Path) -> Baseline:
    """Read a baseline that ``--save-baseline`` wrote.

    Raises:
        UsageError: It cannot be read, is incomplete, or has no values.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"--baseline {path}: cannot be read: {error.strerror}. Write one with --save-baseline."
        ) from error
    report = read_report(text)
    values = read(report, path)
    if values is None:
        raise UsageError(f"--baseline {path}: the report has no values beside it. Write it with --save-baseline.")
    if not report.complete:
        raise UsageError(f"--baseline {path}: the run that wrote it was interrupted. Write it again.")
    bad = frozenset(name for name, results in named(report).items() if any(result.verdict in BAD for result in results))
    return Baseline(path=str(path), report=report, values=values, bad=bad)


def _changed(subject: str, quantity: str, change: Change) -> Result:
    within = change.margin is not None and change.margin <= 1.0
    message = None
    if not change.is_identical:
        share = f"{plural(change.entries - change.equal, 'number')} of {change.entries} differ from the baseline"
        message = share if within else f"{quantity}: {share}, further than two right answers may be apart"
    worst = None
    if not change.is_identical:
        worst = Worst(index=change.index, labels=(), got=None, expected=None, bound=None, state=change.state)
    bound = change.largest / change.margin if change.largest and change.margin else None
    return Result(
        code=CODE,
        slug=SLUG,
        verdict="pass" if within else "warn",
        subject=subject,
        quantity=quantity,
        message=message,
        error=change.largest,
        bound=bound,
        margin=change.margin,
        worst=worst,
    )


def _result(subject: str, verdict: str, *, message: str, quantity: str | None = None) -> Result:
    return Result(
        code=CODE,
        slug=SLUG,
        verdict="skip" if verdict == "skip" else "warn",
        subject=subject,
        quantity=quantity,
        message=message,
    )
