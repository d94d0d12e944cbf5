"""The data flow of one run, from a model file to a Report (design page, section 2), and the Python API.

Libraries start first, each in its own process and thread, while the model is read. Then, in order: lint, mechanism,
states, the truth, the questions to every subject, judgement, known failures, report. An error of one library or of one
check is a result; only an unreadable model or a wrong setting ends the run.
"""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.known import apply_known, library_of
from robodyn_check.model.features import features_of
from robodyn_check.run.assemble import finished, make_report
from robodyn_check.run.explaining import explain
from robodyn_check.run.gathered import Gathered
from robodyn_check.run.ground import lay_ground
from robodyn_check.run.judgement import Standings, judge_agreement
from robodyn_check.run.known_lists import known_lists
from robodyn_check.run.libraries import Libraries, in_order
from robodyn_check.run.opposing import oppositions
from robodyn_check.run.outcomes import judge_obstacle, library_record
from robodyn_check.run.readbacks import readback_results, with_notes
from robodyn_check.run.readings import reading_results
from robodyn_check.run.reduction import judge_reduced
from robodyn_check.run.repeating import repeat_fails
from robodyn_check.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from robodyn_check.report.results import ModelReport, Report, Result
    from robodyn_check.run.ground import Ground
    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Subject
    from robodyn_check.settings import Settings

    Progress = Callable[[str], None]
    Watch = Callable[[Gathered], None]


