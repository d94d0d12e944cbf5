from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import robodyn_check
from robodyn_check.errors import ModelError, SettingsError, UsageError
from robodyn_check.pipeline import check_model
from robodyn_check.run.gathered import Gathered
from robodyn_check.run.libraries import Libraries
from robodyn_check.settings import Settings

if TYPE_CHECKING:
    from robodyn_check.report.results import Report, Result

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "models" / "pendulum" / "model.urdf"
ADAPTER = ROOT / "tests" / "run" / "pendulum_adapter.py"
MISBEHAVING = ("wrong", "nan", "crash", "hang", "chatter", "refuses", "limited", "dead")


def run(*profiles: str, **arguments: object) -> Report:
    libraries = [f"pendulum:{profile}" if profile else "pendulum" for profile in profiles]
    given = {"libraries": libraries, "adapters": [ADAPTER], "samples": 24, **arguments}
    return robodyn_check.check(MODEL, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def report() -> Report:
    return run("", *MISBEHAVING, timeout=1.0)


def results(report: Report, subject: str, *verdicts: str) -> list[Result]:
    return [one for one in report.models[0].results if one.subject == subject and one.verdict in verdicts]


def test_the_right_library_passes_in_the_company_of_broken_ones(report: Report) -> None:
    judged = [one for one in report.models[0].results if one.subject == "pendulum" and one.verdict != "skip"]
    alone = [one for one in judged if one.against in {None, "reference"}]
    assert {one.verdict for one in alone} == {"pass"}
    assert len(alone) > 20


def test_everybody_has_a_record_in_the_order_asked(report: Report) -> None:
    names = [subject.name for subject in report.models[0].subjects]
    assert names == ["reference", "pendulum", *(f"pendulum:{profile}" for profile in MISBEHAVING)]


def test_a_wrong_number_is_a_fail_with_everything_one_needs(report: Report) -> None:
    (finding,) = [
        one for one in results(report, "pendulum:wrong", "fail") if one.code == "RD250" and one.against == "reference"
    ]
    assert finding.worst is not None
    assert finding.worst.labels == ("swing", "swing")
    assert finding.worst.got == 1.5
    assert finding.worst.expected == pytest.approx(0.75, rel=1e-14)
    assert finding.margin is not None
    assert finding.margin > 1e10
    assert finding.again is not None
    assert "--lib pendulum:wrong" in finding.again
    assert "--select RD250" in finding.again
    assert f"--adapter {ADAPTER}" in finding.again


@pytest.mark.parametrize(
    ("profile", "verdict", "code", "words"),
    [
        ("nan", "error", "RD901", "gravity_vector"),
        ("crash", "error", "RD901", "inverse_dynamics: closed its pipe (killed by SIGSEGV)"),
        ("hang", "error", "RD901", "no answer to evaluate within 1 s"),
        ("refuses", "fail", "RD942", "refuses a legal model: ValueError: I do not like rods"),
        ("limited", "skip", "RD942", "no joint that swings"),
        ("dead", "error", "RD943", "killed by SIGKILL"),
    ],
)
def test_what_a_library_does_becomes_its_verdict(
    report: Report, profile: str, verdict: str, code: str, words: str
) -> None:
    found = [one for one in results(report, f"pendulum:{profile}", verdict) if one.code == code]
    assert any(words in str(one.message) for one in found), [one.message for one in found]


@pytest.mark.parametrize("profile", ["nan", "crash", "hang"])
def test_an_error_in_one_quantity_keeps_the_others(report: Report, profile: str) -> None:
    passed = {one.quantity for one in results(report, f"pendulum:{profile}", "pass")}
    assert {"mass_matrix", "coriolis_matrix", "kinetic_energy"} <= passed
    assert not results(report, f"pendulum:{profile}", "fail")


def test_chatter_on_stdout_harms_nobody(report: Report) -> None:
    assert not results(report, "pendulum:chatter", "error")


def test_a_message_does_not_repeat_its_subject(report: Report) -> None:
    assert not [one for one in report.models[0].results if str(one.message).startswith(f"{one.subject}: ")]


def test_the_exit_code_says_that_something_is_wrong(report: Report) -> None:
    assert report.exit_code == 1
    assert not report.ok
    assert report.complete


def test_a_right_library_is_ok_and_the_numbers_are_the_same_every_time() -> None:
    first, second = run(""), run("")
    assert first.ok
    assert first.models[0].results == second.models[0].results


def test_gravity_and_seed_are_in_the_report_and_in_the_states() -> None:
    report = run("", gravity=(0, 0, -1.62), seed=5, select=["RD450"])
    states = report.models[0].states
    assert states is not None
    assert (states.gravity, states.seed, states.count) == ((0.0, 0.0, -1.62), 5, 24)
    assert report.ok
    assert {one.code for one in report.models[0].results} == {"RD450"}


def test_no_library_checks_the_model_and_the_reference() -> None:
    report = robodyn_check.check(MODEL, libraries=[], samples=10)
    assert [subject.name for subject in report.models[0].subjects] == ["reference"]
    assert {one.verdict for one in report.models[0].results} <= {"pass", "skip"}
    assert report.exit_code == 0


def test_a_users_known_failure_is_shown_and_excused(tmp_path: Path) -> None:
    known = tmp_path / "known-failures.toml"
    known.write_text('[[known]]\nlibrary = "pendulum"\nprofile = "wrong"\ncode = "RD"\nreason = "another rod"\n')
    report = run("wrong", known_failures=known)
    failed = results(report, "pendulum:wrong", "fail")
    assert failed
    assert {one.known.reason for one in failed if one.known} == {"another rod"}
    assert report.summary.known == len(failed)
    assert report.exit_code == 0


def test_a_check_of_ours_that_raises_is_an_error_of_ours_and_the_rest_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from robodyn_check.checks import registry  # noqa: PLC0415 - patched here
    from robodyn_check.run import ground  # noqa: PLC0415 - patched here

    def broken(*arguments: object) -> tuple[registry.Check, ...]:
        def judge(_context: object) -> tuple[Result, ...]:
            raise ZeroDivisionError("by zero")

        first, *rest = registry.load(*arguments)  # type: ignore[arg-type]
        return (registry.Check(text=first.text, probes=first.probes, judge=judge), *rest)

    monkeypatch.setattr(ground, "load", broken)
    report = robodyn_check.check(MODEL, libraries=[], samples=10)
    errors = [one for one in report.models[0].results if one.verdict == "error"]
    assert [one.code for one in errors] == ["RD944"]
    assert "ZeroDivisionError: by zero" in str(errors[0].message)
    assert "fault of robodyn-check" in str(errors[0].message)
    assert report.summary.passed > 10


def test_an_interrupt_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from robodyn_check import pipeline  # noqa: PLC0415 - patched here

    def interrupt(*_arguments: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "judge_agreement", interrupt)
    report = run("")
    assert report.exit_code == 130
    assert not report.complete
    assert any(one.subject == "pendulum" for one in report.models[0].results)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"libraries": ["pinochio"]}, r"no adapter is called 'pinochio'.*Did you mean 'pinocchio'"),
        ({"libraries": ["pendulum:left"], "adapters": [ADAPTER]}, "pendulum has no profile 'left'"),
        ({"adapters": ["nowhere.py"]}, "there is no such file"),
        ({"select": ["RD999"]}, "There is no check 'RD999'"),
        ({"samples": 0}, "--samples: found 0"),
    ],
)
def test_a_wrong_argument_is_refused_at_once(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        robodyn_check.check(MODEL, **arguments)  # type: ignore[arg-type]


def test_a_missing_list_of_known_failures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the list of known failures does not exist"):
        robodyn_check.check(MODEL, libraries=[], known_failures=tmp_path / "none.toml")


def test_an_unreadable_model_raises_with_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "bad.urdf"
    path.write_text("<robot name='r'><link name='a'/><link name='a'/></robot>")
    with pytest.raises(ModelError, match=r"bad\.urdf:1: "):
        robodyn_check.check(path, libraries=[])


def test_causes_are_not_looked_for_where_nobody_asks() -> None:
    settings = Settings(lib=("pendulum:wrong",), adapter=(str(ADAPTER),), samples=4, certify=0, select=("RD250",))
    gathered = Gathered(path=str(MODEL), settings=settings)
    with Libraries(settings, lambda _text: None) as libraries:
        libraries.start()
        check_model(gathered, libraries, lambda _text: None, causes=False)
    (finding,) = [one for one in gathered.results if one.verdict == "fail"]
    assert finding.cause is None
