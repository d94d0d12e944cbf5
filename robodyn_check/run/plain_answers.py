"""What a library left out of an answer, said in the words that checks read: a Failure for what is not there."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from robodyn_check.requests import Answer, Failure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Links named in one message; a robot may have merged hundreds.
_NAMED = 5


def plain_answers(
    answers: Mapping[str, Answer | Failure], *, library: str, links: Sequence[str]
) -> dict[str, Answer | Failure]:
    """Return the answers with links that the library does not hold, and joints that it eliminated, made explicit.

    Entries of links that it merged away hold NaN and are "not offered". An answer without the eliminated mimic joints
    has another shape than the truth's: it is "unsupported".
    """
    return {key: _plain(answer, library, links) for key, answer in answers.items()}


def _plain(answer: Answer | Failure, library: str, links: Sequence[str]) -> Answer | Failure:
    if isinstance(answer, Failure):
        return answer
    if answer.reduced:
        names = _listed(answer.reduced)
        text = f"{library} eliminates the mimic joints {names}; its answer has no rows for them"
        return Failure(kind="unsupported", message=text)
    if answer.absent:
        text = f"{library} holds no frame of {_listed([links[number] for number in answer.absent])}"
        failure = Failure(kind="not_offered", message=text)
        return dataclasses.replace(answer, failures=(*answer.failures, failure))
    return answer


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown
