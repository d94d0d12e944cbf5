from __future__ import annotations

from pathlib import Path

from robodyn_check.documents import LISTS, stale

ROOT = Path(__file__).parents[1]


def test_generated_pages_are_fresh() -> None:
    names = [path.name for path in stale(ROOT)]
    assert not names, f"{', '.join(names)} out of date: run 'make docs' and commit the result"


def test_the_readme_has_every_generated_list() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in LISTS:
        assert f"<!-- {name} -->\n|" in readme
