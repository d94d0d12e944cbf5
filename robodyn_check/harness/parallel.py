"""Run one job per library in threads: the work is in the libraries' own processes, the threads wait."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from robodyn_check.errors import AdapterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Value = TypeVar("Value")


def run_all(jobs: Mapping[str, Callable[[], Value]], *, workers: int | None = None) -> dict[str, Value | AdapterError]:
    """Run every job and return its value, or the AdapterError it ended with, under its name.

    Args:
        jobs: The most expensive first: with more jobs than workers they start in this order.
        workers: Jobs at a time; by default one for each processor that we may use, so that time-outs measure the
            library and not the crowd.
    """
    if not jobs:
        return {}
    count = workers or len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(max_workers=min(count, len(jobs))) as executor:
        futures = {name: executor.submit(_caught, job) for name, job in jobs.items()}
        return {name: future.result() for name, future in futures.items()}


def _caught(job: Callable[[], Value]) -> Value | AdapterError:
    """Run a job; what a library does is a value, what we do wrong is raised."""
    try:
        return job()
    except AdapterError as error:
        return error
