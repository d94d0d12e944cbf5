from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.sweep.collect import collect, content_of, is_model

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def robots(tmp_path: Path) -> Path:
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "a.urdf").write_text("<robot/>")
    (tmp_path / "arms" / "b.xml").write_text(
        "<?xml version='1.0'?>\n<!-- <robot> no -->\n<mujoco><include file='part.xml'/></mujoco>"
    )
    (tmp_path / "arms" / "part.xml").write_text("<mujocoinclude/>")
    (tmp_path / "arms" / "launch.xml").write_text("<launch/>")
    (tmp_path / "notes.txt").write_text("<robot/>")
    return tmp_path


def test_a_folder_is_searched_for_models_and_nothing_else(robots: Path) -> None:
    assert collect([str(robots)]) == (str(robots / "arms" / "a.urdf"), str(robots / "arms" / "b.xml"))


def test_globs_files_and_folders_name_each_model_once(robots: Path) -> None:
    pattern, file = str(robots / "**" / "*.urdf"), str(robots / "arms" / "a.urdf")
    assert collect([pattern, file, str(robots)]) == (file, str(robots / "arms" / "b.xml"))


def test_a_named_file_is_taken_as_it_is(robots: Path) -> None:
    named = str(robots / "notes.txt")
    assert collect([named]) == (named,)


def test_a_path_that_is_not_there_is_refused(robots: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file or folder; expected a model, a folder or a glob"):
        collect([str(robots / "nowhere.urdf")])


def test_a_folder_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no model in it"):
        collect([str(tmp_path)])


def test_a_binary_file_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_bytes(bytes(range(256)))
    assert not is_model(tmp_path / "x.xml")


def test_content_knows_what_an_mjcf_includes(robots: Path) -> None:
    main, part = robots / "arms" / "b.xml", robots / "arms" / "part.xml"
    before = content_of(main)
    part.write_text("<mujocoinclude><worldbody/></mujocoinclude>")
    assert content_of(main) != before


def test_content_knows_the_joint_data_beside_a_model_and_no_name(robots: Path) -> None:
    model = robots / "arms" / "a.urdf"
    before = content_of(model)
    (robots / "same.urdf").write_text("<robot/>")
    assert content_of(robots / "same.urdf") == before
    (robots / "arms" / "a.joints.toml").write_text("[joints]\n")
    assert content_of(model) != before
