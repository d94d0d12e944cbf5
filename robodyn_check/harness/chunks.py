"""One request in chunks: how many states a call takes, one call, and the chunks put together in canonical form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.errors import AdapterCrashed
from robodyn_check.requests import Answer, Failure
from robodyn_check.sdk.arrays import decode_array, encode_array
from robodyn_check.sdk.conventions import Conventions, raw_shape
from robodyn_check.sdk.protocol import RowFailure
from robodyn_check.sdk.records import MalformedRecord, from_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from robodyn_check.harness.client import Client
    from robodyn_check.requests import Request
    from robodyn_check.sdk.layout import Layout
    from robodyn_check.sdk.protocol import AdapterInfo

    FloatArray = npt.NDArray[np.float64]

#: Doubles in one answer: 16 MiB, a line of 22 MB.
DOUBLES_PER_CALL = 2**21


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Raw:
    """What a library answered for one chunk, in its own coordinates; rows without a value hold NaN."""

    values: FloatArray
    failures: tuple[RowFailure, ...]
    inputs_modified: tuple[int, ...]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chunk:
    """Rows ``start`` to ``start + count`` of a request, with the library's M there where the conversion needs it."""

    start: int
    count: int
    raw: Raw | Failure
    mass_matrix: Raw | Failure | None = None


def chunk_size(quantity: str, conventions: Conventions, declared: int) -> int:
    """Return the number of states per call: the adapter's, or fewer where one state's value is large.

    Raises:
        LayoutMismatch: The adapter offers a regressor without saying how its columns are laid out.
    """
    doubles = int(np.prod(raw_shape(quantity, conventions.layout)))
    return max(1, min(declared, DOUBLES_PER_CALL // max(doubles, 1)))


def evaluate(
    client: Client,
    quantity: str,
    model: int,
    inputs: Mapping[str, FloatArray],
    *,
    layout: Layout,
    info: AdapterInfo,
    timeout: float,
) -> Raw | Failure:
    """Ask one quantity at one chunk.

    Raises:
        ProtocolError, AdapterCrashed, AdapterTimeout: As `Client.receive`; a malformed answer counts as a crash.
    """
    count = len(inputs["q"])
    if not count:
        empty = np.empty((0, *raw_shape(quantity, layout)))
        return Raw(values=empty, failures=(), inputs_modified=(), seconds=0.0)
    params = {name: encode_array(array, info.arrays) for name, array in inputs.items()}
    answer = client.call("evaluate", {"model": model, "quantity": quantity, **params}, timeout=timeout)
    try:
        if not isinstance(answer, dict) or "values" not in answer:
            problem = f"evaluate: expected an object with values, got {str(answer)[:80]!r}"
            raise MalformedRecord(problem)  # noqa: TRY301 - every malformed answer takes the same way
        failures = tuple(
            from_json(RowFailure, one, f"failures[{number}]") for number, one in enumerate(answer.get("failures", ()))
        )
        modified = tuple(int(row) for row in answer.get("inputs_modified", ()))
        values = decode_array(answer["values"], "values")
        if any(not 0 <= row < count for row in (*modified, *(row for one in failures for row in one.rows))):
            problem = f"evaluate: rows must be 0 to {count - 1}"
            raise MalformedRecord(problem)  # noqa: TRY301 - the same
        seconds = float(answer.get("seconds", 0.0))
    except (MalformedRecord, TypeError, ValueError) as error:
        message = f"sent a malformed answer: {error}"
        raise AdapterCrashed(message) from error
    expected = (count, *raw_shape(quantity, layout))
    if values.shape != expected:
        message = f"{info.name}: {quantity} has shape {values.shape}, expected {expected} (states first)"
        return Failure(kind="error", message=message)
    return Raw(values=values, failures=failures, inputs_modified=modified, seconds=seconds)


def merged(request: Request, chunks: list[Chunk], conventions: Conventions) -> Answer | Failure:
    """Put chunks together in canonical coordinates; a request without any value is a Failure."""
    quantity = request.quantity
    values: list[tuple[Chunk, FloatArray]] = []
    failures: list[Failure] = []
    modified: list[int] = []
    seconds = 0.0
    for chunk in chunks:
        rows = slice(chunk.start, chunk.start + chunk.count)
        masses = chunk.mass_matrix
        problem = next((one for one in (chunk.raw, masses) if isinstance(one, Failure)), None)
        if problem is not None or isinstance(chunk.raw, Failure) or isinstance(masses, Failure):
            assert problem is not None, "one of them is the failure"
            failures.append(
                Failure(kind=problem.kind, message=problem.message, states=tuple(range(rows.start, rows.stop)))
            )
            continue
        raw = chunk.raw
        failures += _row_failures(raw, quantity, chunk.start)
        if masses is not None:
            failures += _row_failures(masses, "mass_matrix", chunk.start)
        modified += [chunk.start + row for row in raw.inputs_modified]
        seconds += raw.seconds
        given = {name: array[rows] for name, array in request.inputs.items()}
        converted = conventions.answer(
            quantity, raw.values, given, mass_matrix=None if masses is None else masses.values
        )
        values.append((chunk, converted))
    failed = {row for failure in failures for row in failure.states}
    if not values or (failed and len(failed) == len(request)):
        first = failures[0]
        return Failure(kind=first.kind, message=first.message)
    out = np.full((len(request), *values[0][1].shape[1:]), np.nan)
    for chunk, converted in values:
        out[chunk.start : chunk.start + chunk.count] = converted
    out[sorted(failed)] = np.nan
    return Answer(
        values=out,
        failures=tuple(failures),
        inputs_modified=tuple(modified),
        seconds=seconds,
        absent=conventions.absent_links if quantity in {"link_poses", "link_jacobians"} else (),
        reduced=conventions.layout.reduced,
    )


def _row_failures(raw: Raw, quantity: str, start: int) -> list[Failure]:
    """Return the failures of single rows: those that the adapter names, and values that are not finite."""
    failures = [
        Failure(kind="error", message=one.message, states=tuple(start + row for row in one.rows))
        for one in raw.failures
        if one.rows
    ]
    named = {row for one in raw.failures for row in one.rows}
    finite = np.isfinite(raw.values).all(axis=tuple(range(1, raw.values.ndim)))
    bad = [row for row in np.flatnonzero(~finite).tolist() if row not in named]
    if bad:
        place = np.argwhere(~np.isfinite(raw.values[bad[0]]))[0].tolist()
        value = raw.values[bad[0]][tuple(place)]
        message = f"{quantity} returned {value} in {len(bad)} of {len(raw.values)} states (first at index {place})"
        failures.append(Failure(kind="error", message=message, states=tuple(start + row for row in bad)))
    return failures
