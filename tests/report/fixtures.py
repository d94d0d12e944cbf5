"""Small made-up reports for the tests of all renderers; numbers are chosen, not computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robodyn_check.report.results import (
    Cause,
    CertificateRecord,
    Difference,
    Known,
    ModelRecord,
    ModelReport,
    Report,
    Result,
    StatesRecord,
    SubjectRecord,
    Tool,
    Where,
    Worst,
)
from robodyn_check.report.summary import count, exit_code

Make = Callable[[], Report]
SEED = 20240601
AGAIN = "robodyn-check arm.urdf --lib {library} --select {code} --seed 20240601"
QUANTITIES = ("link_poses", "mass_matrix", "gravity_vector", "inverse_dynamics")
TOOL = Tool(name="robodyn-check", version="0.1.0", python="3.11.2", numpy="2.3.0", platform="Linux x86_64")


def diagonal(xx: float, yy: float, zz: float) -> list[list[float]]:
    return [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]


MECHANISM: dict[str, object] = {
    "bodies": [
        {"name": "base", "mass": 4.0, "com": [0.0, 0.0, 0.05], "inertia": diagonal(0.1, 0.1, 0.1)},
        {"name": "upper", "mass": 2.0, "com": [0.0, 0.0, 0.2], "inertia": diagonal(0.03, 0.03, 0.004)},
        {"name": "fore", "mass": 1.25, "com": [0.0, 0.01, 0.15], "inertia": diagonal(0.01, 0.01, 0.002)},
    ],
    "joints": [
        {"name": "shoulder", "kind": "revolute", "parent": "base", "child": "upper", "axis": [0.0, 1.0, 0.0],
         "armature": [0.2]},
        {"name": "elbow", "kind": "revolute", "parent": "upper", "child": "fore", "axis": [0.0, 1.0, 0.0],
         "armature": [0.1]},
    ],
    "gravity": [0.0, 0.0, -9.81],
    "total_mass": 7.25,
}  # fmt: skip

DROPPED_ARMATURE = Cause(
    name="armature dropped",
    text="The library leaves the armature of joint 'elbow' out of the mass matrix.",
    evidence=(
        "M[elbow, elbow] is too small by 0.1 kg m² at all 5 states, the armature of arm.urdf:31.",
        "With the armature taken out of the reference, all 5 states agree within the bound.",
    ),
    element="elbow",
    where=Where(file="arm.urdf", line=31),
    advice="Set the armature on the library's model after loading.",
    link="https://example.org/issues/12",
)


def subject(name: str, **fields: Any) -> SubjectRecord:
    given: dict[str, Any] = {
        "library": name,
        "version": "1.2.3",
        "status": "ok",
        "quantities": QUANTITIES,
        "coverage": dict.fromkeys(QUANTITIES, 5),
        "states_checked": 5,
        "environment": "Python 3.11.2",
    }
    return SubjectRecord(name=name, **{**given, **fields})


def passed(library: str, quantity: str, margin: float = 0.05, **fields: Any) -> Result:
    code = f"RD{250 + 10 * QUANTITIES.index(quantity)}"
    given: dict[str, Any] = {
        "slug": f"{quantity.replace('_', '-')}-agrees",
        "verdict": "pass",
        "against": "reference",
        "errors": (margin * 16, margin * 32, 0.0, margin * 64, margin * 8),
        "error": margin * 1e-14,
        "bound": 1e-14,
        "margin": margin,
        "worst": Worst(index=(0,), labels=("shoulder",), got=1.5, expected=1.5, bound=1e-14, state=3),
    }
    return Result(code=code, subject=library, quantity=quantity, **{**given, **fields})


def failed(library: str, quantity: str = "mass_matrix", margin: float = 2e12, **fields: Any) -> Result:
    code = f"RD{250 + 10 * QUANTITIES.index(quantity)}"
    given: dict[str, Any] = {
        "verdict": "fail",
        "message": f"{quantity}[elbow, elbow] is 0.1, expected 0.2.",
        "errors": (2e13, 3e13, 6.4e1 * margin, 1e13, None),
        "error": 0.1,
        "bound": 5e-14,
        "worst": Worst(index=(1, 1), labels=("elbow", "elbow"), got=0.1, expected=0.2, bound=5e-14, state=2),
        "again": AGAIN.format(library=library, code=code),
        "difference": Difference(
            rows=("shoulder", "elbow"), columns=("shoulder", "elbow"), margins=((2e12, 0.3), (0.0, margin))
        ),
    }
    return passed(library, quantity, margin, **{**given, **fields})


def skipped(library: str, slug: str = "regressor-agrees") -> Result:
    message = "the library does not offer joint_torque_regressor"
    return Result(code="RD350", slug=slug, verdict="skip", subject=library, message=message)


def model(results: tuple[Result, ...], subjects: tuple[SubjectRecord, ...], **fields: Any) -> ModelReport:
    given: dict[str, Any] = {
        "model": ModelRecord(
            path="arm.urdf",
            sha256="0" * 64,
            format="urdf",
            nq=2,
            nv=2,
            joints=("shoulder", "elbow"),
            links=("base", "upper", "fore"),
        ),
        "mechanism": MECHANISM,
        "states": StatesRecord(seed=SEED, count=5, base="fixed", gravity=(0.0, 0.0, -9.81)),
        "certificate": CertificateRecord(
            states=5, digits=50, errors={"mass_matrix": 2.5, "gravity_vector": 3.1}, agreed=True
        ),
    }
    return ModelReport(subjects=(subject("reference", version=None), *subjects), results=results, **{**given, **fields})


def report(*models: ModelReport, complete: bool = True, interrupted: bool = False) -> Report:
    return Report(
        tool=TOOL,
        command="robodyn-check arm.urdf",
        models=models,
        summary=count(result for entry in models for result in entry.results),
        exit_code=exit_code(models, complete=complete, interrupted=interrupted),
        complete=complete,
    )


def all_pass() -> Report:
    results = tuple(passed(library, quantity) for library in ("pinocchio", "drake") for quantity in QUANTITIES)
    pair = passed("pinocchio", "mass_matrix", against="drake")
    return report(model((*results, pair), (subject("pinocchio"), subject("drake"))))


def mixed() -> Report:
    """One of everything: passes, two fails of one cause, one without, a known fail, an error, a warning, skips."""
    digits = Known(reason="oblique axes lose digits", link="https://example.org/7", source="shipped")
    refused = "mujoco stopped with signal 11 (SIGSEGV) at states 3 to 5"
    results = (
        Result(
            code="RD107",
            slug="axis-not-unit",
            verdict="warn",
            subject="model",
            message="the axis of joint 'elbow' has length 1.5: it is normalised. Write a unit axis",
            cause=Cause(name="axis-not-unit", text="the axis of joint 'elbow' has length 1.5", element="elbow"),
            where=Where(file="arm.urdf", line=30),
        ),
        *(passed("pinocchio", quantity, 0.1) for quantity in QUANTITIES),
        passed("drake", "link_poses", 0.0, errors=(0.0,) * 5, error=0.0),
        failed("drake", cause=DROPPED_ARMATURE),
        failed("drake", "inverse_dynamics", 4e9, cause=DROPPED_ARMATURE),
        failed("drake", "gravity_vector", 12.5),
        passed("mujoco", "link_poses", 0.02),
        failed("mujoco", known=digits),
        Result(
            code="RD901", slug="answers", verdict="error", subject="mujoco", quantity="gravity_vector", message=refused,
            again=AGAIN.format(library="mujoco", code="RD901"),
        ),
        skipped("drake"),
        skipped("drake", "regressor-times-parameters"),
    )  # fmt: skip
    subjects = (
        subject("pinocchio", version="4.1.0"),
        subject("drake", version="1.40.0", notes=("translated from URDF: the library has no loader for it",)),
        subject("mujoco", version="4.0.0", stderr_tail="loading arm\nfree(): invalid pointer\n"),
        subject(
            "biorbd", status="skip", version=None, reason="not installed: pip install 'robodyn-check[biorbd]'",
            coverage=None, states_checked=0, quantities=(),
        ),
    )  # fmt: skip
    return report(model(results, subjects))


def interrupted() -> Report:
    return report(
        model((passed("pinocchio", "mass_matrix"),), (subject("pinocchio"),)), complete=False, interrupted=True
    )


def nothing() -> Report:
    absent = subject("drake", status="skip", reason="not installed: pip install 'robodyn-check[drake]'", version=None)
    return report(model((skipped("drake"),), (absent,), certificate=None))


def hostile() -> Report:
    """Names that are markup to some format, or move a terminal's cursor."""
    name = "<script>alert(1)</script>|`x`@all\x1b[31m,::error::%0A&\"'"
    mechanism: dict[str, object] = {"bodies": [{"name": name, "mass": 1.0}], "joints": []}
    record = ModelRecord(path=f"{name}.urdf", sha256="0" * 64, format="urdf", nq=1, nv=1, joints=(name,), links=(name,))
    cause = Cause(name=name, text=name, evidence=(name,), element=name, where=Where(file=name, line=1), advice=name)
    worst = Worst(index=(0, 0), labels=(name, name), got=1.0, expected=2.0, bound=1e-15, state=0)
    difference = Difference(rows=(name,), columns=(name,), margins=((5.0,),))
    results = (
        failed(name, cause=cause, worst=worst, message=name, again=f"robodyn-check '{name}'", difference=difference),
        Result(code="RD901", slug="answers", verdict="error", subject=name, message=name),
        Result(code="RD350", slug="regressor-agrees", verdict="skip", subject=name, message=name),
    )
    subjects = (subject(name, stderr_tail=name, notes=(name,), reason=name, environment=name),)
    return report(model(results, subjects, model=record, mechanism=mechanism))


def many(number: int = 3000) -> Report:
    """A run with many findings, as of a broken library on a big robot."""
    results = tuple(
        failed(
            ("drake", "mujoco", "pinocchio")[k % 3],
            QUANTITIES[k % 4],
            10.0 + k,
            errors=(),
            difference=None,
            worst=Worst(
                index=(k, k), labels=(f"joint_{k}", f"joint_{k}"), got=1.0 / (k + 1), expected=1.0, bound=1e-14, state=k
            ),
        )
        for k in range(number)
    )
    return report(model(results, (subject("drake"), subject("mujoco"), subject("pinocchio"))))


REPORTS = {"all_pass": all_pass, "mixed": mixed, "interrupted": interrupted, "nothing": nothing}
