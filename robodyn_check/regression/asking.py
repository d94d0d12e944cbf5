"""One version of a library asked about some models: the report, or why there is none. For `trend` and `bisect`."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.pipeline import run
from robodyn_check.regression.bump_run import spec_text
from robodyn_check.regression.findings import BAD, name_of
from robodyn_check.report.words import is_pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.regression.findings import Name
    from robodyn_check.report.results import ModelReport, Report
    from robodyn_check.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A version with its report. ``trouble``: why it could not be asked about any model, "" where it could."""

    version: str
    spec: str
    report: Report
    trouble: str = ""

    def findings(self) -> frozenset[Name]:
        """Return the names of everything that is wrong with this version, by its own answers or by the truth."""
        return frozenset(
            name_of(model, result)
            for model in self.report.models
            for result in model.results
            if result.subject == self.spec and result.verdict in BAD and not is_pair(result)
        )


def ask_version(
    settings: Settings, library: str, version: str, *, progress: Callable[[str], None] | None = None
) -> Asking:
    """Check the settings' models with one version of a library; nothing is certified, each version has the same truth.

    Raises:
        ModelError: A model that cannot be read.
    """
    spec = spec_text(library, version)
    say = progress or (lambda _text: None)
    certify = 0 if settings.certify is None else settings.certify
    report = run(
        dataclasses.replace(settings, lib=(spec,), certify=certify),
        progress=lambda text: say(f"{version}: {text}"),
    )
    if not report.complete:
        raise KeyboardInterrupt
    return Asking(version=version, spec=spec, report=report, trouble=_trouble(report.models, spec))


def _trouble(models: tuple[ModelReport, ...], spec: str) -> str:
    records = [subject for model in models for subject in model.subjects if subject.name == spec]
    if any(record.version is not None for record in records):
        return ""
    return next((record.reason or "" for record in records), "it was not asked")
