"""The libraries of one run: started first, each served by a thread of its own, closed whatever happens."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import AdapterError, AdapterRefused, ModelError
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.discovery import Shelf, find_adapter, named_file
from robodyn_check.harness.session import Budget as Limits
from robodyn_check.harness.session import LibrarySession, Loaded
from robodyn_check.harness.spec import LibrarySpec, parse_spec
from robodyn_check.run.budget import budget
from robodyn_check.run.judgement import judge_properties
from robodyn_check.run.plain_answers import plain_answers
from robodyn_check.run.questions import Broken, question
from robodyn_check.run.readings import Reading, second_reading
from robodyn_check.run.sources import source_for
from robodyn_check.run.subjects import Declared, Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from robodyn_check.checks.registry import Check
    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Result
    from robodyn_check.run.subjects import Setting
    from robodyn_check.sdk.adapter import Source
    from robodyn_check.settings import Settings

MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """A library after it was asked: a subject with its answers, or the error that it ended with.

    ``source`` is what it was given to load, ``properties`` are the results of the checks that its own answers decide.
    ``reduced`` is the same library with its answers as they are, where it eliminated mimic joints. ``reading`` is what
    it reads in the file beyond the standard format, where it declares that it does.
    """

    spec: LibrarySpec
    adapter: AdapterFile
    session: LibrarySession | None = None
    source: Source | None = None
    notes: tuple[str, ...] = ()
    loaded: Loaded | None = None
    subject: Subject | None = None
    reduced: Subject | None = None
    reading: Reading | None = None
    broken: Broken | None = None
    properties: tuple[Result, ...] = ()
    error: AdapterError | None = None

    @property
    def name(self) -> str:
        """The name that results carry."""
        return str(self.spec)

    @property
    def version(self) -> str | None:
        """The library's version, where the process came far enough to say it."""
        if self.loaded is not None:
            return self.loaded.info.version
        try:
            return None if self.session is None else self.session.info.version
        except AdapterError:
            return None

    @property
    def stderr_tail(self) -> str | None:
        """The end of what the library wrote on stderr."""
        return (self.session.stderr_tail or None) if self.session is not None else None


def adapters_of(settings: Settings) -> dict[LibrarySpec, AdapterFile]:
    """Return the libraries that the settings ask for, in order; files of --adapter alone replace the default set.

    Raises:
        UsageError: A spec that cannot be read, or an adapter or profile that does not exist.
    """
    shipped = Shelf()
    own = {file.name: file.path for file in map(named_file, map(Path, settings.adapter))}
    texts = () if own and not settings.libraries_named else settings.libraries
    named = [parse_spec(text) for text in dict.fromkeys(texts)]
    named += [LibrarySpec(name=name) for name in own if all(spec.name != name for spec in named)]
    specs = [dataclasses.replace(spec, adapter=own.get(spec.name), isolated=settings.isolated) for spec in named]
    return {spec: find_adapter(spec, shipped) for spec in specs}


