from __future__ import annotations

import pytest

from robodyn_check.diagnosis.obvious import obvious
from robodyn_check.report.results import Result
from tests.checks.conftest import bench


@pytest.mark.parametrize(
    ("verdict", "code", "message", "cause"),
    [
        ("error", "RD901", "inverse_dynamics: closed its pipe (killed by SIGSEGV)", "library-crash"),
        ("error", "RD901", "gravity_vector: 3 numbers are not finite", "not-finite"),
        ("error", "RD901", "no answer to evaluate within 1 s", "library-time-out"),
        ("fail", "RD902", "another number at the second call", "not-repeatable"),
        ("fail", "RD903", "wrote into q", "input-overwritten"),
        ("fail", "RD942", "refuses a legal model: joint 'joint1' is odd", "legal-model-refused"),
    ],
)
def test_a_finding_that_explains_itself_is_named(verdict: str, code: str, message: str, cause: str) -> None:
    scene = bench("vertical_root").scene
    result = Result(code=code, slug="s", verdict=verdict, subject="lib", message=message)  # type: ignore[arg-type]
    found = obvious(result, scene.robot, scene.mechanism, "1")
    assert found is not None
    assert found.name == cause
    assert message in found.evidence[0]
    assert found.element == ("joint1" if cause == "legal-model-refused" else None)


def test_a_wrong_number_does_not_explain_itself() -> None:
    scene = bench("vertical_root").scene
    result = Result(code="RD250", slug="s", verdict="fail", subject="lib", message="off")
    assert obvious(result, scene.robot, scene.mechanism, "1") is None
