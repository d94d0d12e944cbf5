"""Makes this folder anew (``make reports``): version bumps, the matrix of verdicts, baselines of the small models.

Environments are made where they are missing; with the package index near this takes about ten minutes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from robodyn_check.cli.main import main  # noqa: E402 - the checkout's own package
from robodyn_check.cli.output import write_atomically  # noqa: E402
from robodyn_check.regression.asking import Asking, ask_version  # noqa: E402
from robodyn_check.regression.matrix import matrix, matrix_page  # noqa: E402
from robodyn_check.regression.page_html import page_html  # noqa: E402
from robodyn_check.regression.page_text import page_markdown  # noqa: E402
from robodyn_check.regression.sidecar import base_only, encode, read, sidecar_path, with_values_file  # noqa: E402
from robodyn_check.report.json_format import dumps, read_report, to_json  # noqa: E402
from robodyn_check.settings import Settings  # noqa: E402

OLD_CALLS = "tests/regression/mujoco_of_3_9.py"
#: name -> words of ``bump``: histories that are worth reading.
BUMPS = {
    "mujoco-3.13.0-3.14.0": ["mujoco", "3.13.0", "3.14.0", "models/ur5e/model.urdf", "models/schunk_lwa4d/model.urdf"],
    "mujoco-3.9.0-3.13.0": ["mujoco", "3.9.0", "3.13.0", "models/schunk_lwa4d/model.urdf"],
    "mujoco-calls-3.9.0-3.13.0": [
        "mujoco-of-3.9", "3.9.0", "3.13.0", "models/pendulum/model.urdf", "--adapter", OLD_CALLS,
    ],
    "pin-3.9.0-4.1.0": ["pin", "3.9.0", "4.1.0", "models/panda/model.urdf", "models/ur5e/model.urdf"],
}  # fmt: skip
#: name -> words of ``trend``.
TRENDS = {
    "mujoco-ur5e": [
        "mujoco", "models/ur5e/model.urdf",
        *("--version", "3.9.0"), *("--version", "3.13.0"), *("--version", "3.14.0"), *("--version", "4.0.0"),
    ],
}  # fmt: skip
#: library -> versions in the matrix.
VERSIONS = {
    "pinocchio": ("3.9.0", "4.0.0", "4.1.0"),
    "mujoco": ("3.9.0", "3.13.0", "3.14.0", "4.0.0"),
    "drake": ("current",),
}
SAMPLES = 20
#: Models whose values are small enough to keep.
BASELINES = ("cart_pole", "free_body", "pendulum", "planar_2r", "rp_arm", "schunk_lwa4d", "ur5e")
BASELINE_LIBRARIES = ("pinocchio", "mujoco", "drake")


def pages(verb: str, histories: dict[str, list[str]], folder: Path) -> None:
    """Write a page, a Markdown and a JSON file per history."""
    folder.mkdir(exist_ok=True)
    for name, words in histories.items():
        print(f"{verb} {name}", flush=True)
        formats = [f"{kind}={folder / name}.{suffix}" for kind, suffix in (("html", "html"), ("markdown", "md"))]
        formats.append(f"json={folder / name}.json")
        code = main([verb, *words, "--samples", "100", *(word for one in formats for word in ("--format", one))])
        print(f"  exit code {code}", flush=True)


def verdicts(folder: Path) -> None:
    """Write the matrix library × version × model."""
    models = tuple(str(path) for path in sorted(Path("models").glob("*/model.*")) if path.suffix != ".toml")
    settings = Settings(models=models, samples=SAMPLES)
    askings: dict[str, list[Asking]] = {}
    for library, versions in VERSIONS.items():
        for version in versions:
            print(f"matrix {library} {version}", flush=True)
            askings.setdefault(library, []).append(ask_version(settings, library, version))
    found = matrix(askings, samples=SAMPLES, seed=settings.seed)
    page = matrix_page(found)
    write_atomically(folder / "matrix.json", dumps(found))
    write_atomically(folder / "matrix.md", page_markdown(page))
    write_atomically(folder / "matrix.html", page_html(page))


def baselines(folder: Path) -> None:
    """Write the baseline of every small model, values included."""
    folder.mkdir(exist_ok=True)
    for name in BASELINES:
        print(f"baseline {name}", flush=True)
        libraries = [word for library in BASELINE_LIBRARIES for word in ("--lib", library)]
        words = [
            f"models/{name}/model.urdf",
            *libraries,
            "--samples",
            "5",
            "--save-baseline",
            str(folder / f"{name}.json"),
        ]
        main([*words, "--format", f"markdown={folder / name}.md"])
        trim(folder / f"{name}.json")


def trim(path: Path) -> None:
    """Leave of a baseline's values what is compared."""
    report = read_report(path.read_text(encoding="utf-8"))
    content = encode(base_only(read(report, path) or {}), tuple(one.model.path for one in report.models))
    sidecar_path(path).write_bytes(content)
    write_atomically(path, to_json(with_values_file(report, sidecar_path(path).name, content)))


if __name__ == "__main__":
    os.chdir(ROOT)
    wanted = sys.argv[1:] or ["bumps", "trends", "matrix", "baselines"]
    place = Path("reports")
    if "bumps" in wanted:
        pages("bump", BUMPS, place / "bumps")
    if "trends" in wanted:
        pages("trend", TRENDS, place / "trends")
    if "matrix" in wanted:
        verdicts(place)
    if "baselines" in wanted:
        baselines(place / "baselines")
