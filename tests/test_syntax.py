"""Source texts are read in many threads at once; the interpreter must not be asked to build two trees together."""

from __future__ import annotations

import ast
import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from robodyn_check.syntax import parse_python
from tests.test_package import ADAPTERS, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


class _RunsWhenCollected:
    """Garbage that runs Python code when it is collected, so that threads change places in the midst of a tree."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        sum(range(20))


@pytest.fixture
def threads_that_change_places_often() -> Iterator[None]:
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(5)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("threads_that_change_places_often")
def test_trees_are_built_in_many_threads_at_once() -> None:
    """With ast.parse itself, CPython 3.11 raises SystemError dozens of times here."""
    texts = [path.read_text(encoding="utf-8") for path in ADAPTERS[:12]]

    def parse_all(_: int) -> list[str]:
        for _round in range(3):
            for text in texts:
                _RunsWhenCollected()
                parse_python(text)
        return [ast.unparse(parse_python(text)) for text in texts[:1]]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(parse_all, range(4)))
    assert answers == [[ast.unparse(ast.parse(texts[0]))]] * 4


def test_nothing_else_of_the_package_builds_a_tree() -> None:
    """One lock serves only if everybody stands in the same queue."""
    others = [
        path.name
        for path in (ROOT / "robodyn_check").rglob("*.py")
        if "ast.parse(" in path.read_text(encoding="utf-8") and path.name != "syntax.py"
    ]
    assert others == []
