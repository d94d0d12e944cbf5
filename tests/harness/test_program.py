"""An adapter that is a program is listed, asked for and built by what its folder says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.harness.discovery import find_adapter, find_adapters, install_hint, installed_version
from robodyn_check.harness.program import read_program
from robodyn_check.harness.spec import parse_spec
from robodyn_check.quantities import QUANTITIES

if TYPE_CHECKING:
    from pathlib import Path

FACTS = 'name = "mine"\nprogram = "mine/run"\nversion = "1.2"\ninstall = "make mine"\nformats = ["urdf"]\n'


def written(folder: Path, text: str) -> Path:
    (folder / "adapter.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_program_is_installed_when_it_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    adapter = read_program(written(tmp_path, FACTS))
    assert adapter is not None
    assert (adapter.kind, installed_version(adapter), install_hint(adapter)) == ("program", None, "make mine")
    adapter.path.parent.mkdir(parents=True)
    adapter.path.write_text("#!/bin/sh\n", encoding="utf-8")
    assert installed_version(adapter) is None
    adapter.path.chmod(0o755)
    assert installed_version(adapter) == "1.2"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "this is not valid TOML"),
        (FACTS.replace("install", "instal"), "unknown key 'instal'"),
        ('name = "mine"\n', "program is missing"),
    ],
)
def test_broken_facts_are_named(text: str, words: str, tmp_path: Path):
    with pytest.raises(UsageError, match=words):
        read_program(written(tmp_path, text))


def test_a_folder_without_facts_is_no_adapter(tmp_path: Path):
    assert read_program(tmp_path) is None


def test_rbdl_is_found_with_its_profiles_before_it_is_built():
    adapters = find_adapters()
    assert set(adapters["rbdl"].profiles) == {"", "canonical"}
    assert set(adapters["rbdl"].quantities) <= set(QUANTITIES)
    with pytest.raises(UsageError, match="rbdl has no profile 'fast'; there are: canonical"):
        find_adapter(parse_spec("rbdl:fast"), adapters)
