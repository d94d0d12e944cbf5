"""JUnit XML: one suite per model and subject, one case per claim.

A case's name must not move between runs, or a CI server takes it for a new test: it is made of slug, quantity and the
other subject, never of a number, a measured value or a version. Results of one claim about several elements share it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from robodyn_check.report.finding_text import finding_lines
from robodyn_check.report.summary import model_title
from robodyn_check.report.words import MODEL, one_line, rank

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport, Report, Result

#: Columns of the text inside a failure.
_WIDTH = 100


def junit(report: Report) -> str:
    """Return the report as JUnit XML."""
    root = ET.Element("testsuites", name="robodyn-check")
    for model in report.models:
        for subject in dict.fromkeys(result.subject for result in model.results):
            root.append(_suite(model, subject))
    for counter in ("tests", "failures", "errors"):  # the format has no count of skipped ones here
        root.set(counter, str(sum(int(suite.get(counter, "0")) for suite in root)))
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(model: ModelReport, subject: str) -> ET.Element:
    claims: dict[str, list[Result]] = {}
    for result in model.results:
        if result.subject == subject:
            claims.setdefault(_case_name(result), []).append(result)
    title = f"{model_title(model)}: {one_line(subject)}"
    seconds = next((record.seconds for record in model.subjects if record.name == subject), 0.0)
    suite = ET.Element("testsuite", name=title, time=f"{seconds:.3f}")
    seed = model.states.seed if model.states else None
    for name, results in claims.items():
        suite.append(_case(title, name, results, seed))
    for counter, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(counter, str(len(list(suite.iter(tag)))))
    return suite


def _case_name(result: Result) -> str:
    about = f" of {result.quantity}" if result.quantity else ""
    against = f" against {result.against}" if result.against else ""
    return one_line(f"{result.slug}{about}{against}")


def _case(suite: str, name: str, results: list[Result], seed: int | None) -> ET.Element:
    case = ET.Element("testcase", classname=suite, name=name)
    first = min(results, key=lambda result: rank(result.verdict, known=result.known is not None))
    text = "\n".join(line for result in results for line in _lines(result, seed))
    message = one_line(first.message or first.slug)
    if first.known is not None:
        ET.SubElement(case, "skipped", message=f"known {first.verdict}: {one_line(first.known.reason)}").text = text
    elif first.verdict == "fail":
        ET.SubElement(case, "failure", type=first.code, message=message).text = text
    elif first.verdict == "error":
        ET.SubElement(case, "error", type=first.code, message=message).text = text
    elif first.verdict == "warn":
        ET.SubElement(case, "system-out").text = text
    elif first.verdict == "skip":
        ET.SubElement(case, "skipped", message=message)
    return case


def _lines(result: Result, seed: int | None) -> list[str]:
    if result.verdict in {"pass", "skip"}:
        return []
    lines = finding_lines(result, _WIDTH, seed=seed)
    if result.cause is not None and result.subject != MODEL:
        lines.append(f"    cause: {one_line(result.cause.name)}: {one_line(result.cause.text)}")
    return lines
