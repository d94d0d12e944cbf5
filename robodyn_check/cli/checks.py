"""``robodyn-check checks``: the list of all checks."""

from __future__ import annotations

import sys

from robodyn_check.checks.texts import texts


def command() -> None:
    """List all checks: code, slug, what is claimed."""
    rows = [(text.code, text.slug, text.title) for text in texts()]
    widest = max(len(slug) for _, slug, _ in rows)
    for code, slug, title in rows:
        sys.stdout.write(f"{code}  {slug:<{widest}}  {title}\n")
