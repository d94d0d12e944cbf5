"""The nearest name that exists, for messages about a name that does not."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from robodyn_check.model.quote import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable


#: Names compared at most, and the longest name compared: comparing is slow.
_COMPARED, _LONGEST = 2000, 200


def nearest(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the known name most like ``name``, or None where none is like it."""
    candidates = list(itertools.islice(known, _COMPARED))
    by_lower = {candidate.lower(): candidate for candidate in reversed(candidates)}
    if name.lower() in by_lower:
        return by_lower[name.lower()]
    if len(name) > _LONGEST:
        return None
    import difflib  # noqa: PLC0415 - slow to load, and only a file with a fault needs it

    found = difflib.get_close_matches(name, candidates, n=1, cutoff=cutoff)
    return found[0] if found else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return the end of a message: the nearest name as a question, else what exists."""
    candidates = list(known)
    near = nearest(name, candidates)
    if near is not None:
        return f"Did you mean {quoted(near)}?"
    return f"There are: {listed(candidates, shown=6)}." if candidates else "There is none."
