"""Runs a version bump: both environments, one run that asks both versions the same states, the comparison."""

from __future__ import annotations

import dataclasses
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import AdapterMissing, UsageError
from robodyn_check.harness.discovery import find_adapters, named_file
from robodyn_check.harness.spec import parse_spec
from robodyn_check.pipeline import run
from robodyn_check.quantities import QUANTITIES
from robodyn_check.regression.bump import (
    Bump,
    ModelBump,
    QuantityBump,
    Side,
    bump_sentence,
    exit_code_of,
    standing,
    status_of,
)
from robodyn_check.regression.calls import call_changes, describe_calls
from robodyn_check.regression.packages import installed, package_changes
from robodyn_check.regression.readbacks import held_changes
from robodyn_check.regression.timing import paired_timing
from robodyn_check.regression.values import base_answers, base_request, compare
from robodyn_check.requests import Answer
from robodyn_check.run.gathered import mechanism_record
from robodyn_check.sdk.records import to_json
from robodyn_check.settings import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.regression.bump import Standing, Timing
    from robodyn_check.regression.calls import CallChange
    from robodyn_check.regression.packages import PackageChange
    from robodyn_check.regression.readbacks import HeldChange
    from robodyn_check.regression.values import Change
    from robodyn_check.report.results import ModelReport, Report
    from robodyn_check.run.gathered import Gathered
    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Setting, Subject
    from robodyn_check.settings import Settings


@dataclass(slots=True, kw_only=True, eq=False)
class _Seen:
    """What is taken from the living libraries of one model."""

    changes: dict[str, Change] = field(default_factory=dict)
    timings: dict[str, Timing] = field(default_factory=dict)
    answered: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    offered: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    failures: dict[tuple[int, str], str] = field(default_factory=dict)
    held: tuple[HeldChange, ...] = ()
    obstacles: tuple[str, str] = ("", "")
    interpreters: tuple[str, str] = ("", "")
    notes: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def bump(
    settings: Settings,
    library: str,
    old: str,
    new: str,
    *,
    timings: bool = True,
    progress: Callable[[str], None] | None = None,
) -> tuple[Bump, Report]:
    """Compare two versions of a library on the models of the settings.

    Args:
        settings: Models, states, adapters; its libraries are not used.
        library: An adapter's name, with a profile if need be, or its library's name on the package index (``pin``).
        old: A version, ``current`` for the installed one, or ``@PATH`` of an interpreter.
        new: The same.
        timings: Measure the time of both as well.
        progress: Told at every step.

    Returns:
        The comparison, and the ordinary report about both versions that it is drawn from.

    Raises:
        UsageError: No such library, or the two are the same.
        AdapterMissing: A version that cannot be had or does not start.
        ModelError: A model that cannot be read.
    """
    name, adapter = resolve(settings, library)
    specs = (spec_text(name, old), spec_text(name, new))
    if specs[0] == specs[1]:
        raise UsageError(f"{old} and {new} are the same version of {name}; name two")
    seen: dict[str, _Seen] = {}

    def watch(gathered: Gathered) -> None:
        seen[gathered.path] = _look(gathered, timings=timings, say=progress or (lambda _text: None))

    report = run(dataclasses.replace(settings, lib=specs), progress=progress, watch=watch)
    whole = [(path, model) for path, model in zip(settings.models, report.models, strict=False) if path in seen]
    models = tuple(_model_bump(model, specs, seen[path], path) for path, model in whole)
    sides = [_side(report, spec, [seen[path].notes[k] for path, _ in whole]) for k, spec in enumerate(specs)]
    packages, calls = _environments(adapter, [seen[path].interpreters for path, _ in whole])
    versions = [side.version or word for side, word in zip(sides, (old, new), strict=True)]
    result = Bump(
        library=name,
        old=sides[0],
        new=sides[1],
        models=models,
        calls=calls,
        packages=packages,
        sentence=bump_sentence(name, versions[0], versions[1], models, calls),
        exit_code=exit_code_of(models, fail_on=settings.fail_on) if report.complete else report.exit_code,
        again=_again(settings, library, old, new),
        complete=report.complete,
    )
    return result, report


def resolve(settings: Settings, library: str) -> tuple[str, AdapterFile]:
    """Return the spec without a version, and the adapter, for an adapter's name or its library's name.

    Raises:
        UsageError: There is none; the message has the nearest.
    """
    own = {file.name: file for file in map(named_file, map(Path, settings.adapter))}
    adapters = {**find_adapters(), **own}
    spec = parse_spec(library)
    by_library = {file.library.lower(): name for name, file in adapters.items() if file.library}
    name = spec.name if spec.name in adapters else by_library.get(spec.name.lower(), "")
    if not name:
        known = tuple(sorted({*adapters, *by_library}))
        raise UsageError(f"there is no library {spec.name!r}.{nearest(spec.name, known)} Known: {', '.join(known)}.")
    if spec.version or spec.python:
        raise UsageError(f"{library}: name the library alone; the versions follow it")
    return f"{name}:{spec.profile}" if spec.profile else name, adapters[name]


def spec_text(name: str, version: str) -> str:
    """Return the library spec of a version word."""
    if version == "current":
        return name
    return f"{name}{version}" if version.startswith("@") else f"{name}=={version}"


