from __future__ import annotations

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.regression.asking import Asking
from robodyn_check.regression.bisect import bisect_page, halve
from robodyn_check.regression.page_text import page_text
from robodyn_check.regression.trend import trend_of, trend_page

from .test_diff import PASS, report, result

VERSIONS = tuple(f"1.{k}" for k in range(12))


def asking(version: str, *codes: str, trouble: str = "") -> Asking:
    found = [result(code=code, subject="lib") for code in codes] or [PASS]
    return Asking(version=version, spec="lib" if codes else "lib==1.0", report=report(*found), trouble=trouble)


class Library:
    """Versions from ``turn`` on have other findings; ``dead`` ones cannot be asked; counts how often it is asked."""

    def __init__(  # noqa: D107 - the class says it
        self, turn: int, before: tuple[str, ...], after: tuple[str, ...], dead: tuple[int, ...] = ()
    ) -> None:
        self.turn, self.before, self.after, self.dead = turn, before, after, dead
        self.asked: list[str] = []

    def __call__(self, version: str) -> Asking:
        self.asked.append(version)
        number = VERSIONS.index(version)
        if number in self.dead:
            return asking(version, trouble="does not start")
        return asking(version, *(self.after if number >= self.turn else self.before))


@pytest.mark.parametrize("turn", range(1, len(VERSIONS)))
def test_the_first_version_that_changed_is_found_by_halving(turn: int) -> None:
    library = Library(turn, (), ("RD250",))
    found = halve("lib", VERSIONS, library)
    assert (found.last, found.first) == (VERSIONS[turn - 1], VERSIONS[turn])
    assert found.appeared == ("RD250 mass_matrix of lib against reference",)
    assert found.exit_code == 1
    assert len(library.asked) == len(set(library.asked)) <= 6


def test_a_finding_that_disappeared_is_good_news() -> None:
    found = halve("lib", VERSIONS, Library(7, ("RD250", "RD350"), ("RD350",)))
    assert (found.first, found.disappeared, found.appeared) == (
        "1.7",
        ("RD250 mass_matrix of lib against reference",),
        (),
    )
    assert found.exit_code == 0
    assert "BETTER" in page_text(bisect_page(found))


def test_versions_that_cannot_be_asked_are_passed_over_and_named() -> None:
    found = halve("lib", VERSIONS, Library(7, (), ("RD250",), dead=(5, 6)))
    assert (found.last, found.first, found.unknown) == ("1.4", "1.7", ("1.5", "1.6"))
    assert "1.5 and 1.6 before it cannot be asked" in found.sentence


def test_only_the_code_in_question_counts() -> None:
    assert halve("lib", VERSIONS, Library(7, (), ("RD250",)), code="RD3").first == ""
    assert halve("lib", VERSIONS, Library(7, (), ("RD250",)), code="RD2").first == "1.7"


def test_equal_ends_are_said() -> None:
    found = halve("lib", VERSIONS, Library(99, ("RD250",), ()))
    assert found.sentence == "lib 1.0 and 1.11 have the same findings."
    assert "NO CHANGE" in page_text(bisect_page(found))


@pytest.mark.parametrize("dead", [0, 11])
def test_an_end_that_cannot_be_asked_is_refused(dead: int) -> None:
    with pytest.raises(UsageError, match="cannot be asked: does not start"):
        halve("lib", VERSIONS, Library(7, (), ("RD250",), dead=(dead,)))


def test_one_version_is_too_few() -> None:
    with pytest.raises(UsageError, match="needs two versions"):
        halve("lib", VERSIONS[:1], Library(7, (), ()))


def test_a_trend_says_where_a_library_turned_right_and_wrong() -> None:
    found = trend_of(
        "lib",
        [asking("1.0", "RD250"), asking("1.1"), asking("1.2", trouble="does not start"), asking("1.3", "RD250")],
    )
    assert "wrong in 1.0, right from 1.1 on, wrong from 1.3 on; 1.3 is wrong about mass_matrix." in found.sentence
    assert found.exit_code == 1
    text = page_text(trend_page(found), width=120)
    assert "FAIL 1.0e+14" in text
    assert "1.2: does not start" in text


def test_a_trend_of_right_versions_passes_and_one_of_none_says_so() -> None:
    assert trend_of("lib", [asking("1.0"), asking("1.1")]).exit_code == 0
    assert trend_of("lib", [asking("1.0", trouble="gone")]).exit_code == 5
