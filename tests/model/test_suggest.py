"""Suggestions name what exists."""

from __future__ import annotations

import pytest

from robodyn_check.model.suggest import suggestion


@pytest.mark.parametrize(
    ("name", "known", "words"),
    [
        ("forarm", ["hand", "forearm"], "Did you mean 'forearm'?"),
        ("BASE", ["base"], "Did you mean 'base'?"),
        ("x", ["hand", "arm"], "There are: 'hand', 'arm'."),
        ("x", [], "There is none."),
        ("zz", [f"link_{k}" for k in range(9)], "and 3 more."),
    ],
)
def test_the_nearest_name_or_what_exists_is_said(name: str, known: list[str], words: str) -> None:
    assert words in suggestion(name, known)
