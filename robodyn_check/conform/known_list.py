"""A ready-made ``known-failures.toml``: what was found and is not known yet, to be kept with a reason of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from robodyn_check.conform.trials import model_title
from robodyn_check.known import USER_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.report.results import Report, Result

#: Characters of a reason; the report has the rest.
LONGEST_REASON = 160


def known_list(report: Report, subject: str) -> str:
    """Return the list as TOML; empty when nothing is to be listed.

    One entry per quantity and model with all its codes; without a model where it fails on every one it was judged on.
    """
    open_findings = [
        (model.model.path, result)
        for model in report.models
        for result in model.results
        if result.subject == subject and result.verdict in {"fail", "error"} and result.known is None
    ]
    if not open_findings:
        return ""
    judged: dict[tuple[str, str | None], set[str]] = {}
    for model in report.models:
        for result in model.results:
            if result.subject == subject and result.verdict != "skip":
                judged.setdefault(_claim(result), set()).add(model.model.path)
    wrong: dict[tuple[str, str | None], dict[str, Result]] = {}
    for path, result in open_findings:
        wrong.setdefault(_claim(result), {}).setdefault(path, result)
    entries: dict[tuple[str, str | None], list[Result]] = {}
    for claim, found in wrong.items():
        everywhere = len(found) > 1 and set(found) == judged[claim]
        for pattern in [""] if everywhere else [_pattern(path) for path in found]:
            first = next(result for path, result in found.items() if pattern in {"", _pattern(path)})
            entries.setdefault((pattern, claim[1]), []).append(first)
    name, version = _who(report, subject)
    head = [f"# {USER_FILE} for {subject} {version}: put it beside your configuration, and write down the reasons."]
    return "\n".join([*head, *(_entry(name, *key, results) for key, results in entries.items())]) + "\n"


def _claim(result: Result) -> tuple[str, str | None]:
    return result.code, result.quantity


def _who(report: Report, subject: str) -> tuple[str, str]:
    """Return the library's name without profile or version, and the version that answered."""
    versions = [s.version for model in report.models for s in model.subjects if s.name == subject and s.version]
    return subject.partition(":")[0].partition("=")[0].partition("@")[0], versions[0] if versions else ""


def _pattern(path: str) -> str:
    """Return a pattern that finds the model on other machines too."""
    parts = path.replace("\\", "/").split("/")
    return "*" + "/".join(parts[-2:]) if model_title(path) != parts[-1] else f"*{parts[-1]}"


def _entry(library: str, pattern: str, quantity: str | None, results: Iterable[Result]) -> str:
    results = list(results)
    words = " ".join((results[0].message or results[0].slug).split())
    lines = ["", "[[known]]", f"library = {_text(library)}"]
    lines.append(f"code = {_text(', '.join(dict.fromkeys(result.code for result in results)))}")
    if quantity:
        lines.append(f"quantity = {_text(quantity)}")
    if pattern:
        lines.append(f"model = {_text(pattern)}")
    short = words if len(words) <= LONGEST_REASON else words[: LONGEST_REASON - 1] + "…"
    return "\n".join([*lines, f"reason = {_text(short)}"])


def _text(words: str) -> str:
    """Return a TOML string: JSON's escapes are TOML's, but for DEL."""
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")
