"""Asking one subject everything that the checks want to know, in as few batches as possible.

Probes of all checks are merged; equal questions are asked once. A check may ask again when answers came in, at most
`MOST_ROUNDS` times in all. A check whose probes raise loses its own result and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.run.subjects import MOST_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robodyn_check.checks.registry import Check
    from robodyn_check.requests import Request
    from robodyn_check.run.subjects import Setting, Subject

#: code -> the exception that one of the check's functions raised
Broken = dict[str, Exception]


def question(
    setting: Setting,
    subject: Subject,
    checks: Sequence[Check],
    *,
    progress: Callable[[str], None] = lambda _text: None,
) -> Broken:
    """Ask the subject what the checks want; its answers stay with it.

    Returns:
        The checks whose probes raised, by code.
    """
    broken: Broken = {}
    for number in range(1, MOST_ROUNDS + 1):
        requests: list[Request] = []
        for check in checks:
            if check.code in broken:
                continue
            try:
                requests.extend(check.probes(setting.probe_context(check, subject, subject.budget)))
            except Exception as error:  # noqa: BLE001 - a fault of one check must not lose the others
                broken[check.code] = error
        progress(f"{subject.name}: round {number}, {len(requests)} questions")
        if not subject.ask(requests):
            break
    return broken
