"""Names for results that stay the same between runs: re-ordered, on another machine, with another library version."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.report.results import ModelReport, Report, Result

#: Verdicts that are worse than a pass; a skip is the absence of one.
BAD = frozenset({"fail", "error"})


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Name:
    """What a result is about.

    ``model`` is the path's last two parts; subjects are without version; ``element`` is the place in the model of a
    finding about the file, where one check may have several.
    """

    model: str
    code: str
    subject: str
    quantity: str = ""
    against: str = ""
    element: str = ""

    def __str__(self) -> str:
        """Return ``RD250 mass_matrix of mujoco``, with what it is compared to."""
        about = f"{self.code} {self.quantity}".strip()
        return f"{about} of {self.subject}" + (f" against {self.against}" if self.against else "")


def plain_subject(name: str) -> str:
    """Return a library's name and profile without version or interpreter."""
    return re.split(r"==|@", name, maxsplit=1)[0]


def plain_model(path: str) -> str:
    """Return the last two parts of a path, which name a model on any machine."""
    return PurePath(*PurePath(path).parts[-2:]).as_posix()


def named(report: Report) -> dict[Name, tuple[Result, ...]]:
    """Return the results of a report by name; several results of one name stay together, worst first."""
    found: dict[Name, list[Result]] = {}
    for model in report.models:
        for result in model.results:
            found.setdefault(name_of(model, result), []).append(result)
    return {name: tuple(sorted(results, key=_severity)) for name, results in sorted(found.items())}


def name_of(model: ModelReport, result: Result) -> Name:
    """Return the name of one result. A pair of libraries has one name, whichever of the two was blamed."""
    subject, against = plain_subject(result.subject), plain_subject(result.against or "")
    if against not in {"", "reference"}:
        subject, against = sorted((subject, against))
    return Name(
        model=plain_model(model.model.path),
        code=result.code,
        subject=subject,
        quantity=result.quantity or "",
        against=against,
        element=_element(result) if result.subject == "model" else "",
    )


def bad_codes(results: Iterable[Result]) -> frozenset[tuple[str, str]]:
    """Return (code, quantity) of every fail and error."""
    return frozenset((result.code, result.quantity or "") for result in results if result.verdict in BAD)


def _element(result: Result) -> str:
    """Return the first name that a message quotes: the link or joint that it is about."""
    match = re.search(r"'([^']*)'", result.message or "")
    return match[1] if match else ""


def _severity(result: Result) -> tuple[int, float]:
    order = ("error", "fail", "warn", "pass", "skip")
    return order.index(result.verdict), -(result.margin or 0.0)
