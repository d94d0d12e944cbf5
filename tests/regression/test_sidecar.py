from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.errors import UsageError
from robodyn_check.pipeline import run
from robodyn_check.regression.sidecar import Collector, encode, read, sidecar_path, with_values_file
from robodyn_check.report.json_format import read_report, to_json
from robodyn_check.settings import Settings

from .conftest import MODEL, SWING

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.report.results import Report

SETTINGS = Settings(models=(str(MODEL),), adapter=(str(SWING),), samples=12, certify=0, select=("RD25", "RD45"))


@pytest.fixture(scope="module")
def ran() -> tuple[Report, Collector]:
    collector = Collector()
    return run(SETTINGS, watch=collector.watch), collector


def written(folder: Path, ran: tuple[Report, Collector]) -> tuple[Report, Path]:
    report, collector = ran
    path = folder / "report.json"
    content = encode(collector.values, SETTINGS.models)
    sidecar_path(path).write_bytes(content)
    report = with_values_file(report, sidecar_path(path).name, content)
    path.write_text(to_json(report), encoding="utf-8")
    return report, path


def test_every_double_survives_bit_for_bit(tmp_path: Path, ran: tuple[Report, Collector]) -> None:
    report, path = written(tmp_path, ran)
    values = read(report, path)
    assert values is not None
    before = ran[1].values
    assert values.keys() == before.keys() == {(str(MODEL), "reference"), (str(MODEL), "swing")}
    for key, kept in before.items():
        then = dict(values[key].answers.items())
        for request, answer in kept.answers.items():
            if hasattr(answer, "values"):
                again = then[request]
                assert hasattr(again, "values")
                assert again.values.tobytes() == np.ascontiguousarray(answer.values).tobytes()
            else:
                assert then[request] == answer
    assert values[str(MODEL), "swing"].base_values("mass_matrix") is not None
    assert values[str(MODEL), "swing"].base_values("kinetic_energy") is None


def test_of_a_very_large_subject_the_answers_at_the_states_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robodyn_check.regression.sidecar.MOST_DOUBLES", 10)
    collector = Collector()
    run(SETTINGS, watch=collector.watch)
    kept = collector.values[str(MODEL), "swing"]
    assert {key for key, _ in kept.answers.items()} == set(kept.base.values())
    assert kept.base_values("mass_matrix") is not None


def test_only_models_with_a_fault_are_kept_on_request() -> None:
    collector = Collector(failing_only=True)
    run(SETTINGS, watch=collector.watch)
    assert collector.values == {}


def test_equal_runs_give_equal_bytes_times_apart(ran: tuple[Report, Collector]) -> None:
    collector = Collector()
    report = run(SETTINGS, watch=collector.watch)
    assert encode(collector.values, SETTINGS.models) == encode(ran[1].values, SETTINGS.models)
    texts = []
    for one in (report, ran[0]):
        data = json.loads(to_json(one))
        for subject in data["models"][0]["subjects"]:
            subject["seconds"] = 0.0
        texts.append(json.dumps(data))
    assert texts[0] == texts[1]


def test_the_report_names_its_sidecar_and_reads_back(tmp_path: Path, ran: tuple[Report, Collector]) -> None:
    report, path = written(tmp_path, ran)
    again = read_report(path.read_text(encoding="utf-8"))
    assert again.values_file == report.values_file
    assert again.values_file is not None
    assert again.values_file.name == "report.values.npz"
    assert read(dataclasses.replace(report, values_file=None), path) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "cannot be read"), (b"something else", "does not belong to .*its SHA-256 differs")],
)
def test_a_sidecar_that_is_not_the_reports_is_refused(
    tmp_path: Path, ran: tuple[Report, Collector], content: bytes | None, message: str
) -> None:
    report, path = written(tmp_path, ran)
    if content is None:
        sidecar_path(path).unlink()
    else:
        sidecar_path(path).write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read(report, path)


def test_bytes_that_are_no_sidecar_are_refused(tmp_path: Path, ran: tuple[Report, Collector]) -> None:
    _, path = written(tmp_path, ran)
    sidecar_path(path).write_bytes(b"PK but no more")
    report = with_values_file(ran[0], sidecar_path(path).name, b"PK but no more")
    with pytest.raises(UsageError, match="this is no file of values"):
        read(report, path)
