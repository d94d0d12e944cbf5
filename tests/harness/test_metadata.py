"""Facts of adapter files are read without importing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.harness.discovery import find_adapters
from robodyn_check.harness.metadata import read_adapter_file, script_metadata
from robodyn_check.resources import resource_folder
from robodyn_check.sdk.adapter import Adapter
from robodyn_check.sdk.server import offered
from robodyn_check.sdk.worker import load_adapter

if TYPE_CHECKING:
    from pathlib import Path

FILE = '''# /// script
# requires-python = ">=3.10"
# dependencies = [
#   "numpy",
#   "mylib[fast]>=2",
# ]
# ///
"""My library.

More.
"""
import mylib_that_does_not_exist
from robodyn_check.sdk import adapter

class Mine(adapter.Adapter):
    name = "mine"
    cost: float = 3.5
    limits = {"mjcf": "no MJCF"}
    chunk = int("7")

    def mass_matrix(self, q):
        return q

    def helper(self):
        return None
'''


def test_facts_come_without_an_import(tmp_path: Path):
    path = tmp_path / "mine.py"
    path.write_text(FILE, encoding="utf-8")
    adapter = read_adapter_file(path)
    assert adapter is not None
    assert (adapter.name, adapter.cost, adapter.limits) == ("mine", 3.5, {"mjcf": "no MJCF"})
    assert adapter.chunk == 500  # computed at import time: the default stands until the adapter runs
    assert adapter.dependencies == ("numpy", "mylib[fast]>=2")
    assert adapter.requires_python == ">=3.10"
    assert adapter.quantities == ("mass_matrix",)
    assert adapter.summary == "My library."


def test_a_file_without_an_adapter_is_none(tmp_path: Path):
    path = tmp_path / "x.py"
    path.write_text("class Adapter: ...\n", encoding="utf-8")
    assert read_adapter_file(path) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def broken(:\n", "cannot be read"),
        (
            "# /// script\n# dependencies = [\n# ///\nclass A(Adapter): ...\n",
            "its inline script metadata is no TOML",
        ),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, words: str):
    path = tmp_path / "broken.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_adapter_file(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


def test_no_block_is_no_metadata():
    assert script_metadata("import os\n", "x") == {}


SHIPPED = [path for path in sorted(resource_folder("adapters").glob("*.py")) if read_adapter_file(path) is not None]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_is_read_is_what_runs(path: Path):
    """The facts read from the text are those of the class, for every adapter that comes with robodyn-check."""
    adapter = read_adapter_file(path)
    assert adapter is not None
    running = load_adapter(path)
    assert issubclass(running, Adapter)
    for name in ("name", "library", "formats", "precision", "coriolis", "cost", "chunk", "profiles", "limits"):
        assert getattr(adapter, name) == getattr(running, name), name
    for name in ("needs_mechanism", "symmetric_by_construction", "reads_extensions"):
        assert getattr(adapter, name) == getattr(running, name), name
    assert adapter.quantities == offered(running)
    assert any(one.startswith("numpy") for one in adapter.dependencies)
    assert adapter.summary


def test_every_shipped_adapter_has_its_own_name():
    adapters = find_adapters()
    assert {"pinocchio", "mujoco", "drake"} <= set(adapters)
    assert all(adapter.name == name for name, adapter in adapters.items())
    assert "template" not in adapters
