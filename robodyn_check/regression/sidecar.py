"""The sidecar of a report, ``NAME.values.npz``: every answer of every subject, bit for bit.

Members are ``MODEL/SUBJECT/KEY``, MODEL the number of the model in the report and KEY the content address of a request
(`requests.Request.key`), so whoever draws the same states again finds the answers; ``index.json`` says which key is
which quantity at the run's states, and which requests failed. Equal answers give equal bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.errors import UsageError
from robodyn_check.quantities import QUANTITIES
from robodyn_check.regression.findings import BAD
from robodyn_check.regression.values import base_request
from robodyn_check.report.results import ValuesFile
from robodyn_check.requests import Answer, Answers, Failure
from robodyn_check.run.budget import Budget
from robodyn_check.run.subjects import Declared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.report.results import Report
    from robodyn_check.requests import FloatArray
    from robodyn_check.run.gathered import Gathered
    from robodyn_check.run.subjects import Setting, Subject

SUFFIX = ".values.npz"
#: Doubles kept of one subject about one model (160 MB); of more than these only the answers at the run's states stay.
MOST_DOUBLES = 20_000_000
_INDEX = "index.json"
#: What is kept of a declaration; springs belong to flexible joints and are not judged again.
_DECLARED = ("name", "precision", "coriolis", "symmetric_by_construction", "certified", "cost")
#: The earliest time that a zip archive can say: an archive must not depend on the clock.
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubjectValues:
    """What one subject said about one model: all its answers, and which key is which quantity at the run's states.

    ``declared`` and ``budget`` are what `run.subjects.Subject` had, so that the answers can be judged again.
    """

    answers: Answers
    base: Mapping[str, str]
    declared: Declared
    budget: Budget

    def base_values(self, quantity: str) -> FloatArray | None:
        """Return the answer at the run's states, None where there is none."""
        answer = dict(self.answers.items()).get(self.base.get(quantity, ""))
        return answer.values if isinstance(answer, Answer) else None


#: (path of the model as the report has it, subject) -> values
Values = dict[tuple[str, str], SubjectValues]


@dataclass(slots=True, kw_only=True, eq=False)
class Collector:
    """Collects answers while a run goes on; `watch` is handed to the pipeline.

    ``failing_only``: keep only models about which something is wrong.
    """

    values: Values = field(default_factory=dict)
    failing_only: bool = False

    def watch(self, gathered: Gathered) -> None:
        """Keep the answers of the reference and of every library about one model."""
        setting = gathered.setting
        wrong = any(result.verdict in BAD for result in gathered.results)
        if setting is None or (self.failing_only and not wrong):
            return
        subjects = [gathered.reference, *(asked.subject for asked in gathered.asked)]
        for subject in subjects:
            if subject is not None:
                self.values[gathered.path, subject.name] = _of_subject(setting, subject)


def sidecar_path(report: Path) -> Path:
    """Return the sidecar's place beside a report: ``report.json`` has ``report.values.npz``."""
    return report.with_name(report.stem + SUFFIX)


def with_values_file(report: Report, name: str, content: bytes) -> Report:
    """Return the report with the name and hash of its sidecar."""
    digest = hashlib.sha256(content).hexdigest()
    return dataclasses.replace(report, values_file=ValuesFile(name=name, sha256=digest))


def encode(values: Values, models: tuple[str, ...]) -> bytes:
    """Return the bytes of a sidecar.

    Args:
        values: What was collected.
        models: Paths of the report's models, in its order; values of others are left out.
    """
    index: dict[str, Any] = {"schema_version": 1, "models": list(models), "subjects": []}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for (path, subject), kept in sorted(values.items()):
            if path not in models:
                continue
            number = models.index(path)
            entry: dict[str, Any] = {"model": number, "subject": subject, "base": dict(sorted(kept.base.items()))}
            entry["declared"] = {
                name: value for name, value in dataclasses.asdict(kept.declared).items() if name in _DECLARED
            }
            entry["declared"]["quantities"] = sorted(kept.declared.quantities)
            entry["budget"] = dataclasses.asdict(kept.budget)
            entry["answers"] = {}
            for key, answer in sorted(kept.answers.items(), key=lambda pair: pair[0]):
                entry["answers"][key] = _plain(answer)
                if isinstance(answer, Answer):
                    _put(archive, f"{number}/{len(index['subjects'])}/{key}.npy", answer.values)
            index["subjects"].append(entry)
        archive.writestr(zipfile.ZipInfo(_INDEX, _EPOCH), json.dumps(index, sort_keys=True))
    return buffer.getvalue()


