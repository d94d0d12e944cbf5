"""Two subjects timed side by side: the same question to both in turn, so that the machine's moods hit both alike.

The least of several rounds counts: whatever else the machine does can only add to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.regression.bump import Timing
from robodyn_check.requests import Answer

if TYPE_CHECKING:
    from robodyn_check.requests import Request
    from robodyn_check.run.subjects import Subject

ROUNDS = 9
#: A question that takes longer than this, s, is asked once.
SLOW = 1.0


def paired_timing(old: Subject, new: Subject, request: Request, *, rounds: int = ROUNDS) -> Timing | None:
    """Ask both subjects the same question in turn and return the time in the library; None where one has no answer.

    Args:
        old: The old version, alive.
        new: The new version, alive.
        request: The question, at the run's states.
        rounds: Pairs of questions; a first pair that is not counted warms both up.
    """
    pairs: list[tuple[float, float]] = []
    for number in range(rounds + 1):
        sides = (old, new) if number % 2 else (new, old)
        seconds = {side.name: _seconds(side, request) for side in sides}
        one, two = seconds[old.name], seconds[new.name]
        if one is None or two is None:
            return None
        if number or max(one, two) > SLOW:
            pairs.append((one, two))
        if max(one, two) > SLOW:
            break
    count = max(1, len(request))
    old_least, new_least = (min(seconds) for seconds in zip(*pairs, strict=True))
    return Timing(
        old=old_least / count * 1e6,
        new=new_least / count * 1e6,
        ratio=new_least / old_least if old_least > 0 else 1.0,
        rounds=len(pairs),
    )


def _seconds(subject: Subject, request: Request) -> float | None:
    answer = subject.answer([request])[request.key]
    return answer.seconds if isinstance(answer, Answer) and not answer.failures else None
