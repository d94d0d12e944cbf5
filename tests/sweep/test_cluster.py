"""On loopback: a scheduler and workers in processes of their own, without nannies, so that a kill is a kill."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import warnings
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("distributed")

from robodyn_check.errors import UsageError
from robodyn_check.sweep import cluster as module
from robodyn_check.sweep.cluster import Cluster
from robodyn_check.sweep.dataset import Dataset
from robodyn_check.sweep.processes import Processes
from robodyn_check.sweep.run import run_sweep
from robodyn_check.sweep.tasks import specs_of
from tests.sweep.robots import ROOT, content, copies, killer, settings

pytestmark = pytest.mark.cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from robodyn_check.settings import Settings
    from robodyn_check.sweep.run import Sweep

SLOW = """
import time
from robodyn_check.sweep import work
fast = work.fast = getattr(work, "fast", work.work_off)  # Dask runs this file twice
def slow(tasks):
    with open("FOLDER/slow.txt", "a") as file:
        file.write("one group\\n")
    time.sleep(5)
    return fast(tasks)
slow.__module__, slow.__qualname__ = fast.__module__, fast.__qualname__
work.work_off = slow
"""
OLD = "from robodyn_check.sweep import versions\nversions.__version__ = '0.0.1'\n"
OTHER = "from robodyn_check.sweep import work\nwork.library_version = lambda *_: '0.9'\n"


class Machines:
    """A cluster's processes."""

    def __init__(self, folder: Path) -> None:  # noqa: D107 - the class says it
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._scheduler()

    def _scheduler(self) -> subprocess.Popen[bytes]:
        words = ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        return self._start("dask_scheduler", *words)

    def restart_scheduler(self) -> None:
        self.scheduler.kill()
        self.scheduler.wait()
        self.scheduler = self._scheduler()

    def worker(self, preload: str = "") -> subprocess.Popen[bytes]:
        words = [self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        words += ["--local-directory", str(self.folder / f"worker{len(self.processes)}")]
        if preload:
            file = self.folder / f"preload{len(self.processes)}.py"
            file.write_text(preload)
            words += ["--preload", str(file)]
        return self._start("dask_worker", *words)

    def _start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *words],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    made = Machines(tmp_path)
    yield made
    made.close()
    with warnings.catch_warnings():  # Dask leaves sockets open to a scheduler that died, and they are collected later
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def wait_for_workers(cluster: Cluster, count: int) -> None:
    cluster._client.wait_for_workers(count, timeout=60)


def sweep(
    machines: Machines, folder: Path, given: Settings, workers: int, during: Callable[[], None] | None = None
) -> Sweep:
    """Sweep on the cluster; ``during`` runs once the first task is finished."""
    with Dataset(folder) as dataset, Cluster(machines.address, specs_of(given)) as cluster:
        dataset.remember({})
        wait_for_workers(cluster, workers)
        happened = threading.Event()

        def say(text: str) -> None:
            if during is not None and text.startswith("1 of") and not happened.is_set():
                happened.set()
                during()

        return run_sweep(given, dataset, cluster, say=say)


@pytest.fixture
def given(tmp_path: Path) -> Settings:
    return settings(copies(tmp_path / "robots", 6), "killer:slow", adapter=killer(tmp_path))


def local(folder: Path, given: Settings) -> None:
    with Dataset(folder) as dataset, Processes(2) as processes:
        dataset.remember({})
        run_sweep(given, dataset, processes)


@pytest.mark.parametrize("patience", [60.0])
def test_a_worker_killed_in_mid_run_costs_nothing(
    machines: Machines, given: Settings, tmp_path: Path, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", patience)
    doomed = machines.worker()
    machines.worker()
    done = sweep(machines, tmp_path / "cluster", given, 2, lambda: doomed.send_signal(signal.SIGKILL))
    assert done.table() == {"killer:slow": {"pass": 6}}
    local(tmp_path / "local", given)
    assert content(tmp_path / "cluster") == content(tmp_path / "local")


def test_a_restarted_scheduler_gets_what_was_in_flight_again(
    machines: Machines, given: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 60.0)
    machines.worker()

    def restart() -> None:
        machines.restart_scheduler()
        machines.worker()

    assert sweep(machines, tmp_path / "data", given, 1, restart).table() == {"killer:slow": {"pass": 6}}


def test_a_slow_worker_delays_its_own_groups_only(
    machines: Machines, given: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 60.0)
    machines.worker(SLOW.replace("FOLDER", str(tmp_path)))
    machines.worker()
    assert sweep(machines, tmp_path / "data", given, 2).table() == {"killer:slow": {"pass": 6}}
    assert 1 <= len((tmp_path / "slow.txt").read_text().splitlines()) <= 3


def test_workers_of_mixed_versions_are_refused(
    machines: Machines, given: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 60.0)
    machines.worker()
    machines.worker(OLD)
    cluster = Cluster(machines.address, specs_of(given))
    cluster._connect(60.0)
    wait_for_workers(cluster, 2)
    cluster._client.close()
    with pytest.raises(UsageError, match=r"(?s)different versions.*robodyn-check: 0\.0\.1 on tcp://127\.0\.0\.1"):
        sweep(machines, tmp_path / "data", given, 2)


def test_a_worker_whose_library_is_not_the_planned_one_ends_the_sweep(
    machines: Machines, given: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 60.0)
    machines.worker(OTHER)
    with pytest.raises(UsageError, match=r"a worker has killer:slow 0\.9, the sweep was planned with"):
        sweep(machines, tmp_path / "data", given, 1)


def test_no_scheduler_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.5)
    with pytest.raises(UsageError, match="no Dask scheduler answers there"), Cluster("tcp://127.0.0.1:9", ()):
        pass
