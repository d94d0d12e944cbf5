"""The JSON that shields.io's endpoint badge reads: https://shields.io/badges/endpoint-badge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from robodyn_check.report.summary import headline, libraries
from robodyn_check.report.words import is_pair, listing, one_line

if TYPE_CHECKING:
    from robodyn_check.report.results import Report

_COLORS = {"PASS": "brightgreen", "WARN": "yellow", "FAIL": "red", "ERROR": "orange"}


def badge(report: Report) -> str:
    """Return the badge: ``robot dynamics | 3 libraries right``."""
    word = headline(report)
    message = {
        "PASS": _passed(report),
        "FAIL": _failed(report),
        "ERROR": f"{report.summary.error} errors",
        "WARN": f"{report.summary.warn} warnings",
    }.get(word, word.lower())
    shown = {"schemaVersion": 1, "label": "robot dynamics", "message": message, "color": _COLORS.get(word, "lightgrey")}
    return json.dumps(shown | {"isError": word in {"FAIL", "ERROR"}}) + "\n"


def _passed(report: Report) -> str:
    names = {subject.name for model in report.models for subject in libraries(model) if subject.status == "ok"}
    right = "1 library right" if len(names) == 1 else f"{len(names)} libraries right"
    return f"{right}, {report.summary.known} known failures" if report.summary.known else right


def _failed(report: Report) -> str:
    bad = [
        r
        for model in report.models
        for r in model.results
        if r.verdict == "fail" and r.known is None and not is_pair(r)
    ]
    return f"{one_line(listing(list(dict.fromkeys(r.subject for r in bad)), most=2)) or 'something'} wrong"
