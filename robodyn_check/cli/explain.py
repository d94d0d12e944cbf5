"""``robodyn-check explain CODE``: what a check claims, why it matters, what usually breaks it."""

from __future__ import annotations

import sys
from typing import Annotated

from robodyn_check.checks.texts import explain
from robodyn_check.cli.declare import Argument
from robodyn_check.cli.texts import explanation


def command(
    code: Annotated[str, Argument(help="A code or slug, such as RD201.", metavar="CODE")],
) -> None:
    """Explain a check: the claim, its formula and bound, the usual causes."""
    sys.stdout.write(explanation(explain(code)))
