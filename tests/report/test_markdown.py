from __future__ import annotations

import re

import pytest

from robodyn_check.report.markdown import COMMENT_LIMIT, code, escape, markdown
from tests.report import fixtures


def test_a_comment_stays_below_its_limit_and_counts_what_is_left_out():
    text = markdown(fixtures.many())
    assert len(text.encode()) <= COMMENT_LIMIT
    shown = text.count("**RD2")
    assert f"… and {3000 - shown} more findings; the full report has them." in text
    assert "3000 fail" in text.splitlines()[-1]


@pytest.mark.parametrize("limit", [600, 1000, 5000])
def test_any_limit_is_kept(limit: int):
    assert len(markdown(fixtures.many(50), limit=limit).encode()) <= limit


def test_names_are_no_markup():
    text = markdown(fixtures.hostile())
    outside_code = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text)
    assert "<script>" not in outside_code
    assert "@all" not in outside_code
    assert escape("<b>|@all #1 [x](y)") == r"&lt;b\>\|&#64;all \#1 \[x\](y)"


@pytest.mark.parametrize(
    ("text", "shown"), [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("``", "``` `` ```")]
)
def test_code_holds_any_backticks(text: str, shown: str):
    assert code(text) == shown


def test_the_failure_is_above_the_pass():
    text = markdown(fixtures.mixed())
    assert text.index("#### FAIL") < text.index("#### ERROR") < text.index("#### known fail") < text.index("#### warn")
