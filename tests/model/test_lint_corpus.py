"""Real robots: what the corpus calls sound never fails the lint, and what it calls defective is found."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.lint import lint
from robodyn_check.model.read import read_model

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the project")

#: Robots whose fail the index does not name, each verified by hand in its file.
BY_HAND = {
    "alex_psyonic": "mimics joints that do not exist (index_q1 for Left_index_q1)",
    "pendulum_tendon_rail": "lower limit 1 above the missing upper limit; last link without inertia",
}


@cache
def robots() -> list[dict[str, Any]]:
    if not CORPUS.is_dir():
        return []
    index = json.loads((CORPUS / "index.json").read_text())
    return [robot for robot in index["robots"] if robot["format"] == "urdf"]


def fails(robot: dict[str, Any]) -> frozenset[str]:
    """Codes that fail, or RD100 where the file is refused."""
    return _fails(robot["file"])


@cache
def _fails(file: str) -> frozenset[str]:
    try:
        model = read_model(CORPUS / file)
    except ModelError:
        return frozenset({"RD100"})
    return frozenset(result.code for result in lint(model) if result.verdict == "fail")


def test_a_robot_fails_only_where_the_index_calls_it_defective() -> None:
    wrong = {
        robot["name"]: sorted(found)
        for robot in robots()
        if (found := fails(robot)) and robot["verdict"] == "agree" and robot["name"] not in BY_HAND
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("defect", "codes"),
    [
        ("link_nonpd", {"RD102"}),
        ("link_triangle", {"RD102", "RD104"}),
        ("moving_triangle", {"RD104"}),
        ("link_bad_number", {"RD100"}),
        ("roots", {"RD100"}),
    ],
)
def test_a_defect_of_the_index_is_found(defect: str, codes: set[str]) -> None:
    named = [robot for robot in robots() if any(entry["code"] == defect for entry in robot["defects"])]
    missed = [robot["name"] for robot in named if not fails(robot) & (codes | {"RD100"})]
    assert named
    assert missed == []


def test_what_both_libraries_or_pinocchio_refuse_is_refused_or_fails() -> None:
    refused = [robot for robot in robots() if robot["verdict"] in {"pin_refuses", "both_refuse"}]
    assert refused
    assert [robot["name"] for robot in refused if not fails(robot)] == []
