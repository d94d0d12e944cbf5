"""The verbs and the version line; plain data."""

from __future__ import annotations

from robodyn_check.version import __version__

#: Every verb, in the order of ``--help``.
VERBS: tuple[str, ...] = (
    "check",
    "eval",
    "explain",
    "checks",
    "libs",
    "lint",
    "analyze",
    "pair",
    "qualify",
    "dispute",
    "shrink",
    "exam",
    "study",
    "bump",
    "trend",
    "bisect",
    "diff",
    "judge",
    "render",
    "serve",
    "init",
    "flex",
    "sweep",
    "query",
    "conform",
    "cache",
)
DEFAULT_VERB = "check"
VERSION_LINE = f"robodyn-check {__version__}"
