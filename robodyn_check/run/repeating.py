"""Fails that count, once more: a fresh process of the library is asked the same questions in the same order.

A wrong number that comes back to the last bit stays a fail; a stale cache does, since the order is the same. A number
that is another one in the second process is an ``error``: nothing can be said about a library that says anything. A
process that cannot be started again, or that dies on the way, proves nothing: the fail stays, and the record says so.

The claim of `REPEATABLE` is that very one, so its fail stands whatever the second process says.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from robodyn_check.diagnosis.causes import CAUSES
from robodyn_check.errors import AdapterError, AdapterRefused
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.session import LibrarySession
from robodyn_check.report.results import Cause, RepeatRecord
from robodyn_check.requests import Answer, Answers, Failure
from robodyn_check.run.unequal import Unequal, unequal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.report.results import Result
    from robodyn_check.requests import Request
    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Answering, Setting, Subject
    from robodyn_check.sdk.readback import Readback

REPEATABLE = "RD902"
NOT_REPEATABLE = "not-repeatable"
#: Fails by the readback alone, and by the load.
_READBACK, _LOADS = "RD154", "RD942"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Second:
    """What the fresh process of one library did: answers by request key, or why there are none."""

    seconds: float
    loaded: bool = False
    readback: Readback | None = None
    answers: Mapping[str, Answer | Failure] = field(default_factory=dict)
    trouble: str | None = None


def repeat_fails(
    results: Sequence[Result],
    asked: Sequence[Asked],
    names: frozenset[str],
    setting: Setting,
    quantities: Mapping[str, tuple[str, ...]],
    *,
    jobs: int,
) -> tuple[list[Result], dict[str, RepeatRecord]]:
    """Return the results with an ``error`` for every fail whose numbers do not come back, and a record a library.

    Args:
        results: Everything that was judged.
        asked: The libraries.
        names: The libraries that have fails which count; no other one is started again.
        setting: Robot and states.
        quantities: Code of a check -> the quantities that it looks at.
        jobs: Libraries that work at a time.
    """
    again = [one for one in asked if one.name in names and one.session is not None and one.source is not None]
    if not again:
        return list(results), {}
    started: list[LibrarySession] = []
    with ThreadPoolExecutor(max_workers=min(jobs, len(again)), thread_name_prefix="repeat") as threads:
        try:
            seconds = list(threads.map(lambda one: _once_more(one, setting, started), again))
        except BaseException:  # an interrupt: the threads are waited for, so their processes have to end
            threads.shutdown(wait=False, cancel_futures=True)
            for session in started:
                session.abandon()
            raise
    told = list(results)
    records = {}
    for one, second in zip(again, seconds, strict=True):
        fails = {number: result for number, result in enumerate(told) if _is_fail_of(one.name, result)}
        found = _differing(one, second, setting)
        changed = {
            number: text
            for number, result in fails.items()
            if (text := _verdict(result, one, second, found, quantities.get(result.code, ())))
        }
        for number, text in changed.items():
            told[number] = dataclasses.replace(
                told[number], verdict="error", message=f"not repeatable: {text}", cause=_cause(text)
            )
        records[one.name] = RepeatRecord(
            fails=len(fails), different=len(changed), seconds=second.seconds, trouble=second.trouble
        )
    return told, records


def _is_fail_of(name: str, result: Result) -> bool:
    return result.subject == name and result.verdict == "fail" and result.code != REPEATABLE


def _cause(text: str) -> Cause:
    """Return the cause of an answer that does not come back."""
    meaning, advice = CAUSES[NOT_REPEATABLE]
    return Cause(name=NOT_REPEATABLE, text=meaning, evidence=(text,), advice=advice)


def _once_more(asked: Asked, setting: Setting, started: list[LibrarySession]) -> Second:
    """Start one library again, load the robot, put the same batches; no more than this one process.

    Args:
        asked: The library after its first time.
        setting: The robot.
        started: The new session is added, so that it can be ended from outside.
    """
    assert asked.session is not None, "a library with a source was started"
    assert asked.source is not None, "asked for by the caller"
    began = time.monotonic()
    loaded, readback, trouble = False, None, None
    subject = asked.subject
    limits = dataclasses.replace(asked.session.budget, restarts=0)
    try:
        with LibrarySession.start(asked.spec, adapters={asked.spec.name: asked.adapter}, budget=limits) as session:
            started.append(session)
            readback = session.load(asked.source, canonical_of(setting.mechanism)).readback
            loaded = True
            if subject is not None:
                subject = _unasked(subject, session.ask)
                for batch in asked.subject.batches if asked.subject is not None else ():
                    subject.ask(_harmless(batch, asked))
    except AdapterError as error:
        trouble = str(error)
    answers = dict(subject.answers.items()) if loaded and subject is not None else {}
    if asked.subject is not None and trouble is None:
        trouble = _new_failure(asked.subject, answers)
    return Second(seconds=time.monotonic() - began, loaded=loaded, readback=readback, answers=answers, trouble=trouble)


def _unasked(subject: Subject, answer: Answering) -> Subject:
    """Return a subject like this one that was asked nothing yet."""
    return dataclasses.replace(
        subject, answer=answer, answers=Answers(), batches=[], asked=set(), lock=threading.RLock()
    )


def _harmless(batch: Sequence[Request], asked: Asked) -> list[Request]:
    """Leave out what the first time ended in an error, if that may have been the end of a process."""
    assert asked.session is not None, "a library with batches was started"
    assert asked.subject is not None, "a library with batches was asked"
    if not asked.session.restarts:
        return list(batch)
    return [request for request in batch if not _failures(asked.subject.answers.get(request))]


def _failures(answer: Answer | Failure | None) -> tuple[Failure, ...]:
    """Return the errors in an answer."""
    parts = answer.failures if isinstance(answer, Answer) else () if answer is None else (answer,)
    return tuple(part for part in parts if part.kind == "error")


def _new_failure(subject: Subject, answers: Mapping[str, Answer | Failure]) -> str | None:
    """Return the first error of the second process where the first one had none."""
    for key, answer in answers.items():
        if _failures(answer) and not _failures(subject.answers.by_key(key)):
            return _failures(answer)[0].message
    return None


def _differing(asked: Asked, second: Second, setting: Setting) -> dict[str, Unequal]:
    """Return the quantities that are not the same in both processes, each with an entry that shows it."""
    if asked.subject is None:
        return {}
    requests = [request for batch in asked.subject.batches for request in batch]
    pairs = [
        (request, first.values, other.values)
        for request in requests
        if isinstance(first := asked.subject.answers.get(request), Answer)
        and isinstance(other := second.answers.get(request.key), Answer)
    ]
    return unequal(pairs, setting.mechanism, setting.states)


def _verdict(
    result: Result, asked: Asked, second: Second, found: Mapping[str, Unequal], quantities: Sequence[str]
) -> str | None:
    """Say how the second process contradicts one fail; None where it does not."""
    if result.code == _LOADS:
        refused = isinstance(asked.error, AdapterRefused)
        text = "the model was refused in the process that was judged and loaded in a fresh one"
        return text if refused and second.loaded else None
    if result.code == _READBACK:
        first = None if asked.loaded is None else asked.loaded.readback
        text = "the model is held otherwise in a fresh process that loaded the same file"
        return text if second.loaded and first != second.readback else None
    names = dict.fromkeys((*([result.quantity] if result.quantity else []), *quantities))
    return next((found[name].text for name in names if name in found), None)
