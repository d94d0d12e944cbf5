"""Hypotheses from the readback: the library computes rightly with the masses and inertias that it shows.

What was done to a link is named first where its numbers tell (a sphere, nothing at all, a default mass); other numbers
are a last resort, after every misreading that would explain how they came about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.diagnosis.candidate import INERTIAL, MECHANISM, Candidate, mechanism_changes
from robodyn_check.diagnosis.masses import with_links

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence

_ANY = "loaded-model-differs"


def telling(evidence: Evidence) -> Iterable[Candidate]:
    """All links that the readback shows otherwise, where one of them tells what was done."""
    names = [cause for cause, _ in evidence.held.values() if cause != _ANY]
    if names:
        yield _candidate(evidence, names[0])


def otherwise(evidence: Evidence) -> Iterable[Candidate]:
    """All links that the readback shows otherwise, whatever was done."""
    if evidence.held:
        yield _candidate(evidence, _ANY)


def _candidate(evidence: Evidence, cause: str) -> Candidate:
    links = {name: properties for name, (_, properties) in evidence.held.items()}
    first = next(name for name, (one, _) in evidence.held.items() if cause in {one, _ANY})
    return Candidate(
        cause=cause,
        touches=INERTIAL,
        apply=mechanism_changes(lambda mechanism: with_links(mechanism, links)),
        level=MECHANISM,
        element=first,
        evidence=(f"the library itself shows other masses or inertias of {', '.join(list(links)[:5])}",),
    )


FIRST, LAST = (telling,), (otherwise,)
