"""An MJCF has two readers: ours, and MuJoCo's compiler, which alone defines some numbers. RD150 holds them together."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import AdapterError, AdapterMissing
from robodyn_check.report.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.robot import RobotModel

    Compile = Callable[[Path], dict[str, Any]]


def compile_once(timeout: float) -> Compile:
    """Return MuJoCo's compiler as reading wants it; a file that was compiled before is not compiled again."""

    @cache
    def compile_mjcf(path: Path) -> dict[str, Any]:
        from robodyn_check.harness.mjcf_compiler import run_compiler  # noqa: PLC0415 - most files need no compiler

        return run_compiler(path, timeout=timeout)

    return compile_mjcf


def two_readings(robot: RobotModel, path: str, compile_mjcf: Compile) -> tuple[Result, ...]:
    """Return what RD150 says: a pass, a fail for each value that differs, or the skip that says why not.

    Args:
        robot: The file as we read it; of a URDF there is nothing to say.
        path: The file.
        compile_mjcf: MuJoCo's compiler, from `compile_once`.
    """
    if robot.format != "mjcf":
        return ()
    from robodyn_check.model.mjcf_compare import (  # noqa: PLC0415 - a URDF needs none of it
        CODE,
        SLUG,
        compare_with_compiled,
    )

    try:
        return compare_with_compiled(robot, compile_mjcf(Path(path)))
    except AdapterMissing as error:
        reason = f"our reading of the MJCF was not held against MuJoCo's: {error}"
    except AdapterError as error:
        reason = f"our reading of the MJCF was not held against MuJoCo's, which gives none: {error}"
    return (Result(code=CODE, slug=SLUG, verdict="skip", subject="model", message=reason),)
