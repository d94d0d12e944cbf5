"""What to send to a library's maintainers: versions, model, state, both values, the script and what it printed."""

from __future__ import annotations

import platform
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.run.shrinking import Case

_SECONDS = 120


def run_script(path: Path) -> str:
    """Run a script with this Python and return what it printed, or why it did not."""
    try:
        done = subprocess.run(  # noqa: S603 - the script that we wrote, with the interpreter that we run in
            [sys.executable, str(path)], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_SECONDS} s"
    return done.stdout if done.returncode == 0 else (done.stderr.strip().splitlines() or ["it failed"])[-1]


def upstream_report(
    library: str, version: str, quantity: str, case: Case, *, script: str | None, shown: str | None
) -> str:
    """Return the report as Markdown.

    Args:
        library: The subject's name.
        version: Its version.
        quantity: What is wrong.
        case: The smallest case.
        script: The script, where there is one.
        shown: What it printed here.
    """
    machine = f"{platform.system()} {platform.machine()}"
    lines = [
        f"# {library} {version}: wrong {quantity.replace('_', ' ')}",
        "",
        f"- {library} {version}, NumPy {np.__version__}, Python {platform.python_version()}, {machine}",
        f"- joints, in this order: {', '.join(case.mechanism.joint_names)}",
        *(f"- {name} = {values.tolist()}" for name, values in case.state.items()),
        "",
        "## What it computes, and what is right",
        "",
        "```",
        f"got      {case.got.tolist()}",
        f"expected {case.expected.tolist()}",
        "```",
        "",
        f"The expected values are those of robodyn-check's reference; the difference is {case.margin:.2g} times what",
        "rounding can do. `robodyn-check dispute` recomputes such a number by two derivations in ball arithmetic.",
        "",
        "## Model",
        "",
        "```xml",
        case.text.strip(),
        "```",
    ]
    if script is not None:
        lines += ["", "## Script", "", "```python", script.strip(), "```", "", "It printed here:", "", "```"]
        lines += [(shown or "").strip(), "```"]
    else:
        lines += ["", f"Asked through robodyn-check: `robodyn-check check model --lib {library}`"]
    return "\n".join(lines) + "\n"
