"""Interpreters and environments: ours, the user's, one made by uv, one resolved as of a release."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import AdapterMissing
from robodyn_check.harness import environments
from robodyn_check.harness.environments import (
    clean_environments,
    environment_for,
    launch_for,
    list_environments,
    requirements_for,
)
from robodyn_check.harness.metadata import AdapterFile
from robodyn_check.harness.session import LibrarySession
from robodyn_check.harness.spec import LibrarySpec, parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable

ADAPTER = AdapterFile(
    name="lib", path=Path("lib.py"), library="Lib_Dist", dependencies=("numpy", "lib-dist[x]>=3", "other<2")
)
PUBLISHED = (
    "hint: `lib-dist` was found, but not at a time before 2001-01-01; it was\n      published at 2026-02-16T10:00:00Z"
)


class FakeUv:
    """Stands in for uv: makes folders with an interpreter, remembers what it was asked."""

    def __init__(self, complaints: list[str | None], *, knows_release: bool = True) -> None:
        """Give these complaints in turn, one for each environment that is started."""
        self.calls: list[tuple[str, ...]] = []
        self.complaints = complaints
        self.knows_release = knows_release

    def __call__(self, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        self.calls.append(arguments)
        if arguments[0] == "venv":
            Path(arguments[-1], "bin").mkdir(parents=True)
        if "--dry-run" in arguments:
            return subprocess.CompletedProcess((), 1, "", PUBLISHED if self.knows_release else "offline")
        return subprocess.CompletedProcess((), 0, "", "")

    def complaint(self, _folder: Path, _adapter: AdapterFile) -> str | None:
        return self.complaints.pop(0)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[FakeUv], FakeUv]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def install(uv: FakeUv) -> FakeUv:
        monkeypatch.setattr(environments, "_run_uv", uv)
        monkeypatch.setattr(environments, "_complaint", uv.complaint)
        return uv

    return install


def test_the_library_s_range_becomes_its_version():
    assert requirements_for(ADAPTER, "3.1") == ("Lib_Dist==3.1", "numpy", "other<2")
    assert requirements_for(ADAPTER, None) == ADAPTER.dependencies
    with pytest.raises(
        AdapterMissing, match="lib has no library on the package index: name an interpreter with lib@PATH"
    ):
        requirements_for(replace(ADAPTER, library=""), "1")


def test_an_environment_is_made_once_and_listed_and_cleaned(fake: Callable[[FakeUv], FakeUv]):
    uv = fake(FakeUv([None]))
    record = environment_for(ADAPTER, "3.1")
    assert environment_for(ADAPTER, "3.1") == record
    assert record.as_of is None
    assert [call[0] for call in uv.calls] == ["venv", "pip"]
    assert "Lib_Dist==3.1" in uv.calls[1]
    assert list_environments() == (record,)
    assert clean_environments(("another",)) == ()
    assert clean_environments(("lib",)) == (record.folder,)
    assert list_environments() == ()
    assert not Path(record.folder).exists()


def test_a_version_that_does_not_start_is_resolved_as_of_its_release(fake: Callable[[FakeUv], FakeUv]):
    uv = fake(FakeUv(["liburdfdom_sensor.so.4.0: cannot open shared object file", None]))
    record = environment_for(ADAPTER, "3.1")
    assert record.as_of == "2026-02-21"  # five days after
    assert uv.calls[-1][uv.calls[-1].index("--exclude-newer") :][:2] == ("--exclude-newer", "2026-02-21")
    launch = launch_for(parse_spec("lib==3.1"), ADAPTER)
    assert launch.notes == ("packages as of 2026-02-21, since lib==3.1 does not start with today's",)
    assert launch.command[0] == f"{record.folder}/bin/python"


@pytest.mark.parametrize(
    ("uv", "words"),
    [
        (FakeUv(["no .so", "still no .so"]), "does not start, also not with packages as of 2026-02-21: still no .so"),
        (FakeUv(["no .so"], knows_release=False), "lib: Lib_Dist==3.1 numpy other<2 does not start: no .so"),
    ],
)
def test_a_version_that_never_starts_says_the_loader_s_words(fake: Callable[[FakeUv], FakeUv], uv: FakeUv, words: str):
    fake(uv)
    with pytest.raises(AdapterMissing) as caught:
        environment_for(ADAPTER, "3.1")
    assert words in str(caught.value)
    assert list_environments() == ()


def test_a_broken_attempt_is_made_anew(fake: Callable[[FakeUv], FakeUv]):
    fake(FakeUv([None, None]))
    record = environment_for(ADAPTER, "3.1")
    Path(record.folder, environments.MARKER).write_text(json.dumps({"folder": 1}), encoding="utf-8")
    assert list_environments() == ()
    assert environment_for(ADAPTER, "3.1").folder == record.folder
    assert len(list_environments()) == 1


def test_a_failing_uv_shows_its_words(fake: Callable[[FakeUv], FakeUv], monkeypatch: pytest.MonkeyPatch):
    fake(FakeUv([]))
    failed = subprocess.CompletedProcess((), 1, "", "No solution found\n when resolving")
    monkeypatch.setattr(environments, "_run_uv", lambda _arguments: failed)
    with pytest.raises(AdapterMissing, match="uv venv --quiet failed: No solution found when resolving"):
        environment_for(ADAPTER, "3.1")


def test_without_uv_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AdapterMissing, match=r"needs uv: pip install 'robodyn-check\[isolated\]'"):
        environments.uv_command()


def test_a_missing_interpreter_is_named(tmp_path: Path):
    with pytest.raises(AdapterMissing, match=r"lib@.*: .* is no interpreter; expected the path of a Python executable"):
        launch_for(parse_spec(f"lib@{tmp_path}"), ADAPTER)


def test_pip_s_indexes_are_uv_s_unless_uv_has_its_own(monkeypatch: pytest.MonkeyPatch):
    listed = (
        "global.extra-index-url='file:///a\\nfile:///b'\n:env:.find-links='/w1 /w2'\nglobal.index-url='https://i'\n"
    )
    listed = listed.replace("\\n", " ")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess((), 0, listed, ""))
    for name in ("UV_INDEX", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    assert environments._index_variables() == {
        "UV_DEFAULT_INDEX": "https://i",
        "UV_INDEX": "file:///a file:///b",
        "UV_FIND_LINKS": "/w1,/w2",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://mine")
    assert environments._index_variables() == {}


def test_a_named_interpreter_gets_the_staged_sdk_and_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = Path(__file__).parent / "bad_adapters" / "misbehaving.py"
    spec = LibrarySpec(name="misbehaving", adapter=path, python=Path(sys.executable))
    with LibrarySession.start(spec) as session:
        assert session.launch.variables["PYTHONPATH"].startswith(str(tmp_path))
        assert session.info.version == "1.0"
        assert session.launch.environment == sys.executable
