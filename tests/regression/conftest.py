"""Two "versions" of one library: two small environments that share the tests' packages and differ in a file."""

from __future__ import annotations

import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "models" / "pendulum" / "model.urdf"
SWING = Path(__file__).with_name("swing.py")

Environment = Callable[[str], str]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return a function from a version and its behaviour, ``"2.0 wrong"``, to the version word ``@PATH``."""
    made: dict[str, str] = {}

    def make(words: str) -> str:
        if words not in made:
            folder = tmp_path_factory.mktemp("environment")
            venv.create(folder, symlinks=True)
            (packages,) = folder.glob("lib/python3*/site-packages")
            (packages / "shared.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
            (folder / "behaviour.txt").write_text(words, encoding="utf-8")
            made[words] = f"@{folder}/bin/python"
        return made[words]

    return make
