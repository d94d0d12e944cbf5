"""SARIF 2.1.0 (OASIS standard) for code scanning: each finding at its line of the model file, each rule with help.

A known failure is suppressed, not hidden. ``partialFingerprints`` name a finding by what does not move: the model's
path, code, quantity, library, other subject and element; not by line, number, seed or version.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from robodyn_check.checks.texts import texts
from robodyn_check.report.grouping import groups
from robodyn_check.report.summary import model_title
from robodyn_check.report.words import MODEL, element, error_words, one_line, short

if TYPE_CHECKING:
    from robodyn_check.checks.texts import CheckText
    from robodyn_check.report.results import ModelReport, Report, Result, Where

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: The name under which fingerprints are kept; it changes when what goes into them does.
FINGERPRINT = "robodynCheck/v1"
_LEVELS = {"fail": "error", "error": "error", "warn": "warning"}


def sarif(report: Report) -> str:
    """Return the findings (fail, error, warn) as SARIF."""
    found = [
        (model, result)
        for model in report.models
        for group in groups(model)
        for result in group.results
        if result.verdict in _LEVELS
    ]
    codes = sorted({(result.code, result.slug) for _, result in found})
    known_texts = {text.code: text for text in texts()}
    positions = {code: position for position, (code, _) in enumerate(codes)}
    seen: dict[str, int] = {}
    results = [_result(model, result, positions[result.code], seen) for model, result in found]
    run = {
        "tool": {
            "driver": {
                "name": "robodyn-check",
                "version": report.tool.version,
                "rules": [_rule(code, slug, known_texts.get(code)) for code, slug in codes],
            }
        },
        "invocations": [{"executionSuccessful": report.complete, "exitCode": report.exit_code}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _rule(code: str, slug: str, text: CheckText | None) -> dict[str, Any]:
    if text is None:
        return {"id": code, "name": slug, "shortDescription": {"text": slug.replace("-", " ")}}
    paragraphs = [f"{heading}: {paragraph}" for heading, paragraph in text.sections]
    claim = [f"Formula: {text.formula}", f"Bound: {text.bound}", f"Reference: {text.reference}"]
    return {
        "id": code,
        "name": text.slug,
        "shortDescription": {"text": text.title or slug},
        "fullDescription": {"text": paragraphs[0] if paragraphs else text.title or slug},
        "help": {"text": "\n\n".join([text.title, *paragraphs, *claim, f"robodyn-check explain {code}"])},
        "properties": {"tags": [text.family]},
    }


def _result(model: ModelReport, result: Result, position: int, seen: dict[str, int]) -> dict[str, Any]:
    where = (result.cause.where if result.cause else None) or result.where
    entry: dict[str, Any] = {
        "ruleId": result.code,
        "ruleIndex": position,
        "level": _LEVELS[result.verdict],
        "message": {"text": _message(result)},
        "locations": [_location(where, model.model.path)],
        "partialFingerprints": {FINGERPRINT: _fingerprint(model, result, seen)},
        "properties": {"verdict": result.verdict, "subject": result.subject, "margin": short(result.margin)},
    }
    if result.known is not None:
        entry["suppressions"] = [{"kind": "external", "justification": one_line(result.known.reason)}]
    return entry


def _message(result: Result) -> str:
    sentences = [f"{result.subject}: {result.message or result.slug}"]
    error, where = error_words(result), element(result)
    if error:
        sentences.append(f"{where or result.slug}: error {error}.")
    if result.cause is not None and result.subject != MODEL:
        sentences.append(f"Cause: {result.cause.name}: {result.cause.text}")
    if result.again:
        sentences.append(f"Again: {result.again}")
    return "\n".join(one_line(sentence) for sentence in sentences)


def _location(where: Where | None, model_path: str) -> dict[str, Any]:
    file = where.file if where else model_path
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if where is not None and where.line is not None:
        place["region"] = {"startLine": where.line}
    return {"physicalLocation": place}


def _uri(file: str) -> str:
    path = quote(PurePath(file).as_posix())
    return f"file://{path}" if path.startswith("/") else path


def _fingerprint(model: ModelReport, result: Result, seen: dict[str, int]) -> str:
    cause = (result.cause.name, result.cause.element or "") if result.cause else ("", "")
    # the worst element wanders with the states of a run; only findings without states are named by theirs
    labels = result.worst.labels if result.worst is not None and result.worst.state is None else ()
    parts = (model_title(model), result.code, result.quantity or "", result.subject.split("==")[0])
    digest = hashlib.sha256("\0".join((*parts, result.against or "", *cause, *labels)).encode()).hexdigest()[:32]
    seen[digest] = seen.get(digest, 0) + 1
    return f"{digest}:{seen[digest]}"
