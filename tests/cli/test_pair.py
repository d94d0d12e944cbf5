"""Two files of one robot: what differs is named with both lines; what does not, passes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

ARM = Path(__file__).parents[2] / "models" / "planar_2r" / "model.urdf"


@pytest.fixture
def other(tmp_path: Path) -> Callable[[Callable[[str], str]], str]:
    """Return a function that writes the arm with its text changed."""

    def write(change: Callable[[str], str]) -> str:
        path = tmp_path / "other.urdf"
        path.write_text(change(ARM.read_text(encoding="utf-8")), encoding="utf-8")
        return str(path)

    return write


def flipped(text: str) -> str:
    """Turn the last axis round."""
    before, _, after = text.rpartition('<axis xyz="')
    values, _, rest = after.partition('"')
    return f'{before}<axis xyz="{" ".join(str(-float(value)) for value in values.split())}"{rest}'


def test_the_same_file_passes_to_the_last_bit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pair", str(ARM), str(ARM), "--samples", "12", "--exact"]) == 0
    assert "PASS" in capsys.readouterr().out


def test_a_flipped_axis_is_found_with_both_lines(
    other: Callable[[Callable[[str], str]], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pair", str(ARM), other(flipped), "--samples", "12"]) == 1
    out = capsys.readouterr().out
    assert "cause: joint-sign" in out
    assert "in the other file:" in out
    assert "Decide which file is right" in out


def test_other_names_are_matched_by_structure(other: Callable[[Callable[[str], str]], str]) -> None:
    renamed = other(lambda text: text.replace('name="', 'name="my_').replace('link="', 'link="my_'))
    assert main(["pair", str(ARM), renamed, "--samples", "12"]) == 0


def test_robots_that_do_not_match_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    cart = ARM.parents[1] / "cart_pole" / "model.urdf"
    assert main(["pair", str(ARM), str(cart)]) == 2
    assert "the two robots do not match: joints only in the first:" in capsys.readouterr().err
