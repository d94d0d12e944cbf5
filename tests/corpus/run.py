"""Check robodyn-check on a corpus of real robots: the libraries must agree where the corpus says that they do.

    python tests/corpus/run.py [--corpus FOLDER] [--samples 20] [--only NAME ...] [--all]

Every URDF that ``index.json`` calls ``agree`` is checked with Pinocchio, MuJoCo and Drake, with a fixed base, and with
a floating one where the robot has one. A fail or an error there is a false alarm: exit 1. With ``--all`` the other
robots are run too, and a table sets what the index says beside what was found.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import RobodynCheckError
from robodyn_check.pipeline import check_model, conclude
from robodyn_check.run.gathered import Gathered
from robodyn_check.run.libraries import Libraries
from robodyn_check.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from robodyn_check.report.results import ModelReport

ROOT = Path(__file__).parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
LIBRARIES = ("pinocchio", "mujoco", "drake")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One robot with one base."""

    name: str
    base: str
    verdict: str
    said: str
    found: str
    worst: float
    alarms: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the corpus, print the table, and return 1 where there was a false alarm."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--all", action="store_true", help="also robots on which libraries are known to differ")
    given = parser.parse_args(arguments)
    if not (given.corpus / "index.json").is_file():
        print(f"{given.corpus}: there is no corpus here (index.json is missing)", file=sys.stderr)
        return 2
    robots = json.loads((given.corpus / "index.json").read_text(encoding="utf-8"))["robots"]
    outcomes = []
    started = time.monotonic()
    settings = Settings(lib=LIBRARIES, samples=given.samples)
    with Libraries(settings, lambda _text: None) as libraries:
        libraries.start()
        for robot, base in jobs(robots, everything=given.all, only=given.only):
            path = given.corpus / robot["file"]
            outcome = run_one(path, robot, libraries, dataclasses.replace(settings, base=base))
            outcomes.append(outcome)
            print(f"{outcome.name:28} {outcome.base:8} {outcome.verdict:22} {outcome.found}", flush=True)
    alarms = [outcome for outcome in outcomes if outcome.alarms and outcome.verdict == "agree"]
    for outcome in alarms:
        print(f"\nFALSE ALARM {outcome.name} ({outcome.base})")
        for alarm in outcome.alarms:
            print(f"  {alarm}")
    table = Counter((outcome.verdict, outcome.found.partition(":")[0]) for outcome in outcomes)
    print("\nindex says              found                 robots")
    for (said, found), number in sorted(table.items()):
        print(f"{said:23} {found:21} {number:6}")
    worst = max((outcome.worst for outcome in outcomes if outcome.verdict == "agree"), default=0.0)
    minutes = (time.monotonic() - started) / 60
    print(f"\n{len(outcomes)} runs, {len(alarms)} false alarms, largest margin {worst:.2g}, {minutes:.1f} minutes")
    return 1 if alarms else 0


def jobs(
    robots: Sequence[dict[str, Any]], *, everything: bool, only: Sequence[str]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every robot to run, with each base it has."""
    for robot in robots:
        if only and robot["name"] not in only:
            continue
        if not only and not everything and (robot["format"] != "urdf" or robot["verdict"] != "agree"):
            continue
        yield robot, "fixed"
        # a robot that writes its own floating joint already floats: a second one makes M singular
        if robot["format"] == "urdf" and robot.get("floating") and not robot.get("explicit_floating_joint"):
            yield robot, "floating"


def run_one(path: Path, robot: dict[str, Any], libraries: Libraries, settings: Settings) -> Outcome:
    """Check one robot and say in a word what came out."""
    said = robot.get("mujoco_refusal") or ", ".join(defect["code"] for defect in robot.get("defects") or ())
    gathered = Gathered(path=str(path), settings=settings)
    alarms: tuple[str, ...]
    try:
        check_model(gathered, libraries, lambda _text: None)
    except RobodynCheckError as error:
        found, worst, alarms = f"unreadable: {str(error).splitlines()[0]}", 0.0, (str(error),)
    else:
        found, worst, alarms = summarise(conclude(gathered))
    return Outcome(
        name=robot["name"],
        base=settings.base,
        verdict=robot["verdict"],
        said=said,
        found=found,
        worst=worst,
        alarms=alarms,
    )


def summarise(model: ModelReport) -> tuple[str, float, tuple[str, ...]]:
    """Return what was found in a word, the largest margin that passed, and the alarms about libraries and truth."""
    results = [result for result in model.results if not result.code.startswith("RD1")]
    bad = [result for result in results if result.verdict in {"fail", "error"} and result.known is None]
    known = sorted({result.subject for result in results if result.known is not None})
    alarms = tuple(
        f"{result.verdict} {result.code} {result.slug} {result.subject} against {result.against or 'itself'}: "
        f"{result.message}"
        for result in bad
    )
    passed = [result.margin for result in results if result.verdict == "pass" and result.margin is not None]
    lint = sorted({r.slug for r in model.results if r.code.startswith("RD1") and r.verdict == "fail"})
    note = f" (file: {', '.join(lint)})" if lint else ""
    note += f" (known: {', '.join(known)})" if known else ""
    if not bad:
        asked = [s for s in model.subjects if s.name != "reference"]
        missing = [f"{s.name} {s.status}" for s in asked if s.status != "ok"]
        return f"{'pass' if not missing else 'partly'}: {', '.join(missing)}{note}", max(passed, default=0.0), ()
    who = Counter((result.subject, result.code) for result in bad)
    words = ", ".join(f"{subject} {code}" for (subject, code), _ in who.most_common(4))
    return (
        f"{'fail' if any(r.verdict == 'fail' for r in bad) else 'error'}: {words}{note}",
        max(passed, default=0.0),
        alarms,
    )


if __name__ == "__main__":
    sys.exit(main())
