from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import SettingsError
from robodyn_check.known import KnownFailure, apply_known, load_known, version_in
from robodyn_check.report.results import Result, SubjectRecord

if TYPE_CHECKING:
    from pathlib import Path

MUJOCO = SubjectRecord(name="mujoco", library="mujoco", version="3.13.0", status="ok")
PIN = SubjectRecord(name="pinocchio", library="pin", version="4.1.0", status="ok")
ENTRY = KnownFailure(
    library="mujoco",
    code="RD25",
    reason="rotation lost",
    source="shipped",
    versions="<3.14",
    feature="rotated_inertial",
)
FEATURES = frozenset({"rotated_inertial"})


def failing(**changes: object) -> Result:
    values = {"code": "RD252", "slug": "x", "verdict": "fail", "subject": "mujoco", "quantity": "mass_matrix"}
    return Result(**{**values, **changes})  # type: ignore[arg-type]


def applied(result: Result, entry: KnownFailure = ENTRY, features: frozenset[str] = FEATURES) -> tuple[Result, ...]:
    return apply_known([result], [MUJOCO, PIN], [entry], model="robots/arm.urdf", features=features)


def test_an_entry_flags_the_failure_with_its_reason() -> None:
    (flagged,) = applied(failing())
    assert flagged.verdict == "fail"
    assert flagged.known is not None
    assert (flagged.known.reason, flagged.known.source) == ("rotation lost", "shipped")


@pytest.mark.parametrize(
    "result",
    [
        failing(subject="pinocchio"),
        failing(code="RD301"),
        failing(verdict="warn"),
    ],
    ids=lambda result: f"{result.subject}-{result.code}-{result.verdict}",
)
def test_an_entry_flags_nothing_else(result: Result) -> None:
    assert applied(result)[0].known is None


@pytest.mark.parametrize(
    "name", ["mujoco:default", "mujoco==3.13.0", "mujoco@/opt/python", "mujoco:default@/opt/python"]
)
def test_an_entry_counts_however_the_library_was_named(name: str) -> None:
    subject = dataclasses.replace(MUJOCO, name=name)
    (flagged,) = apply_known([failing(subject=name)], [subject], [ENTRY], model="robots/arm.urdf", features=FEATURES)
    assert flagged.known is not None


def test_an_entry_needs_its_feature() -> None:
    assert applied(failing(), features=frozenset())[0].known is None


def test_an_entry_for_a_model_matches_its_path() -> None:
    for model, known in (("robots/*.urdf", True), ("other/*.urdf", False)):
        entry = KnownFailure(library="*", code="RD252", reason="ours", source="known-failures.toml", model=model)
        assert (applied(failing(), entry)[0].known is not None) is known


def test_disagreement_with_the_culprit_is_known_too() -> None:
    (flagged,) = applied(failing(subject="pinocchio", against="mujoco"))
    assert flagged.known is not None


def test_a_shipped_entry_whose_check_passes_is_harmless() -> None:
    assert len(applied(failing(verdict="pass"))) == 1


def test_a_users_entry_whose_check_passes_is_reported() -> None:
    entry = dataclasses.replace(ENTRY, source="known-failures.toml")
    _, warning = applied(failing(verdict="pass"), entry)
    assert warning.verdict == "warn"
    assert warning.code == "RD940"
    assert "excuses RD25 of mujoco (rotation lost), but it passes here" in str(warning.message)


def test_an_entry_whose_check_was_not_judged_is_left_alone() -> None:
    assert len(applied(failing(verdict="skip"))) == 1


