"""The page that ``explain`` prints about one check, as plain lines of at most 80 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robodyn_check.checks.texts import CheckText

WIDTH = 80


def explanation(text: CheckText) -> str:
    """Return the page, ending with a line break."""
    lines = [f"{text.code} {text.slug}", *textwrap.wrap(text.title, WIDTH), ""]
    facts = {
        "Family": text.family,
        "Quantities": ", ".join(text.quantities),
        "Formula": text.formula,
        "Bound": text.bound,
        "Reference": text.reference,
    }
    for name, value in facts.items():
        if value:
            lines.extend(textwrap.wrap(f"{name + ':':<12}{value}", WIDTH, subsequent_indent=" " * 12))
    for heading, paragraph in text.sections:
        lines.extend(["", heading])
        lines.extend(textwrap.wrap(paragraph, WIDTH, initial_indent="  ", subsequent_indent="  "))
    return "\n".join(lines) + "\n"
