from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.cli.main import main

if TYPE_CHECKING:
    import pytest


def test_making_environments_needs_names(capsys: pytest.CaptureFixture[str]):
    assert main(["cache", "--make"]) == 2
    assert "cache --make needs the names of libraries; robodyn-check libs lists them" in capsys.readouterr().err


def test_an_unknown_library_is_named_with_the_nearest(capsys: pytest.CaptureFixture[str]):
    assert main(["cache", "--make", "idyntre"]) == 2
    assert "Did you mean 'idyntree'?" in capsys.readouterr().err
