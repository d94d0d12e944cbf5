"""The work of one task, in whatever process an executor runs it; the libraries stay running from task to task.

A library is started afresh after a task that it did not survive in good order, so that no task's answer depends on the
tasks before it, and after `TASKS_PER_PROCESS` tasks, because a process keeps every robot that it has loaded.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from robodyn_check.errors import RobodynCheckError, UsageError
from robodyn_check.pipeline import check_model, conclude
from robodyn_check.run.gathered import Gathered
from robodyn_check.run.ground import lay_ground
from robodyn_check.run.libraries import Libraries
from robodyn_check.sweep.outcome import broken_outcome, outcome_of
from robodyn_check.sweep.tasks import WARM_LIBRARIES
from robodyn_check.sweep.versions import library_version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.run.ground import Ground
    from robodyn_check.sweep.outcome import Outcome
    from robodyn_check.sweep.tasks import Task

TASKS_PER_PROCESS = 100
_Name = tuple[str, str | None, float, int]


@dataclass(slots=True, kw_only=True, eq=False)
class _Warm:
    """The running libraries of one thread, the least recently used first."""

    libraries: OrderedDict[_Name, Libraries] = field(default_factory=OrderedDict)
    uses: dict[_Name, int] = field(default_factory=dict)

    def get(self, task: Task) -> Libraries:
        """Return the started library of a task."""
        name = _name(task)
        if name not in self.libraries:
            while len(self.libraries) >= WARM_LIBRARIES:
                self.drop(next(iter(self.libraries)))
            started = Libraries(task.settings, lambda _text: None)
            started.start()
            self.libraries[name], self.uses[name] = started, 0
        self.libraries.move_to_end(name)
        self.uses[name] += 1
        return self.libraries[name]

    def done(self, task: Task, gathered: Gathered) -> None:
        """End the library where another task must not meet it again."""
        name = _name(task)
        asked = gathered.asked
        well = bool(asked) and all(
            one.error is None and one.session is not None and one.session.restarts == 0 for one in asked
        )
        if not well or self.uses.get(name, 0) >= TASKS_PER_PROCESS:
            self.drop(name)

    def drop(self, name: _Name) -> None:
        """End one library."""
        library = self.libraries.pop(name, None)
        self.uses.pop(name, None)
        if library is not None:
            library.__exit__(None, None, None)

    def close(self) -> None:
        """End all."""
        for name in list(self.libraries):
            self.drop(name)


_LOCAL = threading.local()
_ALL: list[_Warm] = []


def work_off(tasks: Sequence[Task]) -> list[Outcome]:
    """Work off the tasks of one model, one after the other, with one truth.

    Raises:
        UsageError: This machine has another version of a library than the plan.
    """
    grounds: dict[tuple[object, ...], Ground] = {}
    return [_work_off(task, grounds) for task in tasks]


def abandon_libraries() -> None:
    """End the running libraries of every thread at once; for a process that is about to end."""
    for warm in _ALL:
        for libraries in list(warm.libraries.values()):
            for session in libraries._sessions():  # noqa: SLF001 - nobody else ends sessions without waiting
                session.close()


def _work_off(task: Task, grounds: dict[tuple[object, ...], Ground]) -> Outcome:
    began = time.monotonic()
    here = library_version(task.spec, task.adapter_file)
    if here != task.version:
        raise UsageError(
            f"a worker has {task.spec} {here}, the sweep was planned with {task.version}: results would not be "
            "comparable. Install the same version on all workers, or start the sweep again."
        )
    warm = _warm()
    gathered = Gathered(path=task.model, settings=task.settings)
    try:
        ground = grounds.get(_ground_key(task))
        if ground is None:
            ground = grounds[_ground_key(task)] = lay_ground(gathered, lambda _text: None)
            gathered = Gathered(path=task.model, settings=task.settings)
        check_model(gathered, warm.get(task), lambda _text: None, ground=ground)
        outcome = outcome_of(task, conclude(gathered), seconds=time.monotonic() - began)
    except RobodynCheckError as error:
        return broken_outcome(task, str(error), seconds=time.monotonic() - began)
    except Exception as error:  # noqa: BLE001 - one task must not cost the sweep
        reason = f"internal error, {type(error).__name__}: {error}. This is a fault of robodyn-check; report it."
        warm.drop(_name(task))
        return broken_outcome(task, reason, seconds=time.monotonic() - began)
    warm.done(task, gathered)
    return outcome


def _warm() -> _Warm:
    """Return this thread's libraries; they end with the process, however it is made."""
    warm: _Warm | None = getattr(_LOCAL, "warm", None)
    if warm is None:
        warm = _LOCAL.warm = _Warm()
        _ALL.append(warm)
        atexit.register(warm.close)
        Finalize(None, warm.close, exitpriority=10)  # processes of multiprocessing leave atexit out
    return warm


def _name(task: Task) -> _Name:
    return task.spec, task.adapter_file, task.settings.timeout, task.settings.memory


def _ground_key(task: Task) -> tuple[object, ...]:
    settings = task.settings
    return (
        task.model,
        task.content,
        settings.samples,
        settings.seed,
        settings.base,
        settings.gravity,
        settings.certify,
        settings.select,
        settings.ignore,
    )
