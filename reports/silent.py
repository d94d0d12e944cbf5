"""Makes silent.md (``make reports``): what libraries do with odd models without saying so, found by running them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import robodyn_check  # noqa: E402 - the checkout's own package
from robodyn_check.cli.output import write_atomically  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.results import ModelReport, SubjectRecord

LIBRARIES = ("pinocchio", "mujoco", "mujoco:default", "drake")
#: Models with one oddity each, and what it is.
ODDITIES = {
    "case_15_negative_principal_inertia": "an inertia with a negative principal moment",
    "case_16_triangle_inequality_violated": "an inertia that no body can have",
    "case_19_inertia_row_major_slip": "an inertia with izz = 0",
    "case_20_inertia_nine_entries": "an inertia of nine entries that disagree",
    "case_23_last_link_zero_inertia_singular_M": "a last link with mass at its joint and no inertia",
    "case_27_kdl_root_inertia_dropped": "a root link with mass",
    "case_90_massless_intermediate_links": "moving links without an inertial",
}
HEAD = """# What libraries do silently

Each row is a model with one oddity, loaded by each library's own loader and asked for everything. Made by
`reports/silent.py`; the models stand in `tests/cases`.

"""


def main(libraries: Sequence[str] = LIBRARIES) -> None:
    """Run every model in every library and write the page."""
    paths = [str(Path("tests") / "cases" / name / "model.urdf") for name in ODDITIES]
    report = robodyn_check.check(paths, libraries=list(libraries), samples=20, certify=0)
    write_atomically(Path("reports") / "silent.md", page(report.models))


def page(models: Sequence[ModelReport]) -> str:
    """Return the page as Markdown."""
    records = [record for record in models[0].subjects if record.name != "reference"]
    header = [f"{record.name} {record.version or ''}".strip() for record in records]
    rows = [f"| model | {' | '.join(header)} |", f"|{'---|' * (len(header) + 1)}"]
    for (name, oddity), model in zip(ODDITIES.items(), models, strict=True):
        cells = [what_happens(model, record) for record in model.subjects if record.name != "reference"]
        rows.append(f"| [{oddity}](../tests/cases/{name}/model.urdf) | {' | '.join(cells)} |")
    return HEAD + "\n".join(rows) + "\n"


def what_happens(model: ModelReport, record: SubjectRecord) -> str:
    """Say in a few words what one library did with one model."""
    if record.status != "ok":
        words = (record.reason or "").split(". The model is at fault")[0]
        words = words.removeprefix("refuses a legal model: ")
        words = words.removeprefix(f"{record.name}: ")
        return f"refuses: {_cell(words)}"
    held = [one for one in model.results if one.subject == record.name and one.code.startswith("RD15")]
    told = [one.cause.evidence[0] for one in held if one.cause is not None and one.verdict != "pass"]
    told += [note for note in record.notes if note.startswith("root-link-merged-into-world")]
    wrong = {
        one.cause.name
        for one in model.results
        if one.subject == record.name and one.verdict == "fail" and one.cause is not None
    }
    if not told and not wrong:
        return "as in the file"
    warned = (record.readback or {}).get("warnings") or ()
    heard = ", with a warning" if warned else ", silently"
    return _cell("; ".join(told or sorted(wrong)) + heard)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
