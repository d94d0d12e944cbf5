"""The report: frozen dataclasses that every renderer, comparison and exit code is a function of. Plain Python.

``Report`` is the JSON report (design page, section 8): same names, same nesting. No array, no clock, no file here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["pass", "warn", "fail", "error", "skip"]
SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A place in a file."""

    file: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """The element that exceeds its own bound most.

    ``index`` into the value of one state, ``labels`` the same in joint or link names, ``state`` the state's number.
    """

    index: tuple[int, ...]
    labels: tuple[str, ...]
    got: float | None
    expected: float | None
    bound: float | None
    state: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A whole matrix (or a vector as one column) at the worst state: each element's |error| / its own bound.

    ``rows`` and ``columns`` are its labels in joint or link names; ``margins`` row by row (None: not finite).
    Writers leave it out above 40 rows or columns, where no one can read the picture.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    margins: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepErrors:
    """The energy that does not add up along simulated motion, at each step size.

    ``steps`` in s, the coarsest first; ``errors`` are shares of the energies' size.
    """

    steps: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """The named, proven explanation of a fail (design page, section 1)."""

    name: str
    text: str
    evidence: tuple[str, ...] = ()
    element: str | None = None
    where: Where | None = None
    advice: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Why a fail or error is known: shown, counted, not part of the exit code. ``source``: "shipped" or a path."""

    reason: str
    link: str | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One judged check for one subject (and, for agreement, against another).

    ``errors`` is the largest |error| / (eps S) of each state (empty where the check has no states; None: not finite),
    ``error`` and ``bound`` are those of the worst element, ``margin`` = error / bound (0 exact, > 1 a fail).
    ``message`` says in one sentence what happened (a fail, error, skip or warn must have one).
    """

    code: str
    slug: str
    verdict: Verdict
    subject: str
    quantity: str | None = None
    against: str | None = None
    message: str | None = None
    errors: tuple[float | None, ...] = ()
    error: float | None = None
    bound: float | None = None
    margin: float | None = None
    worst: Worst | None = None
    known: Known | None = None
    cause: Cause | None = None
    where: Where | None = None
    again: str | None = None
    difference: Difference | None = None
    step_errors: StepErrors | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatRecord:
    """A library's fails once more: a fresh process was asked the same in the same order.

    Of ``fails`` findings ``different`` did not come back with the same numbers and are errors now. ``trouble`` says why
    the second process has no answer, or not all: its fails stand as they were. ``seconds`` is what all this took.
    """

    fails: int
    different: int
    seconds: float
    trouble: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRecord:
    """Who answered: the reference, or one library behind an adapter.

    ``status``: ok, skip (with reason), error (with reason). ``quantities`` is what it offers.
    ``coverage``: quantity -> states answered. ``notes``: translated, capped, budgeted and why. ``repeat``: where it had
    fails that count.
    """

    name: str
    library: str
    version: str | None
    status: Literal["ok", "skip", "error", "fail"]
    reason: str | None = None
    profile: str | None = None
    precision: str = "double"
    coriolis: str = "skew"
    quantities: tuple[str, ...] = ()
    coverage: dict[str, int] | None = None
    states_checked: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    environment: str | None = None
    stderr_tail: str | None = None
    readback: dict[str, object] | None = None
    repeat: RepeatRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """Which file, and what it became."""

    path: str
    sha256: str
    format: str
    nq: int
    nv: int
    joints: tuple[str, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatesRecord:
    """How the states were drawn; enough to draw them again."""

    seed: int
    count: int
    base: str
    gravity: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateRecord:
    """Per quantity: the reference's largest error in eps·S on ``states`` states, proven by ball arithmetic."""

    states: int
    digits: int
    errors: dict[str, float]
    agreed: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposition:
    """Most libraries contradict the reference on one quantity.

    ``wrong`` and ``right`` by the reference. ``agreed``: those against it agree with each other (None: not compared).
    ``state`` is the number of the roundest state at which all of them are out of bounds, ``inputs`` its numbers: q, v,
    a, tau, as far as the quantity takes them; None and empty where no state has that. ``finding`` names one of the
    findings, as `shrink` and `dispute` want it.
    """

    code: str
    quantity: str
    wrong: tuple[str, ...]
    right: tuple[str, ...]
    agreed: bool | None
    state: int | None
    inputs: dict[str, tuple[float, ...]]
    finding: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReport:
    """Everything about one model.

    ``oppositions``: quantities on which most libraries contradict the reference. ``complete`` False: the run was
    interrupted while this model was checked.
    """

    model: ModelRecord
    mechanism: dict[str, object]
    states: StatesRecord | None
    subjects: tuple[SubjectRecord, ...]
    results: tuple[Result, ...]
    certificate: CertificateRecord | None = None
    oppositions: tuple[Opposition, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How many results of each verdict; known fails and errors are counted in ``known`` as well."""

    passed: int = 0
    warn: int = 0
    fail: int = 0
    error: int = 0
    skip: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What made the report."""

    name: str
    version: str
    python: str
    numpy: str
    platform: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuesFile:
    """The sidecar with every answer, beside the report: its name and its hash."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One run. ``complete`` False: interrupted, and ``exit_code`` says 3 or 130."""

    tool: Tool
    command: str
    models: tuple[ModelReport, ...]
    summary: Summary
    exit_code: int
    complete: bool = True
    schema_version: str = SCHEMA_VERSION
    values_file: ValuesFile | None = None

    @property
    def ok(self) -> bool:
        """True when the exit code is 0: everything as expected."""
        return self.exit_code == 0
