"""Fixtures of the model tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.read import read_model

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from robodyn_check.model.robot import RobotModel


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str | bytes], RobotModel]:
    """Write a text to model.urdf and read it."""

    def read_text(text: str | bytes) -> RobotModel:
        file = tmp_path / "model.urdf"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_model(file)

    return read_text


@pytest.fixture
def faults(read: Callable[[str | bytes], RobotModel]) -> Callable[[str | bytes], tuple[Fault, ...]]:
    """Read a text that must be refused and return its faults."""

    def faults_of(text: str | bytes) -> tuple[Fault, ...]:
        with pytest.raises(ModelError) as caught:
            read(text)
        return caught.value.faults

    return faults_of
