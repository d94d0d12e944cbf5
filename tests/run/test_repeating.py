"""Fails are repeated in a fresh process: what comes back stays a fail, what does not is an error."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check import check
from robodyn_check.harness.session import LibrarySession

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from robodyn_check.report.results import RepeatRecord, Report, Result

    Asked = Callable[..., Report]

ADAPTER = Path(__file__).parent / "pendulum_adapter.py"
MODEL = Path(__file__).parents[2] / "models" / "pendulum" / "model.urdf"


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count the sessions that are started."""
    started: list[str] = []
    start = LibrarySession.start.__func__  # type: ignore[attr-defined]

    def counted(cls: Any, /, spec: Any, **options: Any) -> Any:
        started.append(str(spec))
        return start(cls, spec, **options)

    monkeypatch.setattr(LibrarySession, "start", classmethod(counted))
    return started


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    """Ask one profile of the pendulum, which finds its first process' mark in the second one."""
    monkeypatch.setenv("PENDULUM_MARK", str(tmp_path / "mark"))

    def ask(profile: str, **arguments: Any) -> Report:
        return check(MODEL, libraries=[profile], adapters=[ADAPTER], samples=8, certify=0, **arguments)

    return ask


def results(report: Report, code: str) -> list[Result]:
    return [one for one in report.models[0].results if one.code == code and one.subject.startswith("pendulum")]


def repeat(report: Report) -> RepeatRecord:
    (record,) = [one.repeat for one in report.models[0].subjects if one.name.startswith("pendulum")]
    assert record is not None
    return record


def test_a_wrong_number_that_comes_back_stays_a_fail(asked: Asked, starts: list[str]) -> None:
    report = asked("pendulum:wrong")
    assert [one.verdict for one in results(report, "RD250")] == ["fail"]
    record = repeat(report)
    assert (record.different, record.trouble) == (0, None)
    assert record.fails > 0
    assert record.seconds > 0
    assert starts == ["pendulum:wrong"] * 2


def test_another_number_in_the_fresh_process_is_an_error_that_says_both(asked: Asked) -> None:
    report = asked("pendulum:moody")
    (finding,) = results(report, "RD250")
    assert finding.verdict == "error"
    assert str(finding.message).startswith(
        "not repeatable: mass_matrix[swing, swing] is 2.25 in the process that was judged and 3.0 in a fresh one that "
        "was asked the same in the same order, at state 0; 8 of 8 numbers differ there"
    )
    assert finding.cause is not None
    assert finding.cause.name == "not-repeatable"
    assert report.exit_code == 1
    assert repeat(report).different > 0


def test_what_does_come_back_from_a_moody_library_is_still_judged(asked: Asked) -> None:
    report = asked("pendulum:moody")
    assert [one.verdict for one in results(report, "RD450")] == ["pass"]
    assert not [one for one in report.models[0].results if one.verdict == "fail" and one.quantity == "mass_matrix"]


def test_a_stale_cache_stays_a_fail(asked: Asked) -> None:
    report = asked("pendulum:stale")
    (finding,) = [one for one in results(report, "RD904") if one.quantity == "gravity_vector"]
    assert finding.verdict == "fail"
    assert repeat(report).different == 0


def test_a_crash_in_the_repeat_is_said_and_the_fail_stays(asked: Asked, starts: list[str]) -> None:
    report = asked("pendulum:mortal")
    assert [one.verdict for one in results(report, "RD250")] == ["fail"]
    assert "killed by SIGSEGV" in str(repeat(report).trouble)
    assert starts == ["pendulum:mortal"] * 2


def test_a_refusal_that_does_not_come_back_is_an_error(asked: Asked) -> None:
    (finding,) = results(asked("pendulum:shy"), "RD942")
    assert finding.verdict == "error"
    assert "refused in the process that was judged and loaded in a fresh one" in str(finding.message)


def test_a_passing_run_starts_nothing_more(asked: Asked, starts: list[str]) -> None:
    report = asked("pendulum")
    assert report.ok
    assert starts == ["pendulum"]
    assert all(one.repeat is None for one in report.models[0].subjects)


def test_a_fail_that_is_known_is_not_repeated(asked: Asked, starts: list[str], tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text('[[known]]\nlibrary = "pendulum"\ncode = "RD"\nreason = "another rod"\n', encoding="utf-8")
    report = asked("pendulum:wrong", known_failures=known)
    assert report.summary.known > 0
    assert starts == ["pendulum:wrong"]