@pytest.mark.parametrize(
    ("version", "ranges", "inside"),
    [
        ("3.13.0", ">=3.3,<3.14", True),
        ("3.14.0", ">=3.3,<3.14", False),
        ("3.9", "<3.13", True),
        ("4.1.0", "==4.1", True),
        ("4.1.0", "!=4.1.0", False),
        ("1.51.1+local", ">=1.51.1", True),
    ],
)
def test_versions_compare_as_numbers(version: str, ranges: str, inside: bool) -> None:  # noqa: FBT001 - a table
    assert version_in(version, ranges) is inside


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[known]]\nlibrary='x'\ncode='RD2'\n", "entry 1: reason is missing; an entry needs library, code, reason"),
        ("[[known]]\nlibary='x'\ncode='RD2'\nreason='r'\n", r"unknown key 'libary'\. Did you mean 'library'\?"),
        ("[[known]]\nlibrary='x'\ncode='RD2'\nreason='r'\nversions='3.x'\n", "versions: '3.x' is not a version range"),
        ("[[known]]\nlibrary='x'\ncode=2\nreason='r'\n", "code = 2 must be text"),
        ("[[known]]\nlibrary='x'\ncode='RD2'\nreason='r'\nup_to='much'\n", "up_to = 'much' is not a positive number"),
        ("[[known]]\nlibrary='x'\ncode='RD2'\nreason='r'\nup_to='-1'\n", "up_to = '-1' is not a positive number"),
        ("[known]\nlibrary='x'\n", "must be a list of tables"),
        ("[[knwon]]\n", "unknown key 'knwon'"),
        ("known", "not valid TOML"),
    ],
)
def test_a_broken_list_is_refused_with_the_place(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "known-failures.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=message):
        load_known(path)


def test_a_list_is_read_with_its_path_as_source(tmp_path: Path) -> None:
    path = tmp_path / "known-failures.toml"
    path.write_text('[[known]]\nlibrary="drake"\ncode="RD352"\nreason="r"\nlink="l"\n', encoding="utf-8")
    assert load_known(path) == (KnownFailure(library="drake", code="RD352", reason="r", link="l", source=str(path)),)


def test_an_entry_may_list_beginnings_of_codes() -> None:
    entry = KnownFailure(library="mujoco", code="RD207, RD25", reason="x", source="shipped")
    assert [applied(failing(code=code), entry)[0].known is not None for code in ("RD207", "RD252", "RD301")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(("profile", "known"), [(None, True), ("default", False)])
def test_an_entry_may_speak_of_the_library_without_a_profile(profile: str | None, known: bool) -> None:  # noqa: FBT001
    entry = KnownFailure(library="mujoco", code="RD252", reason="x", source="shipped", profile="none")
    subject = SubjectRecord(name="mujoco", library="mujoco", version="3.13.0", status="ok", profile=profile)
    (flagged,) = apply_known([failing()], [subject], [entry], model="arm.urdf", features=FEATURES)
    assert (flagged.known is not None) is known


@pytest.mark.parametrize(
    ("result", "known"),
    [
        (failing(margin=1e3), True),
        (failing(margin=1e4), True),
        (failing(margin=1.1e4), False),
        (failing(verdict="error"), False),
        (failing(error=1e-13, bound=0.0), True),
        (failing(error=1e-11, bound=0.0), False),
    ],
    ids=["smaller", "as large", "larger", "without a margin", "of nothing", "much of nothing"],
)
def test_an_entry_about_lost_digits_hides_no_larger_fault(result: Result, known: bool) -> None:  # noqa: FBT001
    entry = KnownFailure(library="mujoco", code="RD25", reason="digits", source="shipped", up_to="1e4")
    assert (applied(result, entry)[0].known is not None) is known


def test_what_must_be_exact_is_measured_in_the_precision_of_the_library() -> None:
    entry = KnownFailure(library="mujoco", code="RD25", reason="digits", source="shipped", up_to="10")
    single = dataclasses.replace(MUJOCO, precision="single")
    flagged = [
        apply_known([failing(error=1e-7, bound=0.0)], [who], [entry], model="arm.urdf", features=FEATURES)[0].known
        for who in (MUJOCO, single)
    ]
    assert [known is not None for known in flagged] == [False, True]
