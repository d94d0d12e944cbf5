from __future__ import annotations

import json

import pytest

from robodyn_check.report.badge import badge
from tests.report import fixtures


@pytest.mark.parametrize(
    ("make", "message", "color"),
    [
        (fixtures.all_pass, "2 libraries right", "brightgreen"),
        (fixtures.mixed, "drake wrong", "red"),
        (fixtures.interrupted, "incomplete", "lightgrey"),
        (fixtures.nothing, "nothing checked", "lightgrey"),
    ],
)
def test_the_badge_says_the_verdict(make: fixtures.Make, message: str, color: str):
    data = json.loads(badge(make()))
    assert (data["schemaVersion"], data["message"], data["color"]) == (1, message, color)
