"""Every claim about the protocol finds a miniature that breaks it, and lets an honest adapter pass."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from robodyn_check.conform.bench import Bench
from robodyn_check.conform.rehearsal import CLAIMS, rehearse
from robodyn_check.conform.trials import trials
from robodyn_check.harness.metadata import AdapterFile
from tests.conform import miniature

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.conform.bench import Trial

HERE = Path(__file__).parent
MODEL = HERE.parents[1] / "models" / "planar_2r" / "model.urdf"
BAD = sorted(path.stem for path in (HERE / "bad").glob("*.py"))


MINIATURES = {name: importlib.import_module(f"tests.conform.bad.{name}") for name in BAD}


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trial, ...]:
    adapter = AdapterFile(name="miniature", path=HERE, kind="program", formats=("urdf",))
    return trials([MODEL], adapter, tmp_path_factory.mktemp("trials"))


def verdicts(connect: Callable[[], Any], robots: tuple[Trial, ...]) -> dict[str, str]:
    return {finding.slug: finding.verdict for finding in rehearse(Bench(connect, robots))}


def test_an_honest_adapter_holds_to_every_claim(robots: tuple[Trial, ...]):
    assert verdicts(miniature.Honest, robots) == {claim.slug: "pass" for claim in CLAIMS}


@pytest.mark.parametrize("name", BAD)
def test_a_miniature_is_caught(name: str, robots: tuple[Trial, ...]):
    caught = MINIATURES[name].CAUGHT_BY
    claims = [CLAIMS[0], *(claim for claim in CLAIMS[1:] if claim.slug in caught)]
    found = rehearse(Bench(MINIATURES[name].Bad, robots), claims=claims)
    failed = {finding.slug: finding.message for finding in found if finding.verdict == "fail"}
    assert set(caught) == set(failed)
    assert all(failed.values())


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.slug)
def test_every_claim_can_fail(claim: Any):
    assert any(claim.slug in one.CAUGHT_BY for one in MINIATURES.values())


def test_who_does_not_greet_is_asked_nothing_else(robots: tuple[Trial, ...]):
    first, *rest = rehearse(Bench(MINIATURES["nameless"].Bad, robots))
    assert (first.verdict, first.message) == ("fail", "initialize.version is empty; it stands in every report")
    assert {finding.verdict for finding in rest} == {"skip"}


def test_an_adapter_that_takes_no_robot_is_still_examined(robots: tuple[Trial, ...]):
    found = rehearse(Bench(miniature.Honest, robots[:0]))
    skipped = {finding.slug: finding.message for finding in found if finding.verdict == "skip"}
    assert "loads" in skipped
    assert skipped["loads"] == "it loads none of the robots to try (none given)"
    assert not any(finding.verdict == "fail" for finding in found)
