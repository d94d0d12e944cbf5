"""The first version of a library that changed a finding, by halving: a version that cannot be asked is passed over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from robodyn_check.errors import UsageError
from robodyn_check.regression.asking import ask_version
from robodyn_check.regression.page import Cell, Page, Section, Table
from robodyn_check.report.words import listing, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robodyn_check.regression.asking import Asking
    from robodyn_check.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One version that was asked: its findings in words, or why it could not be asked."""

    version: str
    findings: tuple[str, ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bisection:
    """What halving found. ``last`` is the last version like the old one, ``first`` the first that is not.

    Both are empty where old and new have the same findings. ``unknown``: versions between them that cannot be asked.
    """

    library: str
    last: str
    first: str
    appeared: tuple[str, ...]
    disappeared: tuple[str, ...]
    steps: tuple[Step, ...]
    unknown: tuple[str, ...]
    sentence: str
    exit_code: int
    schema_version: str = "1.0"


def bisect(
    settings: Settings,
    library: str,
    versions: Sequence[str],
    *,
    code: str = "",
    progress: Callable[[str], None] | None = None,
) -> Bisection:
    """Find the first version whose findings differ from those of the first one.

    Args:
        settings: Models and states.
        library: Spec without a version.
        versions: Oldest first; the first and the last are compared.
        code: Only findings whose code begins like this.
        progress: Told at every step.

    Raises:
        UsageError: Fewer than two versions, or the first or the last cannot be asked.
    """
    return halve(
        library, versions, lambda version: ask_version(settings, library, version, progress=progress), code=code
    )


def halve(library: str, versions: Sequence[str], ask: Callable[[str], Asking], *, code: str = "") -> Bisection:
    """Do the halving with any way to ask a version."""
    if len(versions) < 2:
        raise UsageError(f"bisect needs two versions of {library}; got {listing(list(versions)) or 'none'}")
    memory = _Memory(ask=ask, code=code)
    old, new = versions[0], versions[-1]
    for version in (old, new):
        if not memory.answers(version):
            raise UsageError(f"{library} {version} cannot be asked: {memory.asked[version].trouble}")
    changed = memory.findings(old) != memory.findings(new)
    low, high = _turn(versions, memory) if changed else (0, 0)
    last, first = (versions[low], versions[high]) if changed else ("", "")
    appeared = tuple(sorted(memory.findings(first) - memory.findings(last))) if changed else ()
    disappeared = tuple(sorted(memory.findings(last) - memory.findings(first))) if changed else ()
    unknown = tuple(versions[low + 1 : high])
    return Bisection(
        library=library,
        last=last,
        first=first,
        appeared=appeared,
        disappeared=disappeared,
        steps=tuple(memory.step(version) for version in versions if version in memory.asked),
        unknown=unknown,
        sentence=_sentence(library, (old, new), (last, first), (appeared, disappeared), unknown),
        exit_code=1 if appeared else 0,
    )


@dataclass(slots=True, kw_only=True, eq=False)
class _Memory:
    """Versions that were asked; each is asked once."""

    ask: Callable[[str], Asking]
    code: str
    asked: dict[str, Asking] = field(default_factory=dict)

    def answers(self, version: str) -> bool:
        """Ask a version, and tell whether it could be asked."""
        if version not in self.asked:
            self.asked[version] = self.ask(version)
        return not self.asked[version].trouble

    def findings(self, version: str) -> frozenset[str]:
        """Return the findings of a version that was asked."""
        return frozenset(str(name) for name in self.asked[version].findings() if name.code.startswith(self.code))

    def step(self, version: str) -> Step:
        """Return the record of a version that was asked."""
        return Step(
            version=version, findings=tuple(sorted(self.findings(version))), trouble=self.asked[version].trouble
        )


def _turn(versions: Sequence[str], memory: _Memory) -> tuple[int, int]:
    """Return the numbers of the last version like the first one, and of the first that is not, by halving."""
    low, high = 0, len(versions) - 1
    while True:
        left = [number for number in range(low + 1, high) if versions[number] not in memory.asked]
        if not left:
            return low, high
        middle = min(left, key=lambda number: abs(2 * number - low - high))
        if memory.answers(versions[middle]):
            alike = memory.findings(versions[middle]) == memory.findings(versions[0])
            low, high = (middle, high) if alike else (low, middle)


def bisect_page(found: Bisection) -> Page:
    """Return the page of a bisection."""
    rows = tuple(
        (
            Cell(text=step.version),
            Cell(text="not asked", kind="skip")
            if step.trouble
            else Cell(text=f"{len(step.findings)} wrong", kind="fail" if step.findings else "pass"),
            Cell(text=step.trouble or listing(list(step.findings), most=3)),
        )
        for step in found.steps
    )
    sections = [Section(heading="Versions asked", tables=(Table(header=("version", "findings", "which"), rows=rows),))]
    for heading, names in (("Appeared", found.appeared), ("Disappeared", found.disappeared)):
        if names:
            sections.append(Section(heading=f"{heading} in {found.first}", lines=names))
    return Page(
        title=f"{found.library}: the first version that changed a finding",
        word="WORSE" if found.appeared else "BETTER" if found.disappeared else "NO CHANGE",
        kind="fail" if found.appeared else "pass",
        sentence=found.sentence,
        sections=tuple(sections),
    )


def _sentence(
    library: str,
    ends: tuple[str, str],
    turn: tuple[str, str],
    changes: tuple[tuple[str, ...], tuple[str, ...]],
    unknown: tuple[str, ...],
) -> str:
    if not turn[1]:
        return f"{library} {ends[0]} and {ends[1]} have the same findings."
    appeared, disappeared = changes
    parts = [
        f"{plural(len(names), 'finding')} {what} ({_about(names)})"
        for names, what in ((appeared, "appeared"), (disappeared, "disappeared"))
        if names
    ]
    doubt = f"; {listing(list(unknown), most=3)} before it cannot be asked, so it may be one of them" if unknown else ""
    return f"{library} {turn[1]} is the first version that is not like {turn[0]}: {', '.join(parts)}{doubt}."


def _about(names: Sequence[str]) -> str:
    """Say which quantities some findings are about; the code stands for those that have none."""
    words = [name.partition(" of ")[0].split() for name in names]
    return listing(list(dict.fromkeys(word[-1] for word in words)), most=3)
