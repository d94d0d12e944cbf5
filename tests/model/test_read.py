"""Opening a file: what is no readable model is told in one message, quickly."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.read import MAX_BYTES, read_model
from tests.model.urdf_texts import ARM

if TYPE_CHECKING:
    from pathlib import Path


def message(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        read_model(path)
    (fault,) = caught.value.faults
    return fault.message


def test_reading_a_urdf_imports_neither_numpy_nor_a_library() -> None:
    code = (
        "import sys; from robodyn_check.model.read import read_model; from robodyn_check.model.lint import lint; "
        "sys.exit(bool({'numpy', 'mujoco', 'pinocchio', 'pydrake'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_file_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "panda.urdf").write_text(ARM)
    assert message(tmp_path / "pada.urdf") == "does not exist. Did you mean 'panda.urdf'?"
    assert "nor does its folder" in message(tmp_path / "no" / "panda.urdf")


def test_a_directory_is_told_with_the_models_in_it(tmp_path: Path) -> None:
    (tmp_path / "panda.urdf").write_text(ARM)
    assert message(tmp_path) == "is a directory, expected a URDF or MJCF file; it has 'panda.urdf'"


def test_a_file_larger_than_any_robot_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "big.urdf"
    with file.open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)
    began = time.process_time()
    assert message(file).startswith(f"has 100 MB, more than the {MAX_BYTES // 1024**2} MB that are read")
    assert time.process_time() - began < 0.5


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.urdf")
    assert "is not a regular file" in message(tmp_path / "pipe.urdf")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.urdf"
    file.write_text(ARM)
    file.chmod(0)
    assert message(file) == "cannot be read: permission denied"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.urdf", b"", "the file is empty, expected a URDF (<robot>) or MJCF (<mujoco>)"),
        ("a.urdf", b" \n", "the file is empty"),
        ("a.urdf", b'{"links": []}', "looks like JSON; expected a URDF"),
        ("a.usda", b"#usda 1.0\n", "looks like USD"),
        ("a.urdf", b"<!DOCTYPE html><html>", "looks like a web page"),
        ("a.urdf", b"<html/>", "looks like a web page"),
        ("a.urdf", b"version https://git-lfs.github.com/spec/v1\noid x", "run: git lfs pull"),
        ("a.stl", b"solid a\n", "looks like an STL mesh"),
        ("a.sdf", b'<sdf version="1.7"/>', "the root element is <sdf>: looks like SDF (Gazebo)"),
        ("a.xml", b"<mujocoinclude/>", "a part of an MJCF that other files include"),
        ("a.xml", b"<robots/>", "the root element is <robots>: expected <robot> (URDF) or <mujoco> (MJCF)"),
        ("a.urdf", b'<mujoco model="x"/>', "the file is MJCF (its root is <mujoco>) but its name ends in .urdf"),
        ("a.mjcf", b'<robot name="x"/>', "the file is URDF (its root is <robot>) but its name ends in .mjcf"),
    ],
)
def test_what_is_not_a_model_is_named(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    assert words in message(file)


def test_a_urdf_is_known_by_its_root_whatever_its_name(tmp_path: Path) -> None:
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    assert read_model(file).format == "urdf"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_marked_encoding_reads_the_same_robot(tmp_path: Path, encoding: str) -> None:
    plain, marked = tmp_path / "a.urdf", tmp_path / "b.urdf"
    plain.write_text(ARM)
    marked.write_text(ARM, encoding=encoding)
    assert read_model(marked).links == read_model(plain).links