def check(
    model: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    libraries: Sequence[str] | None = None,
    adapters: Sequence[str | PathLike[str]] = (),
    samples: int = 200,
    seed: int = 0,
    base: str = "fixed",
    gravity: Sequence[float] | None = None,
    timeout: float = 60.0,
    memory: int = 4096,
    certify: int | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    fail_on: str = "fail",
    strict: bool = False,
    known_failures: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Check what libraries compute for a robot; ``check("model.urdf", libraries=["pinocchio"]).ok``.

    Arguments alone decide: no configuration file and no environment variable is read.

    Args:
        model: A URDF or MJCF file, or several.
        libraries: Library specs ``NAME[:PROFILE][==VERSION | @PATH/TO/python]``; None asks the default ones and skips
            those that are missing. An empty list asks none: the model and the reference alone.
        adapters: Adapter files or programs of your own.
        samples: Number of states.
        seed: Seed of the states.
        base: "fixed" or "floating" (URDF; in an MJCF the file decides).
        gravity: m/s², world axes; None is the format's own.
        timeout: Seconds that one call to a library may take.
        memory: Memory of one library's process, MiB.
        certify: Number of states at which the reference is certified; None by the robot's size, 0 none.
        select: Codes, their beginnings, or slugs of checks; empty is all.
        ignore: The same, to leave out.
        fail_on: "fail", or "warn" to let warnings fail the run as well.
        strict: Do not excuse the shipped known failures of libraries.
        known_failures: A file of your own known failures.
        progress: Called with a line of text at every step.

    Returns:
        The report; ``report.ok`` is True when everything is as expected.

    Raises:
        ModelError: The model cannot be read; all its faults, with lines.
        UsageError: An argument that cannot be used.
    """
    given = {
        "models": [str(path) for path in (model if isinstance(model, list | tuple) else [model])],
        "lib": None if libraries is None else list(libraries),
        "adapter": [str(path) for path in adapters],
        "samples": samples,
        "seed": seed,
        "base": base,
        "gravity": None if gravity is None else tuple(gravity),
        "timeout": timeout,
        "memory": memory,
        "certify": certify,
        "select": list(select),
        "ignore": list(ignore),
        "fail_on": fail_on,
        "strict": strict,
        "known_failures": None if known_failures is None else str(known_failures),
    }
    return run(load_settings(given, environment={}, configuration=False), progress=progress)


def run(
    settings: Settings,
    *,
    progress: Progress | None = None,
    watch: Watch | None = None,
    done_before: Mapping[str, ModelReport] | None = None,
) -> Report:
    """Check every model of the settings, one after the other.

    An interrupt ends the run early: the report then holds what is done and says that it is not complete.

    Args:
        settings: What to do.
        progress: Told at every step.
        watch: Handed what was gathered about each model while its libraries are still alive, before it is concluded.
        done_before: Models that an earlier, interrupted run has finished, by path: they are taken as they are.

    Raises:
        ModelError: A model that cannot be read.
        UsageError: Settings that do not fit together.
    """
    if not settings.models:
        raise UsageError("no model given")
    say = progress or (lambda _text: None)
    known_lists(settings, ())  # a broken list of the user's ends the run before it begins
    done = []
    with Libraries(settings, say) as libraries:
        libraries.start()
        for path in settings.models:
            if done_before and path in done_before:
                done.append(done_before[path])
                continue
            gathered = Gathered(path=path, settings=settings)
            try:
                check_model(gathered, libraries, say)
                if watch is not None:
                    watch(gathered)
            except KeyboardInterrupt:
                if gathered.robot is not None:
                    done.append(dataclasses.replace(conclude(gathered), complete=False))
                return make_report(done, settings, complete=False, interrupted=True)
            done.append(conclude(gathered))
    return make_report(done, settings)


def check_model(
    gathered: Gathered, libraries: Libraries, say: Progress, *, ground: Ground | None = None, causes: bool = True
) -> None:
    """Check one model with started libraries; what is found goes into ``gathered`` as soon as it is known.

    Args:
        gathered: Where the findings go; it names the model and the settings.
        libraries: Started.
        say: Told at every step.
        ground: Of an earlier run over the same model with the same settings but for the libraries.
        causes: Look for the causes of fails, which may take longer than all the rest.
    """
    settings, results = gathered.settings, gathered.results
    if ground is None:
        ground = lay_ground(gathered, say)
    else:
        ground.enter(gathered)
    setting, reference = ground.setting, ground.reference
    lint_faults = [result for result in ground.lint if result.verdict == "fail"]
    answers = libraries.question(setting, ground.robot, ground.checks, ground.without)

    say("judging the reference")
    ground.settle(gathered)
    peers: list[Subject] = []
    standings: Standings = {}
    for asked in in_order(answers):
        say(f"judging {asked.name}")
        gathered.asked.append(asked)
        obstacle = None
        if asked.subject is None:
            obstacle = judge_obstacle(asked, named=settings.libraries_named, lint_faults=lint_faults)
            results.append(obstacle)
        else:
            subject = asked.subject
            results.extend(asked.properties)
            results.extend(_agreement(asked, subject, ground, peers, standings))
            read = asked.reading.setting if asked.reading is not None else setting
            results.extend(readback_results(asked, read, ground.robot, ground.codes))
        gathered.records.append(with_notes(library_record(asked, setting, obstacle), asked, setting, ground.robot))
    _repeat(gathered, ground, say)
    if causes:
        say("looking for causes")
        results[:] = explain(results, gathered.asked, setting, ground.robot, reference=reference)
    gathered.oppositions = oppositions(results, setting.states)


def _agreement(
    asked: Asked, subject: Subject, ground: Ground, peers: list[Subject], standings: Standings
) -> list[Result]:
    """Judge a library against the truth and its peers; one that holds another robot by its own word, against that."""
    checks = ground.checks
    if asked.reading is not None:
        read = asked.reading
        judged = judge_agreement(read.setting, subject, read.reference, (), checks, standings={}, without=read.without)
        return [*judged, *reading_results(read, ground.robot, asked.name)]
    if asked.reduced is not None and asked.loaded is not None:
        names = asked.loaded.layout.reduced
        return judge_reduced(ground.setting, asked.reduced, ground.reference, names, checks, without=ground.without)
    judged = judge_agreement(
        ground.setting, subject, ground.reference, peers, checks, standings=standings, without=ground.without
    )
    peers.append(subject)
    return judged


def _repeat(gathered: Gathered, ground: Ground, say: Progress) -> None:
    """Repeat the fails that are not known in fresh processes; a run without one pays nothing."""
    libraries = {asked.name for asked in gathered.asked if asked.source is not None}
    if not any(one.verdict == "fail" and one.subject in libraries for one in gathered.results):
        return
    counting = {one.subject for one in _flagged(gathered) if one.verdict == "fail" and one.known is None}
    wrong = sorted(counting & libraries)
    if not wrong:
        return
    say(f"repeating the fails of {', '.join(wrong)} in a fresh process")
    gathered.results[:], repeated = repeat_fails(
        gathered.results,
        gathered.asked,
        frozenset(wrong),
        ground.setting,
        {check.code: check.text.quantities for check in ground.checks},
        jobs=gathered.settings.jobs or len(os.sched_getaffinity(0)),
    )
    gathered.records[:] = [dataclasses.replace(one, repeat=repeated.get(one.name)) for one in gathered.records]


def _flagged(gathered: Gathered) -> tuple[Result, ...]:
    """Return the results with what is known flagged, then what the lists of known failures have themselves."""
    assert gathered.robot is not None, "a model that was read"
    return apply_known(
        gathered.results,
        gathered.records,
        known_lists(gathered.settings, map(library_of, (record.name for record in gathered.records))),
        model=gathered.path,
        features=features_of(gathered.robot),
    )


def conclude(gathered: Gathered) -> ModelReport:
    """Flag what is known, add the commands that show a finding again, and return the report of one model."""
    gathered.results = list(finished(_flagged(gathered), gathered.settings, gathered.path))
    return gathered.model_report()
