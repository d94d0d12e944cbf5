"""Names from a file, safe to show: quoted, cut, and with nothing in them that a terminal would obey."""

from __future__ import annotations

#: Longer names are cut in messages.
_SHOWN = 60


def quoted(name: str) -> str:
    """Return a name in quotes for a message; characters that cannot be printed are escaped."""
    cut = name if len(name) <= _SHOWN else name[:_SHOWN] + "..."
    printable = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)
    return f"'{printable}'"


def listed(names: list[str], *, shown: int = 8) -> str:
    """Return names in quotes, joined; a long list is cut and says how many more there are."""
    return shortened([quoted(name) for name in names], shown=shown)


def shortened(texts: list[str], *, shown: int) -> str:
    """Return texts as they are, joined; a long list is cut and says how many more there are."""
    more = f" and {len(texts) - shown} more" if len(texts) > shown else ""
    return ", ".join(texts[:shown]) + more
