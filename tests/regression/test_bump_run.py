from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import AdapterMissing, UsageError
from robodyn_check.regression.bump_page import bump_page
from robodyn_check.regression.bump_run import bump, resolve, spec_text
from robodyn_check.regression.page_text import page_text
from robodyn_check.settings import Settings

from .conftest import MODEL, SWING

if TYPE_CHECKING:
    from robodyn_check.regression.bump import Bump

    from .conftest import Environment

SETTINGS = Settings(models=(str(MODEL),), adapter=(str(SWING),), samples=12, certify=0, select=("RD25", "RD45"))


def bumped(environment: Environment, old: str, new: str, *, timings: bool = False) -> Bump:
    return bump(SETTINGS, "swing", environment(old), environment(new), timings=timings)[0]


def statuses(result: Bump) -> dict[str, str]:
    return {one.quantity: one.status for one in result.models[0].quantities}


@pytest.mark.parametrize(
    ("old", "new", "status", "code"),
    [
        ("1.0", "1.1", "unchanged", 0),
        ("1.0", "1.2 rounds", "within rounding", 0),
        ("1.3 wrong", "1.4", "fixed", 0),
        ("1.4", "1.3 wrong", "broken", 1),
        ("1.3 wrong", "1.5 wrong", "wrong in both", 0),
        ("1.0", "1.6 gone", "call no longer exists", 1),
        ("1.0", "1.7 refuses", "newly refused", 1),
        ("1.7 refuses", "1.0", "newly loaded", 0),
    ],
)
def test_a_bump_says_what_happened_to_a_quantity(
    environment: Environment, old: str, new: str, status: str, code: int
) -> None:
    result = bumped(environment, old, new)
    assert statuses(result)["mass_matrix"] == status
    assert result.exit_code == code
    assert (result.old.version, result.new.version) == (old.partition(" ")[0], new.partition(" ")[0])


def test_the_readback_names_the_parameter_and_its_line(environment: Environment) -> None:
    result = bumped(environment, "1.3 wrong", "1.4")
    (mass,) = [one for one in result.models[0].held if one.parameter == "mass"]
    assert (mass.element, mass.old, mass.new, mass.expected) == ("body rod", "1", "2", "2")
    assert mass.line is not None
    assert "mass" in MODEL.read_text(encoding="utf-8").splitlines()[mass.line - 1]
    text = page_text(bump_page(result), width=200)
    assert f"1.4 holds what the file says in 1 of 1 parameter (line {mass.line}), 1.3 does not" in text
    assert "mass_matrix: fixed; in 1.3: mass_matrix[swing, swing] is 1.5, expected 0.75" in text


def test_times_are_measured_in_pairs(environment: Environment) -> None:
    result = bumped(environment, "1.0", "1.1", timings=True)
    timing = result.models[0].quantities[0].timing
    assert timing is not None
    assert timing.rounds > 1
    assert timing.old > 0
    assert timing.ratio == pytest.approx(timing.new / timing.old)


def test_a_library_may_be_named_as_the_package_index_does() -> None:
    name, adapter = resolve(Settings(), "pin")
    assert (name, adapter.name) == ("pinocchio", "pinocchio")
    assert resolve(Settings(), "mujoco:default")[0] == "mujoco:default"


@pytest.mark.parametrize(
    ("library", "message"),
    [("pinn", "there is no library 'pinn'. Did you mean 'pin'"), ("pin==3.9.0", "name the library alone")],
)
def test_a_library_that_cannot_be_named_is_refused(library: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(Settings(), library)


def test_two_equal_versions_are_refused() -> None:
    with pytest.raises(UsageError, match=r"3\.9\.0 and 3\.9\.0 are the same version"):
        bump(Settings(models=("m.urdf",)), "pin", "3.9.0", "3.9.0")


def test_a_version_that_cannot_be_had_ends_the_comparison(environment: Environment) -> None:
    with pytest.raises(AdapterMissing, match="/nowhere/python is no interpreter"):
        bump(SETTINGS, "swing", "@/nowhere/python", environment("1.0"))


def test_a_version_word_becomes_a_spec() -> None:
    assert [spec_text("pin", word) for word in ("4.1.0", "current", "@/opt/python")] == [
        "pin==4.1.0",
        "pin",
        "pin@/opt/python",
    ]
