"""Known failures: faults that are recorded with a reason, so that they are shown but do not fail the run.

Two sources of the same shape. Shipped ones stand in ``adapters/known/*.toml`` and describe faults of libraries; a
user's stand in ``known-failures.toml`` and may name a model as well::

    [[known]]
    library = "mujoco"             # or "*"
    versions = ">=3.3,<3.14"       # optional; comma means and
    code = "RD252, RD35"           # codes, or beginnings of codes
    quantity = "mass_matrix"       # optional
    feature = "rotated_inertial"   # optional: the property of the model that triggers it (model.features)
    profile = "default"            # optional; "none" is the library without a profile
    up_to = "1e9"                  # optional: the largest margin, error over bound, of a fail that it excuses
    model = "robots/*.urdf"        # optional, a user's only
    reason = "reads the inertial rotation of a URDF the wrong way round"
    link = "https://…"             # optional

A fault that only loses digits says how many with ``up_to``, so that it hides no other one: a larger fail, and an error,
which has no margin, still count. Where the worst element must be exact, its error is measured in the library's eps.

A user's entry that applies to a library of this run but excuses nothing is reported as a warning: the fault is fixed,
or the entry is wrong. A shipped one may be harmless on a given robot, so it is not.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import math
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.errors import SettingsError
from robodyn_check.quantities import EPSILON
from robodyn_check.report.results import Known, Result, Where
from robodyn_check.settings import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from robodyn_check.report.results import SubjectRecord

USER_FILE = "known-failures.toml"
SHIPPED = "shipped"
NO_PROFILE = "none"
STALE_CODE, STALE_SLUG = "RD940", "known-failure-is-stale"
_COMPARISON = re.compile(r"^(>=|<=|==|!=|<|>)\s*(\d+(?:\.\d+)*)$")
#: What may follow a library's name in a subject's: profile, version or interpreter.
_SUFFIX = re.compile(r":|==|@")
_REQUIRED = ("library", "code", "reason")


def library_of(subject: str) -> str:
    """Return the library's name out of a subject's, which may add a profile, a version or an interpreter."""
    return _SUFFIX.split(subject)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFailure:
    """One entry; empty texts match everything. ``source`` is "shipped" or the file's path."""

    library: str
    code: str
    reason: str
    source: str
    versions: str = ""
    quantity: str = ""
    feature: str = ""
    model: str = ""
    profile: str = ""
    up_to: str = ""
    link: str = ""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes, or beginnings of codes, that the entry is about."""
        return tuple(self.code.replace(",", " ").split())

    def applies_to(self, subject: SubjectRecord, *, model: str, features: frozenset[str]) -> bool:
        """Tell whether the entry speaks about this library, version, profile and model."""
        return (
            self.library in {"*", library_of(subject.name)}
            and (not self.versions or (subject.version is not None and version_in(subject.version, self.versions)))
            and (not self.profile or self.profile == (subject.profile or NO_PROFILE))
            and (not self.feature or self.feature in features)
            and (not self.model or fnmatch.fnmatch(model, self.model))
        )

    def excuses(self, result: Result, *, precision: str = "double") -> bool:
        """Tell whether the entry is about this result, given that it applies to its subject, which has a precision."""
        return (
            result.verdict in {"fail", "error"}
            and result.code.startswith(self.codes)
            and (not self.quantity or self.quantity == result.quantity)
            and (not self.up_to or _size(result, EPSILON[precision]) <= float(self.up_to))
        )


def load_known(path: Path, *, source: str | None = None) -> tuple[KnownFailure, ...]:
    """Read one file of known failures.

    Raises:
        SettingsError: Not TOML, an unknown key (with the nearest one), a missing key, a malformed range or size.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: this is not valid TOML: {error}") from error
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    strange = sorted(set(table) - {"known"})
    if strange:
        raise SettingsError(f"{path}: unknown key {strange[0]!r}; entries stand under [[known]]")
    entries = table.get("known", [])
    if not isinstance(entries, list):
        raise SettingsError(f"{path}: 'known' must be a list of tables: [[known]]")
    return tuple(
        _entry(entry, f"{path}: entry {number}", source or str(path)) for number, entry in enumerate(entries, start=1)
    )


