"""Adapters are found by name, by file and as plug-ins; what is missing is named with what exists."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.harness import discovery
from robodyn_check.harness.discovery import (
    Shelf,
    find_adapter,
    find_adapters,
    install_hint,
    installed_version,
    named_file,
)
from robodyn_check.harness.metadata import AdapterFile
from robodyn_check.harness.spec import LibrarySpec, parse_spec

ADAPTER = "from robodyn_check.sdk.adapter import Adapter\nclass Mine(Adapter):\n    name = 'mine'\n"
KNOWN = {"drake": AdapterFile(name="drake", path=Path("drake.py"), profiles={"default": "naive", "": "faithful"})}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("drak", "no adapter is called 'drak'; there are drake. Did you mean 'drake'?"),
        ("xyz", "no adapter is called 'xyz'; there are drake."),
        ("drake:fast", "drake has no profile 'fast'; there are: default"),
    ],
)
def test_an_unknown_name_lists_what_exists(spec: str, words: str):
    with pytest.raises(UsageError) as caught:
        find_adapter(parse_spec(spec), KNOWN)
    assert str(caught.value) == words


def test_a_file_is_an_adapter_or_a_program(tmp_path: Path):
    script, program = tmp_path / "mine.py", tmp_path / "prog"
    script.write_text(ADAPTER, encoding="utf-8")
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert find_adapter(LibrarySpec(name="x", adapter=script)).name == "mine"
    assert (named_file(program).name, named_file(program).kind) == ("prog", "program")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("none.py", None, "there is no such file"),
        ("empty.py", "x = 1\n", "defines no subclass of robodyn_check.sdk.adapter.Adapter and is not executable"),
        ("plain", "text", "is neither a Python adapter nor executable (chmod +x?)"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, name: str, text: str | None, words: str):
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        named_file(path)
    assert str(caught.value).startswith(f"--adapter {path}: ")
    assert words in str(caught.value)


def test_plug_ins_are_found_without_being_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "some_plugin"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')\n", encoding="utf-8")
    (package / "wrap.py").write_text(ADAPTER + "raise RuntimeError('imported')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = metadata.EntryPoint("mine", "some_plugin.wrap:Mine", "robodyn_check.adapters")
    gone = metadata.EntryPoint("gone", "no_such_plugin.wrap", "robodyn_check.adapters")
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: [entry, gone] if group == entry.group else [])
    assert find_adapters()["mine"].path == package / "wrap.py"


def test_install_hints_name_what_the_adapter_needs():
    adapter = AdapterFile(
        name="x", path=Path(os.devnull), library="no-such-distribution", dependencies=("numpy", "y>=2")
    )
    assert install_hint(adapter) == "pip install 'y>=2'"
    assert installed_version(adapter) is None
    assert install_hint(AdapterFile(name="x", path=Path("x"), library="lib")) == "pip install lib"
    assert install_hint(AdapterFile(name="x", path=Path("x"), homepage="https://x.org")) == "see https://x.org"


def test_a_named_adapter_alone_is_read_and_never_by_the_name_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "mine.py").write_text(ADAPTER, encoding="utf-8")
    (tmp_path / "other.py").write_text(ADAPTER.replace("'mine'", "'called_so'"), encoding="utf-8")
    (tmp_path / "broken.py").write_text("def", encoding="utf-8")
    monkeypatch.setattr(discovery, "resource_folder", lambda _name: tmp_path)
    assert Shelf()["mine"].path == tmp_path / "mine.py"  # and not broken.py
    (tmp_path / "broken.py").unlink()
    assert "other" not in Shelf()
    assert Shelf()["called_so"].path == tmp_path / "other.py"