class Libraries:
    """The sessions of one run. `start`, then `question`, then iterate over what it returns; leaving closes all."""

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        """Look at the specs; nothing starts yet."""
        self._settings = settings
        self._say = say
        self._adapters = adapters_of(settings)
        self._specs = tuple(self._adapters)
        self._folder = tempfile.TemporaryDirectory(prefix="robodyn-check-")
        self._threads = ThreadPoolExecutor(max_workers=max(1, len(self._specs)), thread_name_prefix="library")
        self._jobs = settings.jobs or len(os.sched_getaffinity(0))
        self._turns = threading.Semaphore(self._jobs)
        self._starting: dict[LibrarySpec, Future[LibrarySession]] = {spec: Future() for spec in self._specs}
        self._unstarted = set(self._specs)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what is still going on, wait for the threads, close every session that was started."""
        for future in self._starting.values():
            future.cancel()
        for session in self._sessions():
            session.abandon()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for session in self._sessions():
            session.close()
        self._folder.cleanup()

    def _sessions(self) -> list[LibrarySession]:
        """Return the sessions that were started."""
        done = [future for future in self._starting.values() if future.done() and not future.cancelled()]
        return [future.result() for future in done if future.exception() is None]

    def start(self) -> None:
        """Begin to start the libraries whose turn comes first; their imports go on while the caller does other things.

        The others start when their turn comes: a processor that imports two libraries at once delays the slowest.
        """
        for spec in self._slowest_first()[: self._jobs]:
            self._threads.submit(self._begin, spec)

    def _slowest_first(self) -> list[LibrarySpec]:
        """Return the specs in the order of their turns, by declared cost."""
        return sorted(self._specs, key=lambda spec: -self._adapters[spec].cost)

    def _begin(self, spec: LibrarySpec) -> None:
        """Start a library's process, once, unless the run has ended meanwhile."""
        try:
            self._unstarted.remove(spec)  # one thread of those that come at the same time succeeds
        except KeyError:
            return
        future = self._starting[spec]
        if not future.set_running_or_notify_cancel():
            return
        limits = Limits(timeout=self._settings.timeout, memory=self._settings.memory * MEBIBYTE)
        try:
            self._say(f"starting {spec}")
            found = {spec.name: self._adapters[spec]}
            future.set_result(LibrarySession.start(spec, adapters=found, budget=limits))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the session gets it; without it they would wait for ever
            future.set_exception(error)

    def question(
        self, setting: Setting, robot: RobotModel, checks: Sequence[Check], without: Mapping[str, str]
    ) -> list[Future[Asked]]:
        """Begin to load the robot into every library, to ask what the checks want, and to judge each by its answers.

        The slowest by their declared cost come first; no more than ``jobs`` of the settings work at a time, so that
        time-outs measure the library and not the crowd.

        Returns:
            The futures in the order of the specs.
        """
        futures = {
            spec: self._threads.submit(self._in_turn, spec, setting, robot, checks, without)
            for spec in self._slowest_first()
        }
        return [futures[spec] for spec in self._specs]

    def _in_turn(
        self,
        spec: LibrarySpec,
        setting: Setting,
        robot: RobotModel,
        checks: Sequence[Check],
        without: Mapping[str, str],
    ) -> Asked:
        with self._turns:
            self._begin(spec)
            asked = self._ask(spec, setting, robot, checks)
        if asked.subject is None:
            return asked
        if asked.reading is not None:
            setting, without = asked.reading.setting, asked.reading.without
        own = judge_properties(setting, asked.subject, checks, broken=asked.broken or {}, without=without)
        return dataclasses.replace(asked, properties=tuple(own))

    def _ask(
        self,
        spec: LibrarySpec,
        setting: Setting,
        robot: RobotModel,
        checks: Sequence[Check],
    ) -> Asked:
        adapter, session, source = self._adapters[spec], None, None
        try:
            session = self._starting[spec].result()
            self._say(f"{spec}: loading")
            declared = adapter
            if adapter.kind == "program":  # a program says what it needs when it runs
                told = session.info
                declared = dataclasses.replace(adapter, formats=told.formats, needs_mechanism=told.needs_mechanism)
            source, notes = source_for(robot, setting.mechanism, declared, self._own_folder(spec))
            loaded = session.load(source, canonical_of(setting.mechanism))
            reading = second_reading(robot, setting, loaded.info.reads_extensions)
        except ModelError as fault:  # of an element beyond the standard format that only this library reads
            refused = AdapterRefused(f"{spec}: {fault}")
            return Asked(spec=spec, adapter=adapter, session=session, source=source, error=refused)
        except AdapterError as error:
            return Asked(spec=spec, adapter=adapter, session=session, source=source, error=error)
        info = loaded.info
        subject = Subject(
            declared=Declared(
                name=str(spec),
                quantities=frozenset(info.quantities),
                precision=info.precision,
                coriolis=info.coriolis,
                cost=info.cost,
                symmetric_by_construction=info.symmetric_by_construction,
            ),
            answer=lambda requests: plain_answers(
                session.ask(requests), library=str(spec), links=setting.mechanism.links
            ),
            budget=budget(setting.mechanism, samples=len(setting.states), cost=info.cost),
            integrates=info.integrates,
        )
        raw = dataclasses.replace(subject, answer=session.ask) if loaded.layout.reduced else None
        broken = question(reading.setting if reading else setting, subject, checks, progress=self._say)
        return Asked(
            spec=spec,
            adapter=adapter,
            session=session,
            source=source,
            notes=notes,
            loaded=loaded,
            subject=subject,
            reduced=raw,
            reading=reading,
            broken=broken,
        )

    def _own_folder(self, spec: LibrarySpec) -> Path:
        """Return a folder for what is written for one library alone."""
        folder = Path(self._folder.name) / f"{self._specs.index(spec)}"
        folder.mkdir(exist_ok=True)
        return folder


def in_order(futures: Sequence[Future[Asked]]) -> Iterator[Asked]:
    """Yield what became of each library, in the order of the specs, so that reports are the same every time."""
    for future in futures:
        yield future.result()
