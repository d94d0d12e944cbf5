"""The page models × libraries × versions of a dataset: one file, readable without scripts, small cells.

The first table has the latest version of each library; every library with several has a folded table of its own, which
a browser lays out when it is opened. 300 models × 15 libraries × 10 versions are 45 000 cells and about 1 MB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from robodyn_check.sweep.query import ask

if TYPE_CHECKING:
    from pathlib import Path

#: Failures listed with their reasons; all of them are a question to the dataset.
LISTED = 200
_QUESTION = "SELECT model, spec, version, verdict, reason FROM tasks ORDER BY spec, version_order, version, model"


def matrix_page(folder: Path) -> str:
    """Return the page of a dataset.

    Raises:
        UsageError: No dataset there.
    """
    rows = ask(folder, _QUESTION).rows
    verdicts: dict[tuple[str, str, str], str] = {}
    versions: dict[str, dict[str, None]] = {}
    reasons = []
    for model, spec, version, verdict, reason in rows:
        name, number = str(spec).partition("==")[0], str(version)
        verdicts[str(model), name, number] = str(verdict)
        versions.setdefault(name, {})[number] = None
        if verdict in {"fail", "error"}:
            reasons.append((model, name, number, reason))

    def cell(model: str, name: str, version: str) -> Markup:
        verdict = verdicts.get((model, name, version))
        if verdict is None:
            return Markup("<td>")
        letter = verdict[0].upper()
        return Markup("<td class={0}>{0}").format(letter)

    return _template().render(
        title="Robots and dynamics libraries",
        models=sorted({model for model, _, _ in verdicts}),
        libraries=[{"name": name, "versions": list(found)} for name, found in sorted(versions.items())],
        tasks=len(rows),
        cell=cell,
        bad=reasons[:LISTED],
        more=max(0, len(reasons) - LISTED),
    )


def _template() -> jinja2.Template:
    loader = jinja2.PackageLoader("robodyn_check.sweep", "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=False, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("matrix.html")
