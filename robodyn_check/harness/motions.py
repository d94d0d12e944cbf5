"""One motion request over the wire: the library's own process integrates, canonical coordinates in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.errors import AdapterCrashed
from robodyn_check.motion import DURATION, STEPS
from robodyn_check.requests import Answer, Failure
from robodyn_check.sdk.arrays import decode_array, encode_array
from robodyn_check.sdk.protocol import RowFailure
from robodyn_check.sdk.records import MalformedRecord, from_json, to_json

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.harness.client import Client
    from robodyn_check.requests import Request
    from robodyn_check.sdk.canonical import Canonical
    from robodyn_check.sdk.protocol import AdapterInfo

    FloatArray = npt.NDArray[np.float64]


#: Seconds that a call may take by the declared cost: a slow library follows its motions one by one.
_CALL = 1.0
#: Accelerations that one motion takes.
_STAGES = sum(4 * round(DURATION / step) for step in STEPS)


def integrate(
    client: Client, model: int, request: Request, canonical: Canonical, *, info: AdapterInfo, timeout: float
) -> Answer | Failure:
    """Return the ends of the motions, (N, steps, nq + nv + 1).

    Raises:
        ProtocolError, AdapterCrashed, AdapterTimeout: As `Client.receive`; a malformed answer counts as a crash.
    """
    assert request.motion is not None, "the caller asks for a motion"
    assert request.v is not None, "a motion begins with a velocity"
    arrays = {
        "q": request.q,
        "v": request.v,
        "stiffness": request.motion.stiffness,
        "damping": request.motion.damping,
    }
    size = max(1, int(_CALL / (_STAGES * info.cost * 1e-6)))
    ends: list[FloatArray] = []
    failures: list[Failure] = []
    seconds = 0.0
    for start in range(0, len(request), size):
        packed = {name: encode_array(array[start : start + size], info.arrays) for name, array in arrays.items()}
        params = {"model": model, "canonical": to_json(canonical), **packed}
        answer = client.call("integrate", params, timeout=timeout)
        part, failed, took = _read(answer, min(size, len(request) - start), canonical)
        ends.append(part)
        seconds += took
        failures += [
            Failure(kind="error", message=one.message, states=tuple(start + row for row in one.rows)) for one in failed
        ]
    if failures and len({row for one in failures for row in one.states}) == len(request):
        return Failure(kind="error", message=failures[0].message)
    return Answer(values=np.ascontiguousarray(np.concatenate(ends)), failures=tuple(failures), seconds=seconds)


def _read(answer: object, count: int, canonical: Canonical) -> tuple[FloatArray, list[RowFailure], float]:
    """Return the ends of one call, which rows failed, and the seconds it took.

    Raises:
        AdapterCrashed: The answer is malformed.
    """
    shape = (count, len(STEPS), canonical.nq + canonical.nv + 1)
    try:
        if not isinstance(answer, dict) or "values" not in answer:
            problem = f"integrate: expected an object with values, got {str(answer)[:80]!r}"
            raise MalformedRecord(problem)  # noqa: TRY301 - every malformed answer takes the same way
        ends = decode_array(answer["values"], "values")
        rows = [from_json(RowFailure, one, f"failures[{n}]") for n, one in enumerate(answer.get("failures", ()))]
        if ends.shape != shape or any(not 0 <= row < count for one in rows for row in one.rows):
            problem = f"integrate: shape {ends.shape}, expected {shape}, and rows 0 to {count - 1}"
            raise MalformedRecord(problem)  # noqa: TRY301 - the same
        return ends, rows, float(answer.get("seconds", 0.0))
    except (MalformedRecord, TypeError, ValueError) as error:
        message = f"sent a malformed answer: {error}"
        raise AdapterCrashed(message) from error