def _look(gathered: Gathered, *, timings: bool, say: Callable[[str], None]) -> _Seen:
    """Compare answers, readbacks and timings while both libraries are alive.

    Raises:
        AdapterMissing: A version that is not there can be neither better nor worse.
    """
    old, new = gathered.asked
    missing = next((one.error for one in (old, new) if isinstance(one.error, AdapterMissing)), None)
    if missing is not None:
        raise missing
    setting = gathered.setting
    assert setting is not None, "watched only after the run of a model"
    assert gathered.robot is not None, "the same"
    assert gathered.mechanism is not None, "the same"
    seen = _Seen(
        obstacles=(_obstacle(old), _obstacle(new)),
        interpreters=(_interpreter(old), _interpreter(new)),
        notes=(_notes(old), _notes(new)),
        offered=(_offered(old), _offered(new)),
    )
    held = [None if one.loaded is None else to_json(one.loaded.readback) for one in (old, new)]
    seen.held = held_changes(held[0], held[1], gathered.robot, mechanism_record(gathered.robot, gathered.mechanism))
    numbers = [_numbers(setting, one.subject, side, seen) for side, one in enumerate((old, new))]
    seen.answered = (frozenset(numbers[0]), frozenset(numbers[1]))
    for quantity in QUANTITIES:
        if old.subject is None or new.subject is None or quantity not in seen.answered[0] & seen.answered[1]:
            continue
        one, two = numbers[0][quantity].values, numbers[1][quantity].values
        if one.shape == two.shape:
            seen.changes[quantity] = compare(setting, quantity, one, two, precision=old.subject.declared.precision)
        if timings:
            say(f"timing {quantity}")
            timing = paired_timing(old.subject, new.subject, base_request(setting, old.subject, quantity))
            if timing is not None:
                seen.timings[quantity] = timing
    return seen


def _numbers(setting: Setting, subject: Subject | None, side: int, seen: _Seen) -> dict[str, Answer]:
    """Return the answers of one side that have numbers; why others have none is remembered."""
    numbers = {}
    for quantity, answer in ({} if subject is None else base_answers(setting, subject)).items():
        failed = answer.failures if isinstance(answer, Answer) else (answer,)
        if failed:
            seen.failures[side, quantity] = failed[0].message
        if isinstance(answer, Answer):
            numbers[quantity] = answer
    return numbers


def _obstacle(asked: Asked) -> str:
    return "" if asked.error is None else str(asked.error).removeprefix(f"{asked.name}: ")


def _interpreter(asked: Asked) -> str:
    return "" if asked.session is None or asked.adapter.kind == "program" else asked.session.launch.command[0]


def _notes(asked: Asked) -> tuple[str, ...]:
    return () if asked.session is None else asked.session.launch.notes


def _offered(asked: Asked) -> frozenset[str]:
    return frozenset(asked.adapter.quantities if asked.subject is None else asked.subject.declared.quantities)


def _model_bump(model: ModelReport, specs: Sequence[str], seen: _Seen, path: str) -> ModelBump:
    quantities = []
    for quantity in QUANTITIES:
        if quantity not in seen.offered[0] | seen.offered[1]:
            continue
        old, new = (_standing(model, spec, quantity, seen, side) for side, spec in enumerate(specs))
        answered = (quantity in seen.answered[0], quantity in seen.answered[1])
        change = seen.changes.get(quantity)
        status = status_of(
            old, new, change, answered=answered, offered=(quantity in seen.offered[0], quantity in seen.offered[1])
        )
        if seen.obstacles[0] and answered[1]:
            status = "newly loaded" if new.verdict not in {"fail", "error"} else "wrong in both"
        if seen.obstacles[1] and not seen.obstacles[0] and quantity in seen.offered[0]:
            status = "newly refused"
        quantities.append(
            QuantityBump(
                quantity=quantity,
                status=status,
                old=old,
                new=new,
                change=change,
                timing=seen.timings.get(quantity),
                message=new.message or old.message,
            )
        )
    return ModelBump(
        path=path,
        sha256=model.model.sha256,
        states=0 if model.states is None else model.states.count,
        seed=0 if model.states is None else model.states.seed,
        quantities=tuple(quantities),
        held=seen.held,
        obstacles=seen.obstacles,
    )


def _standing(model: ModelReport, spec: str, quantity: str, seen: _Seen, side: int) -> Standing:
    """Return a standing whose message is the library's own words where it failed to answer."""
    found = standing(model, spec, quantity)
    words = seen.failures.get((side, quantity), "")
    return dataclasses.replace(found, message=words) if words and found.verdict != "fail" else found


def _side(report: Report, spec: str, notes: Sequence[tuple[str, ...]]) -> Side:
    records = [one for model in report.models for one in model.subjects if one.name == spec]
    first = next((one for one in records if one.version), records[0] if records else None)
    if first is None:
        return Side(spec=spec, version=None)
    return Side(spec=spec, version=first.version, environment=first.environment, notes=next(iter(notes), ()))


def _environments(
    adapter: AdapterFile, interpreters: Sequence[tuple[str, str]]
) -> tuple[tuple[PackageChange, ...], tuple[CallChange, ...]]:
    """Compare packages and calls of the two interpreters that were used."""
    for old, new in interpreters:
        if old and new and adapter.kind == "python":
            sides = (Path(old), Path(new))
            packages: list[Mapping[str, str]] = [installed(side) for side in sides]
            calls: list[Mapping[str, str]] = [describe_calls(side, adapter.path) for side in sides]
            return package_changes(packages[0], packages[1]), call_changes(calls[0], calls[1])
    return (), ()


def _again(settings: Settings, library: str, old: str, new: str) -> str:
    words = ["robodyn-check", "bump", library, old, new, *settings.models]
    for path in settings.adapter:
        words += ["--adapter", path]
    return shlex.join([*words, "--samples", str(settings.samples), "--seed", str(settings.seed)])
