"""The executor for many machines: an existing Dask cluster, named by its scheduler's address.

Before the work starts, every worker says which versions it has and makes the environments that the sweep needs; workers
that differ are refused. The workers read the model files by the same paths: give them a folder that all machines see.

What can go wrong: a worker that dies is replaced by the others (Dask gives a group up after it has killed several; it
then becomes an error); a slow worker gets less, since only a few groups a thread are handed out at a time; when the
scheduler is lost, this side waits for it to come back and hands out again what was in flight.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import UsageError
from robodyn_check.sweep.outcome import broken_outcome
from robodyn_check.sweep.versions import agreed, machine_versions
from robodyn_check.sweep.work import work_off

try:
    import distributed
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker
except ImportError:
    raise UsageError("a cluster needs Dask: pip install 'robodyn-check[sweep]'") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from robodyn_check.sweep.outcome import Outcome
    from robodyn_check.sweep.tasks import Task

    Group = tuple[Task, ...]

#: Dask has types for a part of itself only.
_DASK: Any = distributed
#: Groups in flight for each thread of the cluster: one at work, one waiting.
GROUPS_PER_THREAD = 2
#: Seconds to wait for the scheduler, at the start and when it was lost.
CONNECT_SECONDS = 10.0
RETURN_SECONDS = 120.0
#: Seconds between two looks at whether the scheduler is there while nothing is finished.
LOOK_SECONDS = 2.0
#: How Dask says that what was asked is lost: its own two errors of cancelled futures are of the second kind.
_LOST = (OSError, CancelledError, asyncio.CancelledError, CommClosedError)


class Cluster:
    """Runs groups of tasks on the workers of a Dask scheduler."""

    def __init__(self, address: str, specs: tuple[tuple[str, str | None], ...]) -> None:
        """Look at nothing yet; ``specs`` are the library specs (and adapter files) that workers must have."""
        self.address = address
        self._specs = specs
        self._client: Any = None
        self._versions: dict[str, str] = {}

    def __enter__(self) -> Self:
        """Connect, ask every worker what it has, and prepare it.

        Raises:
            UsageError: No scheduler there, no workers, or workers with different versions.
        """
        self._connect(CONNECT_SECONDS)
        try:
            self._versions = self._ask_workers()
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        """Let go of the cluster; it stays as it was."""
        self._client.close()

    @property
    def label(self) -> str:
        """What is at work, in words."""
        threads = self._threads()
        return f"{threads} worker thread{'' if threads == 1 else 's'} at {self.address}"

    def version_of(self, spec: str, _adapter_file: str | None) -> str:
        """Return the version that all workers have."""
        return self._versions[spec]

    def run(self, groups: Iterable[Group]) -> Iterator[Outcome]:
        """Yield outcomes as they come.

        Raises:
            UsageError: A worker with another version came, or the scheduler went and did not come back.
        """
        waiting = iter(groups)
        again: list[Group] = []
        flying: dict[Any, Group] = {}
        try:
            while True:
                while len(flying) < GROUPS_PER_THREAD * max(1, self._threads()):
                    group = again.pop() if again else next(waiting, None)
                    if group is None:
                        break
                    flying[self._client.submit(work_off, group, pure=False)] = group
                if not flying:
                    return
                if not self._finish(flying):
                    again += flying.values()
                    flying.clear()
                    self._reconnect()
                    continue
                for future in [one for one in flying if one.done()]:
                    group = flying.pop(future)
                    outcomes = self._outcomes(future, group)
                    if outcomes is None:
                        again.append(group)
                    else:
                        yield from outcomes
        finally:
            self._client.cancel(list(flying))

    def _finish(self, flying: dict[Any, Group]) -> bool:
        """Wait until a group is finished; return False where the scheduler is lost."""
        while self._client.status == "running":
            try:
                with self._client.as_current():
                    _DASK.wait(list(flying), timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED")
            except TimeoutError:
                continue
            except _LOST:
                return any(one.status in {"finished", "error"} for one in flying)
            return True
        return False

    def _outcomes(self, future: Any, group: Group) -> list[Outcome] | None:
        """Return what became of a group; None where it was lost and must be asked again."""
        if future.status in {"cancelled", "lost"}:
            return None
        try:
            outcomes: list[Outcome] = future.result(timeout=CONNECT_SECONDS)
        except UsageError:
            raise
        except KilledWorker:
            if len(group) > 1:  # one of them is to blame: each by itself
                return [outcome for task in group for outcome in self._alone(task)]
            return [broken_outcome(group[0], "every worker that did this task died")]
        except _LOST:
            return None
        except Exception as error:  # noqa: BLE001 - a fault of one worker must not end the sweep
            reason = f"the worker failed: {type(error).__name__}: {error}"
            return [broken_outcome(task, reason) for task in group]
        return outcomes

    def _alone(self, task: Task) -> list[Outcome]:
        future = self._client.submit(work_off, (task,), pure=False)
        return self._outcomes(future, (task,)) or [broken_outcome(task, "lost with its worker")]

    def _threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except (OSError, CommClosedError, RuntimeError):
            return 1

    def _ask_workers(self) -> dict[str, str]:
        """Return the versions that all workers have; they make the environments that they need meanwhile."""
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise UsageError(f"{self.address}: the scheduler has no worker; start some: dask worker ADDRESS") from None
        try:
            return agreed(self._client.run(machine_versions, self._specs))
        except ImportError as error:
            raise UsageError(f"{self.address}: a worker lacks robodyn-check itself: {error}") from None

    def _connect(self, seconds: float) -> None:
        try:
            self._client = _DASK.Client(self.address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError) as error:
            words = " ".join(str(error).split())
            raise UsageError(f"{self.address}: no Dask scheduler answers there ({words})") from None

    def _reconnect(self) -> None:
        """Wait for the scheduler to come back with workers that have what the sweep was planned with."""
        deadline = time.monotonic() + RETURN_SECONDS
        self._client.close(timeout=1)
        while True:
            try:
                self._connect(CONNECT_SECONDS)
                now = self._ask_workers()
            except UsageError as error:
                if time.monotonic() > deadline:
                    raise UsageError(f"{error}. What is done is in the dataset; go on with --resume.") from None
                time.sleep(LOOK_SECONDS)
                continue
            agreed({"the sweep": self._versions, "the workers": now})
            return
