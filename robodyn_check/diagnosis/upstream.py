"""Public reports of the same fault, from a small data file: library, cause, versions affected, link."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from robodyn_check.known import version_in


def upstream(library: str, cause: str, version: str | None) -> str | None:
    """Return the address of a public report of this cause in this library and version, or None.

    Args:
        library: The subject's name; its profile and version do not count.
        cause: The name of the cause.
        version: The library's version; None matches no version range.
    """
    for report in _reports():
        if report["library"] == library.partition(":")[0].partition("=")[0] and report["cause"] == cause:
            ranges = report.get("versions")
            if ranges is None or (version is not None and version_in(version, ranges)):
                return report["link"]
    return None


@cache
def _reports() -> tuple[dict[str, str], ...]:
    text = Path(__file__).with_name("upstream.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["report"])