def read(report: Report, report_path: Path) -> Values | None:
    """Read the sidecar of a report; None where the report has none.

    Raises:
        UsageError: It is missing, is not the one that was written with the report, or is no sidecar.
    """
    if report.values_file is None:
        return None
    path = report_path.with_name(Path(report.values_file.name).name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: the values of {report_path} cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != report.values_file.sha256:
        raise UsageError(f"{path} does not belong to {report_path}: its SHA-256 differs. Write both again.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _decode(archive)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise UsageError(f"{path}: this is no file of values: {error}. Write it again.") from error


def base_only(values: Values) -> Values:
    """Return the answers at the run's states alone: all that a baseline is compared with, in a fraction of the size."""
    kept: Values = {}
    for place, one in values.items():
        answers = dict(one.answers.items())
        kept[place] = dataclasses.replace(one, answers=Answers({key: answers[key] for key in one.base.values()}))
    return kept


def _of_subject(setting: Setting, subject: Subject) -> SubjectValues:
    base = {quantity: base_request(setting, subject, quantity).key for quantity in QUANTITIES}
    known = dict(subject.answers.items())
    base = {quantity: key for quantity, key in base.items() if key in known}
    if sum(answer.values.size for answer in known.values() if isinstance(answer, Answer)) > MOST_DOUBLES:
        known = {key: known[key] for key in base.values()}
    return SubjectValues(
        answers=Answers(known),
        base=base,
        declared=subject.declared,
        budget=subject.budget,
    )


def _plain(answer: Answer | Failure) -> dict[str, Any]:
    """Return all of an answer but its numbers and its time, which differs from run to run."""
    if isinstance(answer, Failure):
        return {"failure": dataclasses.asdict(answer)}
    return {
        "failures": [dataclasses.asdict(one) for one in answer.failures],
        "inputs_modified": list(answer.inputs_modified),
        "absent": list(answer.absent),
        "reduced": list(answer.reduced),
    }


def _put(archive: zipfile.ZipFile, name: str, array: FloatArray) -> None:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, buffer.getvalue())


def _decode(archive: zipfile.ZipFile) -> Values:
    index = json.loads(archive.read(_INDEX))
    values: Values = {}
    for number, entry in enumerate(index["subjects"]):
        answers: dict[str, Answer | Failure] = {}
        for key, facts in entry["answers"].items():
            if "failure" in facts:
                answers[key] = _failure(facts["failure"])
                continue
            member = io.BytesIO(archive.read(f"{entry['model']}/{number}/{key}.npy"))
            answers[key] = Answer(
                values=np.lib.format.read_array(member, allow_pickle=False),
                failures=tuple(_failure(one) for one in facts["failures"]),
                inputs_modified=tuple(facts["inputs_modified"]),
                absent=tuple(facts["absent"]),
                reduced=tuple(facts["reduced"]),
            )
        path = index["models"][entry["model"]]
        declared, budget = entry["declared"], entry["budget"]
        values[path, entry["subject"]] = SubjectValues(
            answers=Answers(answers),
            base=entry["base"],
            declared=Declared(**{**declared, "quantities": frozenset(declared["quantities"])}),
            budget=Budget(**{**budget, "notes": tuple(budget["notes"])}),
        )
    return values


def _failure(facts: Mapping[str, Any]) -> Failure:
    return Failure(kind=facts["kind"], message=facts["message"], states=tuple(facts["states"]))
