"""Runs of one library on one small model, for the tests of its adapter; skips where the library is missing."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import pytest

from robodyn_check.harness.discovery import find_adapters, installed_version
from robodyn_check.harness.environments import list_environments
from robodyn_check.pipeline import check

MODELS = Path(__file__).parents[2] / "robodyn_check" / "faults" / "models"
#: The model as the library holds it beside the file: bodies, joints, armature, gravity, damping.
READBACK = {"RD151", "RD152", "RD153", "RD154", "RD155"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one library got wrong: codes of fails and errors, and of these the ones that no known failure excuses.

    ``held_otherwise``: what its readback shows that the file does not say.
    """

    status: str
    passed: frozenset[str]
    wrong: frozenset[str]
    unknown: frozenset[str]
    held_otherwise: frozenset[str]


def run(spec: str, model: str, *, base: str = "fixed", samples: int = 5) -> Run:
    """Check a model of ``faults/models`` with one library, in the current environment or in its own.

    Args:
        spec: Name and profile of the library.
        model: File name.
        base: "fixed" or "floating".
        samples: Number of states.
    """
    return _run(spec, _interpreter(spec.partition(":")[0]), model, base, samples)


@functools.cache
def _run(spec: str, interpreter: str, model: str, base: str, samples: int) -> Run:
    library = f"{spec}{interpreter}"
    report = check(
        MODELS / model, libraries=[library], samples=samples, base=base, certify=0, timeout=300.0, memory=8192
    )
    results = [result for result in report.models[0].results if result.subject == library]
    wrong = [result for result in results if result.verdict in {"fail", "error"}]
    (status,) = (subject.status for subject in report.models[0].subjects if subject.name == library)
    return Run(
        status=status,
        passed=frozenset(result.code for result in results if result.verdict == "pass"),
        wrong=frozenset(result.code for result in wrong),
        unknown=frozenset(result.code for result in wrong if result.known is None),
        held_otherwise=frozenset(
            result.message or "" for result in results if result.code in READBACK and result.verdict != "pass"
        ),
    )


def _interpreter(name: str) -> str:
    """Return nothing where the library is installed here, else ``@PYTHON`` of its own environment, or skip."""
    adapter = find_adapters()[name]
    if installed_version(adapter) is not None:
        return ""
    made = [record for record in list_environments() if record.adapter == name]
    if made:
        return f"@{made[-1].folder}/bin/python"
    if name == "kdl" and any(Path("/usr/lib/python3/dist-packages").glob("PyKDL*")):  # apt install python3-pykdl
        return "@/usr/bin/python3"
    pytest.skip(f"{name} is not installed: make setup-more")
