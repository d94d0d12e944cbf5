"""Check reading of MJCF and translation between the formats on a whole corpus of real robots.

    python tests/corpus/translations.py [--corpus FOLDER] [--only NAME ...]

Every MJCF must be read as MuJoCo compiles it. Every URDF must be the same robot after writing it as URDF, and move
alike written as MJCF with either base; every MJCF must move alike written as MJCF, and as URDF where that can say it.
Exit 1 where one of these fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from robodyn_check.errors import EvaluationError, ModelError, TranslationError  # noqa: E402 - after the path
from robodyn_check.harness.mjcf_compiler import run_compiler  # noqa: E402
from robodyn_check.model.mjcf import read_mjcf  # noqa: E402
from robodyn_check.model.mjcf_compare import compare_with_compiled  # noqa: E402
from robodyn_check.model.read import read_model  # noqa: E402
from robodyn_check.model.urdf import read_urdf  # noqa: E402
from robodyn_check.model.write_mjcf import write_mjcf  # noqa: E402
from robodyn_check.model.write_urdf import write_urdf  # noqa: E402
from robodyn_check.model.xml import parse_xml  # noqa: E402
from tests.model.translations import difference, unordered  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from robodyn_check.model.robot import RobotModel

#: eps times the size of the terms; as in the tests of the writers.
BOUND = 64.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the corpus, print what failed and a count of each outcome."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--only", nargs="*", default=())
    given = parser.parse_args(arguments)
    index = given.corpus / "index.json"
    if not index.is_file():
        print(f"{given.corpus}: there is no corpus here (index.json is missing)", file=sys.stderr)
        return 2
    counts: Counter[tuple[str, str]] = Counter()
    for robot in json.loads(index.read_text(encoding="utf-8"))["robots"]:
        if given.only and robot["name"] not in given.only:
            continue
        for claim, outcome, words in claims(given.corpus / robot["file"]):
            counts[claim, outcome] += 1
            if outcome == "FAILS":
                print(f"{robot['name']}: {claim}: {words}")
    for (claim, outcome), count in sorted(counts.items()):
        print(f"{count:4} {claim}: {outcome}")
    return 1 if any(outcome == "FAILS" for _, outcome in counts) else 0


def claims(path: Path) -> Iterator[tuple[str, str, str]]:
    """Judge every claim about one robot: (claim, outcome, words)."""
    try:
        robot = read_model(path, compile_mjcf=run_compiler)
    except ModelError as error:
        yield "reads", "unreadable", str(error.faults[0])
        return
    if robot.format == "mjcf":
        results = compare_with_compiled(robot, run_compiler(path))
        failed = [result.message or "" for result in results if result.verdict != "pass"]
        yield "reads as MuJoCo compiles it", "FAILS" if failed else "holds", "; ".join(failed[:3])
    else:
        same = unordered(as_urdf(write_urdf(robot).text)) == unordered(robot)
        yield "is the same URDF after writing", "holds" if same else "FAILS", ""
        yield ("moves alike as MJCF, floating", *moves_alike(robot, "mjcf", "floating"))
    if robot.format == "mjcf":
        yield ("moves alike as URDF", *moves_alike(robot, "urdf", "fixed"))
    yield ("moves alike as MJCF", *moves_alike(robot, "mjcf", "fixed"))


def moves_alike(robot: RobotModel, target: str, base: str) -> tuple[str, str]:
    """Translate a robot and compare its dynamics with the original's: (outcome, words)."""
    try:
        if target == "urdf":
            translation = write_urdf(robot)
            other = as_urdf(translation.text)
        else:
            translation = write_mjcf(robot, base="floating" if base == "floating" else "fixed")
            other = read_mjcf(robot.path, translation.text.encode())
        margin = difference(robot, other, translation, base=base) / BOUND
    except TranslationError as error:
        return "refused, naming the element", str(error)
    except EvaluationError as error:
        return "too large to compare", str(error)
    return ("holds" if margin <= 1 else "FAILS"), f"margin {margin:.3g}"


def as_urdf(text: str) -> RobotModel:
    """Read a URDF from its text."""
    data = text.encode()
    return read_urdf("model.urdf", data, parse_xml(data, "model.urdf"))


if __name__ == "__main__":
    sys.exit(main())
