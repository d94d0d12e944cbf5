"""Jobs run side by side; what a library does is a value."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from robodyn_check.errors import AdapterCrashed, AdapterError
from robodyn_check.harness.parallel import run_all


def crash() -> int:
    message = "gone"
    raise AdapterCrashed(message)


def test_values_and_library_errors_come_back_by_name():
    results = run_all({"a": lambda: 1, "b": crash, "c": lambda: 3})
    assert (results["a"], results["c"]) == (1, 3)
    assert isinstance(results["b"], AdapterError)
    assert list(results) == ["a", "b", "c"]


def test_jobs_run_at_the_same_time():
    meeting = threading.Barrier(3, timeout=10)
    results = run_all(dict.fromkeys("abc", meeting.wait), workers=3)
    assert sorted(value for value in results.values() if isinstance(value, int)) == [0, 1, 2]


def test_our_own_mistakes_are_raised():
    with pytest.raises(ZeroDivisionError):
        run_all({"a": partial(divmod, 1, 0)})


def test_no_jobs_are_no_results():
    assert run_all({}) == {}
