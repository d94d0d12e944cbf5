"""Ask one library after the other about the corpus of real robots, and write down what came out.

    python tests/corpus/libraries.py SPEC ... [--minutes 10] [--samples 5] [--isolated] [--only NAME ...]

The robots are the URDFs that ``index.json`` calls ``agree``, the smallest first, with a fixed base, and with a floating
one where the robot has one; as many as fit into the minutes. Every quantity of a library is compared with the
reference. ``reports/corpus.json`` keeps the outcome of each run, ``reports/corpus.md`` is the page made of it. Exit 1
where a library is wrong and ``adapters/known`` does not say why.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from robodyn_check.cli.output import write_atomically  # noqa: E402 - after the path
from robodyn_check.errors import RobodynCheckError  # noqa: E402
from robodyn_check.pipeline import check_model, conclude  # noqa: E402
from robodyn_check.run.gathered import Gathered  # noqa: E402
from robodyn_check.run.libraries import Libraries  # noqa: E402
from robodyn_check.settings import Settings  # noqa: E402
from tests.corpus.run import CORPUS, jobs  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.results import ModelReport

KEPT = ROOT / "reports" / "corpus.json"
PAGE = ROOT / "reports" / "corpus.md"
#: Agreement with the reference, whole answers, and whether the library loads the robot at all.
SELECT = ("RD25", "RD35", "RD45", "RD55", "RD65", "RD75", "RD901", "RD94")
#: For a call of a library that compiles a robot first, s, and for its process, MiB.
TIMEOUT, MEMORY = 300.0, 8192
HEAD = """# Libraries on a corpus of real robots

Robots whose dynamics the corpus calls agreed upon, each asked at a few states for every quantity that the library
offers, compared with the reference inside the bounds of the checks. Made by `tests/corpus/libraries.py SPEC`, which
runs one library on as many robots as fit into its minutes, the smallest first.

"""
TABLE = """| library | version | runs | right | known fault | limit | unknown fault | largest margin |
|---|---|---|---|---|---|---|---|
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the libraries, keep what came out, write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--isolated", action="store_true", help="in an environment of its own")
    parser.add_argument("--only", nargs="*", default=(), help="robots by name: what was kept about them is replaced")
    given = parser.parse_args(arguments)
    if not (given.corpus / "index.json").is_file():
        print(f"{given.corpus}: there is no corpus here (index.json is missing)", file=sys.stderr)
        return 2
    robots = json.loads((given.corpus / "index.json").read_text(encoding="utf-8"))["robots"]
    todo = sorted(jobs(robots, everything=False, only=given.only), key=lambda job: job[0]["dof"])
    unknown = 0
    for spec in given.specs:
        settings = Settings(
            lib=(spec,),
            samples=given.samples,
            certify=0,
            select=SELECT,
            isolated=given.isolated,
            timeout=TIMEOUT,
            memory=MEMORY,
        )
        runs = run_library(spec, todo, given.corpus, settings, given.minutes)
        unknown += sum(run["outcome"] == "unknown fault" for run in runs)
        keep(spec.partition("@")[0], runs, samples=given.samples, of=None if given.only else len(todo))
    return 1 if unknown else 0


def keep(library: str, runs: list[dict[str, Any]], *, samples: int, of: int | None) -> None:
    """Write down what came out; of some robots only (``of`` None) in place of what was kept about them."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.is_file() else {}
    if of is not None:
        kept[library] = {"of": of, "samples": samples, "runs": runs}
    else:
        new = {(run["robot"], run["base"]): run for run in runs}
        before = kept.get(library, {"runs": []})["runs"]
        for number, run in enumerate(before):
            before[number] = new.get((run["robot"], run["base"]), run)
    write_atomically(KEPT, json.dumps(dict(sorted(kept.items())), indent=1) + "\n")
    write_atomically(PAGE, page(kept))


def run_library(
    spec: str, todo: Sequence[tuple[dict[str, Any], str]], corpus: Path, settings: Settings, minutes: float
) -> list[dict[str, Any]]:
    """Return the outcome on each robot that was begun within the minutes."""
    runs, end = [], time.monotonic() + 60 * minutes
    with Libraries(settings, lambda _text: None) as libraries:
        libraries.start()
        for robot, base in todo:
            if time.monotonic() > end:
                break
            path = corpus / robot["file"]
            gathered = Gathered(path=str(path), settings=dataclasses.replace(settings, base=base))
            try:
                check_model(gathered, libraries, lambda _text: None, causes=False)
                run = outcome(conclude(gathered), spec)
            except RobodynCheckError as error:
                run = {"outcome": "unreadable", "because": [str(error).splitlines()[0]]}
            runs.append({"robot": robot["name"], "base": base, **run})
            print(f"{spec} {robot['name']} {base}: {run['outcome']} {'; '.join(run['because'])}", flush=True)
    return runs


def outcome(model: ModelReport, spec: str) -> dict[str, Any]:
    """Say in a word what one library did with one robot, and why."""
    (record,) = (subject for subject in model.subjects if subject.name == spec)
    results = [result for result in model.results if result.subject == spec]
    bad = [result for result in results if result.verdict in {"fail", "error"}]
    strange = [result for result in bad if result.known is None]
    passed = [result.margin for result in results if result.verdict == "pass" and result.margin is not None]
    if strange:
        word, reasons = "unknown fault", [f"{one.verdict} {one.code}: {one.message}" for one in strange]
    elif bad:
        word, reasons = "known fault", [one.known.reason for one in bad if one.known is not None]
    elif record.status != "ok":
        word, reasons = "limit", [one.message or "" for one in results if one.verdict == "skip"]
    else:
        word, reasons = "right", []
    because = list(dict.fromkeys(reasons))
    return {"outcome": word, "because": because, "version": record.version, "margin": max(passed, default=None)}


def page(kept: dict[str, Any]) -> str:
    """Return the page as Markdown."""
    rows, faults = [], []
    for spec, entry in sorted(kept.items()):
        runs = entry["runs"]
        count = Counter(run["outcome"] for run in runs)
        margin = max((run["margin"] for run in runs if run.get("margin") is not None), default=0.0)
        version = next((run["version"] for run in runs if run.get("version")), "")
        asked = f"{len(runs)} of {entry['of']}, {entry['samples']} states"
        cells = [count[word] for word in ("right", "known fault", "limit", "unknown fault")]
        rows.append(f"| {spec} | {version} | {asked} | {' | '.join(map(str, cells))} | {margin:.2g} |\n")
        reasons = Counter(reason for run in runs if run["outcome"].endswith("fault") for reason in run["because"])
        faults += [f"- {spec}, {number} runs: {reason}\n" for reason, number in reasons.most_common()]
    return HEAD + TABLE + "".join(rows) + "\n## Faults\n\n" + ("".join(faults) or "None.\n")


if __name__ == "__main__":
    sys.exit(main())
