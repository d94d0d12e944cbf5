"""Judges a saved run again, by today's checks and reference, from its report and its values; no library is asked.

A library that gave no answers keeps the results of the saved run. What a new check would like to ask and was not asked
then is "unsupported", a skip.
"""

from __future__ import annotations

import dataclasses
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, cast

from robodyn_check.errors import UsageError
from robodyn_check.harness.metadata import AdapterFile
from robodyn_check.harness.session import Loaded
from robodyn_check.harness.spec import parse_spec
from robodyn_check.pipeline import check_model, conclude
from robodyn_check.requests import Failure
from robodyn_check.run.assemble import REFERENCE, make_report
from robodyn_check.run.gathered import Gathered
from robodyn_check.run.judgement import judge_properties
from robodyn_check.run.libraries import Asked
from robodyn_check.run.questions import question
from robodyn_check.run.repeating import NOT_REPEATABLE
from robodyn_check.run.subjects import Subject
from robodyn_check.sdk.layout import Layout
from robodyn_check.sdk.protocol import PROTOCOL_VERSION, AdapterInfo
from robodyn_check.sdk.readback import Readback
from robodyn_check.sdk.records import from_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from robodyn_check.checks.registry import Check
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.regression.sidecar import SubjectValues, Values
    from robodyn_check.report.results import ModelReport, Report, Result, SubjectRecord
    from robodyn_check.run.libraries import Libraries
    from robodyn_check.run.subjects import Setting
    from robodyn_check.settings import Settings

NOT_ASKED = Failure(kind="unsupported", message="was not asked in the saved run")


def rejudge(
    report: Report, values: Values, settings: Settings, *, progress: Callable[[str], None] | None = None
) -> Report:
    """Judge every model of a saved run again.

    Args:
        report: The saved report.
        values: Its sidecar.
        settings: What to select, ignore, certify and fail on; models, libraries and states are the report's.
        progress: Told at every step.

    Raises:
        ModelError: A model that cannot be read any more.
        UsageError: A model that is another file now, or without states.
    """
    say = progress or (lambda _text: None)
    done = [_model(model, values, settings, say) for model in report.models]
    paths = tuple(model.model.path for model in report.models)
    first = next((model.states for model in report.models if model.states is not None), None)
    shown = dataclasses.replace(settings, models=paths)
    if first is not None:
        shown = dataclasses.replace(shown, samples=first.count, seed=first.seed)
    again = make_report(done, shown, complete=report.complete)
    return dataclasses.replace(again, command=report.command, values_file=report.values_file)


def _model(model: ModelReport, values: Values, settings: Settings, say: Callable[[str], None]) -> ModelReport:
    states, path = model.states, model.model.path
    if states is None:
        raise UsageError(f"{path}: the saved run has no states of this model, so nothing can be judged again")
    names = tuple(one.name for one in model.subjects if one.name != REFERENCE)
    gathered = Gathered(
        path=path,
        settings=dataclasses.replace(
            settings,
            models=(path,),
            lib=names,
            samples=states.count,
            seed=states.seed,
            base=states.base,
            gravity=states.gravity,
        ),
    )
    records = {one.name: one for one in model.subjects}
    saved = _Saved(records, {name: values[path, name] for name in names if (path, name) in values})
    # it has the one method that judging calls
    check_model(gathered, cast("Libraries", saved), say)
    assert gathered.robot is not None, "check_model read it"
    if gathered.robot.sha256 != model.model.sha256:
        raise UsageError(f"{path} is not the file that was checked (its SHA-256 differs); check it anew")
    gathered.records = [one if one.name == REFERENCE else records[one.name] for one in gathered.records]
    gathered.results = _not_repeatable(gathered.results, model.results)
    for name in names:
        if name not in saved.values:
            gathered.records.append(records[name])
            gathered.results.extend(one for one in model.results if one.subject == name)
    return conclude(gathered)


def _not_repeatable(results: Sequence[Result], before: Sequence[Result]) -> list[Result]:
    """Return the results with the errors of the saved run in place of fails that did not come back then."""
    told = {
        _claim(result): result
        for result in before
        if result.verdict == "error" and result.cause is not None and result.cause.name == NOT_REPEATABLE
    }
    return [told.get(_claim(result), result) if result.verdict == "fail" else result for result in results]


def _claim(result: Result) -> tuple[str, str, str | None, str | None]:
    return result.subject, result.code, result.quantity, result.against


class _Saved:
    """Stands where the living libraries stand in a run: their answers are here already."""

    def __init__(self, records: dict[str, SubjectRecord], values: dict[str, SubjectValues]) -> None:
        self.records, self.values = records, values

    def question(
        self, setting: Setting, _robot: RobotModel, checks: Sequence[Check], without: Mapping[str, str]
    ) -> list[Future[Asked]]:
        """Return what every library said, judged by itself."""
        futures = []
        for name, kept in self.values.items():
            future: Future[Asked] = Future()
            future.set_result(_asked(self.records[name], kept, setting, checks, without))
            futures.append(future)
        return futures


def _asked(
    record: SubjectRecord,
    kept: SubjectValues,
    setting: Setting,
    checks: Sequence[Check],
    without: Mapping[str, str],
) -> Asked:
    """Return a library as it was after the saved run."""
    subject = Subject(
        declared=kept.declared,
        answer=lambda requests: {request.key: NOT_ASKED for request in requests},
        budget=kept.budget,
        answers=kept.answers,
        asked={key for key, _ in kept.answers.items()},
    )
    spec = parse_spec(record.name)
    info = AdapterInfo(
        protocol=PROTOCOL_VERSION,
        name=spec.name,
        version=record.version or "",
        quantities=tuple(record.quantities),
        library=record.library,
        symmetric_by_construction=kept.declared.symmetric_by_construction,
    )
    readback = None if record.readback is None else from_json(Readback, record.readback, "readback")
    layout = Layout(joints=(), links=(), nq=0, nv=0)
    broken = question(setting, subject, checks)
    return Asked(
        spec=spec,
        adapter=AdapterFile(name=spec.name, path=Path(), library=record.library),
        loaded=Loaded(layout=layout, readback=readback, notes=record.notes, info=info),
        subject=subject,
        broken=broken,
        properties=tuple(judge_properties(setting, subject, checks, broken=broken, without=without)),
    )
