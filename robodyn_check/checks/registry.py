"""Every check, by code: the decorator that declares one, and `load`, which imports those that a run wants.

A check is a class with two pure static functions, decorated with its claim; its docstring is the product's text::

    @check(
        code="RD201",
        slug="mass-matrix-symmetric",
        quantities=("mass_matrix",),
        formula="M = Mᵀ",
        bound="exact",
        reference="Featherstone (2008), section 3.3",
    )
    class MassMatrixSymmetric:
        '''The mass matrix is symmetric.

        What it checks: ...
        Why it matters: ...
        Usual causes: ...
        References: ...
        '''

        @staticmethod
        def probes(context: ProbeContext) -> Probes: ...

        @staticmethod
        def judge(context: JudgeContext, given: Given) -> Outcomes: ...

``probes`` names the requests it needs ({"M": request}), or says in one sentence why the check does not apply. ``judge``
gets their values under the same names. All that is alike for every check (an answer that is missing, not offered or
failed; code, subject, coverage) is done once, in `running`. The outside sees a `Check`, whose ``probes`` returns plain
requests and whose ``judge`` returns `Result` objects.

Codes: RDxnn. Families x: `texts.FAMILIES`. x01-x49: properties one subject must have by its own answers; x50-x99:
agreement of two subjects. Codes are never reused. This module loads no numpy before `load` is called.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from robodyn_check.checks.texts import DECLARED, CheckText, check_texts, chosen, declare_all, explain, make_text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.report.results import Result
    from robodyn_check.requests import Request

__all__ = ["Check", "CheckText", "check", "check_texts", "chosen", "explain", "load", "texts"]

Class = TypeVar("Class", bound=type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check, ready to run: its text and its two pure functions.

    ``probes`` may be called again after answers came in: it then returns what it asks on top of the earlier requests
    (equal requests have equal keys). ``judge`` returns no result where the check says nothing about the subject.
    """

    text: CheckText
    probes: Callable[[ProbeContext], tuple[Request, ...]]
    judge: Callable[[JudgeContext], tuple[Result, ...]]

    @property
    def code(self) -> str:
        """The check's code."""
        return self.text.code

    @property
    def is_agreement(self) -> bool:
        """True when it compares two subjects."""
        return self.text.is_agreement


def check(
    *,
    code: str,
    slug: str,
    quantities: tuple[str, ...],
    formula: str,
    bound: str,
    reference: str,
    integrates: bool = False,
) -> Callable[[Class], Class]:
    """Declare a class to be a check; its text is kept as the class attribute ``text``."""

    def declare(cls: Class) -> Class:
        text = make_text(
            cls.__doc__ or "",
            code=code,
            slug=slug,
            quantities=quantities,
            formula=formula,
            bound=bound,
            reference=reference,
            integrates=integrates,
            module=cls.__module__,
            name=cls.__name__,
        )
        cls.text = DECLARED[code] = text  # type: ignore[attr-defined]
        return cls

    return declare


def load(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Check, ...]:
    """Import and return the checks that a selection keeps, by code.

    Args:
        select: Prefixes of codes ("RD2", "RD201") or slugs; empty: every check.
        ignore: The same, taken away afterwards.

    Raises:
        UsageError: An entry that matches no check.
    """
    from robodyn_check.checks import running  # noqa: PLC0415 - numpy loads with the first run, not with `explain`

    if not select:
        declare_all()

    def ready(text: CheckText) -> Check:
        rule: Any = getattr(importlib.import_module(text.module), text.name)
        return Check(text=text, probes=running.probes_of(rule, text), judge=running.judge_of(rule, text))

    return tuple(ready(text) for text in chosen(select, ignore) if text.module)
