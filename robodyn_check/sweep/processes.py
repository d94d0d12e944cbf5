"""The default executor: a pool of processes on this machine.

A worker that dies breaks the whole pool, and with it the groups that other workers were at. Each group that was in
flight is then tried alone, task by task, in a pool of one: what kills that worker as well is to blame and becomes an
error; everything else gets its answer.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from robodyn_check.harness.process import THREADS
from robodyn_check.sweep.outcome import broken_outcome
from robodyn_check.sweep.versions import library_version
from robodyn_check.sweep.work import abandon_libraries, work_off

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from robodyn_check.sweep.outcome import Outcome
    from robodyn_check.sweep.tasks import Task

    Group = tuple[Task, ...]

#: Groups that wait in the pool beside those being worked on, so that no worker idles.
AHEAD = 2
#: Seconds between two looks at whether the process that started the worker is still there.
WATCH_SECONDS = 1.0


class Processes:
    """Runs groups of tasks in ``count`` processes of this machine."""

    def __init__(self, count: int) -> None:
        """Start nothing yet."""
        self.count = count
        self._variables: dict[str, str | None] = {}

    def __enter__(self) -> Self:
        """Let workers inherit one thread for linear algebra: they import it before any code of ours runs."""
        self._variables = {name: os.environ.get(name) for name in THREADS}
        os.environ.update(dict.fromkeys(THREADS, "1"))
        return self

    def __exit__(self, *_error: object) -> None:
        """Put the environment back; every pool has ended with its run."""
        for name, value in self._variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    @property
    def label(self) -> str:
        """What is at work, in words."""
        return f"{self.count} processes" if self.count > 1 else "1 process"

    def version_of(self, spec: str, adapter_file: str | None) -> str:
        """Return the version that a spec means on this machine."""
        return library_version(spec, adapter_file)

    def run(self, groups: Iterable[Group]) -> Iterator[Outcome]:
        """Yield outcomes as they come.

        Raises:
            UsageError: A library was exchanged while the sweep ran.
        """
        waiting = iter(groups)
        more = True
        while more:
            more = False
            suspects: list[Group] = []
            pool = _pool(self.count)
            try:
                flying: dict[Future[list[Outcome]], Group] = {}
                while True:
                    while not suspects and len(flying) < self.count + AHEAD and (group := next(waiting, None)):
                        try:
                            flying[pool.submit(work_off, group)] = group
                        except BrokenProcessPool:
                            suspects.append(group)
                    if not flying:
                        break
                    done, _ = wait(flying, return_when=FIRST_COMPLETED)
                    for future in done:
                        group = flying.pop(future)
                        try:
                            yield from future.result()
                        except BrokenProcessPool:
                            suspects.append(group)
                pool.shutdown(wait=True)
            except BaseException:
                _end(pool)
                raise
            if suspects:
                yield from _one_by_one(suspects)
                more = True


def _one_by_one(groups: Iterable[Group]) -> Iterator[Outcome]:
    """Yield the outcomes of suspected groups, each task in a worker that dies alone."""
    pool: ProcessPoolExecutor | None = None
    try:
        for task in (task for group in groups for task in group):
            pool = pool or _pool(1)
            began = time.monotonic()
            try:
                yield from pool.submit(work_off, (task,)).result()
            except BrokenProcessPool:
                pool = None
                reason = "the worker process that did this task died, and so did the next one"
                yield broken_outcome(task, reason, seconds=time.monotonic() - began)
    except BaseException:
        if pool is not None:
            _end(pool)
        raise
    if pool is not None:
        pool.shutdown(wait=True)


def _pool(count: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")  # a fork would copy our threads' locks
    return ProcessPoolExecutor(max_workers=count, mp_context=context, initializer=_begin, initargs=(os.getpid(),))


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool now: what it was at is in flight and will be asked again."""
    workers = list((pool._processes or {}).values())  # noqa: SLF001 - the pool has no way to end its workers early
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join()


def _begin(parent: int) -> None:
    """Prepare a worker to end, with its libraries, when it is told to or when the sweep was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the sweep itself ends its workers
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    threading.Thread(target=_watch, args=(parent,), daemon=True, name="parent").start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    _leave()


def _leave() -> None:
    abandon_libraries()
    os._exit(1)