def apply_known(
    results: Iterable[Result],
    subjects: Sequence[SubjectRecord],
    entries: Sequence[KnownFailure],
    *,
    model: str,
    features: frozenset[str],
) -> tuple[Result, ...]:
    """Flag the results that an entry excuses, and add a warning for every entry of the user's that excuses nothing.

    Args:
        results: What was judged.
        subjects: Who was asked; entries about others are left alone.
        entries: The known failures, in order of precedence.
        model: The path of the model as the user gave it.
        features: What the model has (`model.features`).
    """
    running = {subject.name: subject for subject in subjects if subject.status != "skip" and subject.version}
    relevant = {
        name: [entry for entry in entries if entry.applies_to(subject, model=model, features=features)]
        for name, subject in running.items()
    }
    used: set[KnownFailure] = set()
    flagged = []
    for result in results:
        entry = _first(relevant.get(result.subject, ()), result, running.get(result.subject))
        if entry is None and result.against is not None and result.verdict == "fail":
            # two libraries disagree: known if the other one is the known culprit
            entry = _first(relevant.get(result.against, ()), result, running.get(result.against))
        if entry is None:
            flagged.append(result)
            continue
        used.add(entry)
        known = Known(reason=entry.reason, link=entry.link or None, source=entry.source)
        flagged.append(dataclasses.replace(result, known=known))
    shipped = {entry for entry in entries if entry.source == SHIPPED}
    idle = dict.fromkeys(
        (entry, name) for name, listed in relevant.items() for entry in listed if entry not in used | shipped
    )
    judged = [result for result in flagged if result.verdict == "pass"]
    return (*flagged, *(_stale(entry, name) for entry, name in idle if _was_judged(entry, name, judged)))


def _first(entries: Iterable[KnownFailure], result: Result, subject: SubjectRecord | None) -> KnownFailure | None:
    """Return the first entry about a subject that excuses a result."""
    precision = "double" if subject is None else subject.precision
    return next((entry for entry in entries if entry.excuses(result, precision=precision)), None)


def version_in(version: str, ranges: str) -> bool:
    """Tell whether a version is inside a range such as ``>=3.3,<3.14``; numbers compare, suffixes do not count."""
    have = _numbers(version)
    for part in ranges.split(","):
        match = _COMPARISON.match(part.strip())
        if match is None:
            raise ValueError(f"{part.strip()!r} is not a version range such as >=3.3")
        want = _numbers(match.group(2))
        width = max(len(have), len(want))
        left, right = (numbers + (0,) * (width - len(numbers)) for numbers in (have, want))
        outcome = {
            ">=": left >= right,
            "<=": left <= right,
            "==": left == right,
            "!=": left != right,
            "<": left < right,
            ">": left > right,
        }
        if not outcome[match.group(1)]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:4])


def _was_judged(entry: KnownFailure, name: str, passed: Sequence[Result]) -> bool:
    """Tell whether what the entry excuses was judged at all, and passed."""
    return any(
        result.subject == name
        and result.code.startswith(entry.codes)
        and (not entry.quantity or entry.quantity == result.quantity)
        for result in passed
    )


def _stale(entry: KnownFailure, subject: str) -> Result:
    return Result(
        code=STALE_CODE,
        slug=STALE_SLUG,
        verdict="warn",
        subject=subject,
        quantity=entry.quantity or None,
        message=f"{entry.source} excuses {entry.code} of {subject} ({entry.reason}), but it passes here: remove the "
        "entry or narrow it",
        where=Where(file=entry.source, line=None),
    )


def _entry(entry: object, place: str, source: str) -> KnownFailure:
    names = tuple(field.name for field in dataclasses.fields(KnownFailure) if field.name != "source")
    if not isinstance(entry, dict):
        raise SettingsError(f"{place}: must be a table")
    for key, value in entry.items():
        if key not in names:
            raise SettingsError(f"{place}: unknown key {key!r}.{nearest(key, names)} Known keys: {', '.join(names)}.")
        if not isinstance(value, str):
            raise SettingsError(f"{place}: {key} = {value!r} must be text")
    missing = [key for key in _REQUIRED if not entry.get(key)]
    if missing:
        raise SettingsError(f"{place}: {missing[0]} is missing; an entry needs {', '.join(_REQUIRED)}")
    if entry.get("versions"):
        try:
            version_in("0", entry["versions"])
        except ValueError as fault:
            raise SettingsError(f"{place}: versions: {fault}") from fault
    if entry.get("up_to") and not _positive(entry["up_to"]):
        raise SettingsError(f"{place}: up_to = {entry['up_to']!r} is not a positive number such as 1e9")
    return KnownFailure(source=source, **entry)


def _size(result: Result, eps: float) -> float:
    """Return error over bound; over eps where the bound is 0; infinite where nothing was measured."""
    if result.margin is not None:
        return result.margin
    return result.error / eps if result.bound == 0.0 and result.error is not None else math.inf


def _positive(text: str) -> bool:
    try:
        return 0.0 < float(text) < math.inf
    except ValueError:
        return False
