"""Requests and answers: what checks ask of a subject, and what it said.

A Request names one quantity at a batch of states (canonical coordinates, state axis first) and carries just the
inputs that the quantity needs. Equal requests have equal keys, so the same question by two checks is asked once, and
a judge finds its answers by building the same requests again. Answers survive in a file (``NAME.values.npz``).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.quantities import QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy.typing as npt

    from robodyn_check.motion import Springs

    FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Request:
    """One question: ``quantity`` at N states; inputs that the quantity does not take are None.

    ``gravity`` None is the run's gravity; another one is answered from a second load in the same process.
    ``motion`` turns forward dynamics into the ends of the motions that begin at q and v (`motion.questions`; tau is not
    read): (N, steps, nq + nv + 1).
    """

    quantity: str
    q: FloatArray
    v: FloatArray | None = None
    a: FloatArray | None = None
    tau: FloatArray | None = None
    gravity: tuple[float, float, float] | None = None
    round: int = 0
    repeat: int = 0
    motion: Springs | None = None
    _key: list[str] = field(default_factory=list, init=False, repr=False)

    def __len__(self) -> int:
        """Return the number of states asked."""
        return int(self.q.shape[0])

    @property
    def inputs(self) -> dict[str, FloatArray]:
        """The inputs this quantity takes, by name."""
        given = {"q": self.q, "v": self.v, "a": self.a, "tau": self.tau}
        return {name: array for name in QUANTITIES[self.quantity].inputs if (array := given[name]) is not None}

    @property
    def key(self) -> str:
        """Content address: same quantity, same doubles, same gravity, same repetition -> same key."""
        if not self._key:
            # Of the digests of the standard library, processors have instructions for this one.
            digest = hashlib.sha256(f"{self.quantity}|{self.gravity}|{self.round}|{self.repeat}".encode())
            given = self.inputs
            if self.motion is not None:
                given |= {"stiffness": self.motion.stiffness, "damping": self.motion.damping}
            for name, array in given.items():
                digest.update(f"|{name}{array.shape}".encode())
                digest.update(np.ascontiguousarray(array).data)
            self._key.append(digest.hexdigest()[:24])
        return self._key[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why one chunk of states, or a whole request, has no answer.

    kind: "not_offered" and "unsupported" become skip; "error" (crash, time-out, garbage, wrong shape, an exception of
    the library) becomes error. ``states`` are the rows concerned (empty: all).
    """

    kind: str
    message: str
    states: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """One quantity's values in canonical coordinates, (N, *shape); rows that failed hold NaN and have a Failure.

    ``inputs_modified``: rows at which the library wrote into the arrays it was handed.
    ``absent``: entries of the first axis of one state's value that the library does not hold (links that it merged
    away); they hold NaN and are no failure.
    ``reduced``: mimic joints that the library eliminated; their rows and columns are not in ``values``.
    """

    values: FloatArray
    failures: tuple[Failure, ...] = ()
    inputs_modified: tuple[int, ...] = ()
    seconds: float = 0.0
    absent: tuple[int, ...] = ()
    reduced: tuple[str, ...] = ()


class Answers:
    """What one subject said, by request. Immutable to the outside; `merged` returns a larger one."""

    def __init__(self, answers: Mapping[str, Answer | Failure] | None = None) -> None:
        """Keep the answers by request key."""
        self._answers = dict(answers or {})

    def get(self, request: Request) -> Answer | Failure | None:
        """Return the answer, the failure of the whole request, or None when it was never asked."""
        return self._answers.get(request.key)

    def by_key(self, key: str) -> Answer | Failure | None:
        """Return the same as `get` for a request whose key is at hand."""
        return self._answers.get(key)

    def merged(self, more: Mapping[str, Answer | Failure]) -> Answers:
        """Return these answers and more."""
        return Answers({**self._answers, **more})

    def items(self) -> Iterable[tuple[str, Answer | Failure]]:
        """Iterate over (request key, answer)."""
        return self._answers.items()

    def __len__(self) -> int:
        """Return how many requests were answered."""
        return len(self._answers)
