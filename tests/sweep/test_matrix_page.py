from __future__ import annotations

import time
from typing import TYPE_CHECKING

from robodyn_check.cli.main import main
from robodyn_check.sweep.dataset import Dataset
from robodyn_check.sweep.matrix_page import LISTED, matrix_page
from robodyn_check.sweep.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Row = tuple[str, str, str, str, str]


def dataset(folder: Path, rows: Iterable[Row]) -> Path:
    """Write a dataset without a sync for every row."""
    with Dataset(folder) as made:
        made.remember({})
        lines = []
        for number, (model, spec, version, verdict, reason) in enumerate(rows):
            task = {
                "key": str(number),
                "model": model,
                "library": spec,
                "spec": spec,
                "version": version,
                "verdict": verdict,
                "reason": reason,
            }
            lines.append(Outcome(key=str(number), task=task))
        for line in lines[:1]:
            made.add(line)
        journal = folder / "journal-000001.jsonl"
        import json  # noqa: PLC0415 - the writer's own format

        with journal.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps({"key": o.key, "task": o.task, "results": []}) + "\n" for o in lines[1:])
    return folder


def test_the_page_shows_every_verdict_and_escapes_names(tmp_path: Path) -> None:
    rows = [("<b>.urdf", "lib", "1.9", "pass", ""), ("<b>.urdf", "lib", "1.10", "fail", "M is <wrong>")]
    page = matrix_page(dataset(tmp_path / "data", rows))
    assert "<b>.urdf" not in page
    assert "&lt;b&gt;.urdf" in page
    assert "<td class=P>P" in page
    assert "<td class=F>F" in page
    assert "M is &lt;wrong&gt;" in page
    assert page.index("1.9") < page.index("2 versions</summary>") or page.index("1.10") < page.index("2 versions")
    assert page.index("<th>lib<br>1.10</th>") > 0


def test_300_models_15_libraries_10_versions_fit(tmp_path: Path) -> None:
    rows = (
        (f"robots/robot{model}/model.urdf", f"lib{library}", f"1.{version}", "pass" if model % 7 else "fail", "wrong")
        for model in range(300)
        for library in range(15)
        for version in range(10)
    )
    folder = dataset(tmp_path / "data", rows)
    began = time.process_time()
    assert main(["query", "--data", str(folder), "--matrix", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert time.process_time() - began < 20
    assert len(page) < 3_000_000
    assert page.count("<td class=") == 300 * 15 * 11
    assert page.count("<td>wrong</td>") == LISTED
    assert "<script" not in page
