from __future__ import annotations

import subprocess
from typing import Any

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.regression.versions import between, in_order, published


def test_versions_are_ordered_by_their_numbers() -> None:
    given = ["3.10.0", "3.9.0", "3.3.7", "4.0.0", "3.10.0rc1", "3.9", "2.3.1.post1", "2.3.1"]
    assert in_order(given) == ("2.3.1", "2.3.1.post1", "3.3.7", "3.9.0", "3.9", "3.10.0rc1", "3.10.0", "4.0.0")


def test_the_versions_between_two_include_both() -> None:
    known = ["4.0.0", "3.14.0", "3.13.0", "3.12.0", "3.9.0"]
    assert between(known, "3.9.0", "3.13.0") == ("3.9.0", "3.12.0", "3.13.0")
    assert between([], "3.9.0", "3.13.0") == ("3.9.0", "3.13.0")


def test_pip_tells_which_versions_are_published(monkeypatch: pytest.MonkeyPatch) -> None:
    def pip(command: Any, **_more: Any) -> Any:
        text = "mujoco (4.0.0)\nAvailable versions: 4.0.0, 3.9.0, 3.13.0\n" if "mujoco" in command else ""
        return subprocess.CompletedProcess(command, 0, text, "" if text else "ERROR: No matching distribution\n")

    monkeypatch.setattr(subprocess, "run", pip)
    assert published("mujoco") == ("3.9.0", "3.13.0", "4.0.0")
    with pytest.raises(UsageError, match=r"No matching distribution.*name them with --version"):
        published("nothing")
