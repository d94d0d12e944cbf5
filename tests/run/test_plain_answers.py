from __future__ import annotations

import numpy as np

from robodyn_check.requests import Answer, Failure
from robodyn_check.run.plain_answers import plain_answers

LINKS = tuple(f"link_{number}" for number in range(9))


def one(answer: Answer | Failure) -> Answer | Failure:
    return plain_answers({"key": answer}, library="lib", links=LINKS)["key"]


def test_links_that_are_not_held_are_not_offered() -> None:
    found = one(Answer(values=np.full((2, 9), np.nan), absent=(1, 3)))
    assert isinstance(found, Answer)
    assert found.failures == (Failure(kind="not_offered", message="lib holds no frame of link_1, link_3"),)


def test_many_links_are_counted() -> None:
    found = one(Answer(values=np.zeros((2, 9)), absent=tuple(range(7))))
    assert isinstance(found, Answer)
    assert found.failures[0].message.endswith("link_4 and 2 more")


def test_an_answer_without_its_mimic_joints_is_unsupported() -> None:
    found = one(Answer(values=np.zeros((2, 3)), reduced=("finger",)))
    assert found == Failure(
        kind="unsupported", message="lib eliminates the mimic joints finger; its answer has no rows for them"
    )


def test_everything_else_stays() -> None:
    answer, failure = Answer(values=np.zeros((2, 3))), Failure(kind="error", message="x")
    assert one(answer) is answer
    assert one(failure) is failure
