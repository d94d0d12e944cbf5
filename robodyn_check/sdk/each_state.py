"""Asking an adapter's method one state at a time: what one state raises or overwrites harms no other."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.sdk.adapter import Unsupported
from robodyn_check.sdk.protocol import RowFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """What one method said: values (NaN: none), failures by message, rows written into, seconds in it."""

    values: FloatArray
    failures: tuple[RowFailure, ...]
    modified: tuple[int, ...]
    seconds: float


def each_state(method: Callable[..., Any], quantity: str, inputs: Sequence[FloatArray], shape: tuple[int, ...]) -> Told:
    """Call a method at every state; inputs are (states, size), values become (states, *shape).

    Raises:
        Unsupported: The method itself says that it reaches a documented limit.
    """
    count = len(inputs[0])
    values = np.full((count, *shape), np.nan)
    failed: dict[str, list[int]] = {}
    modified: list[int] = []
    seconds = 0.0
    for row in range(count):
        # Fresh arrays for each state: a library that keeps a reference, or writes into one, harms nobody else.
        handed = [array[row].copy() for array in inputs]
        before = [array.tobytes() for array in handed]
        started = time.perf_counter()
        try:
            value = method(*handed)
            seconds += time.perf_counter() - started
            values[row] = _shaped(value, quantity, shape)
        except Unsupported:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a library raises is its failure here
            failed.setdefault(words(error), []).append(row)
        if [array.tobytes() for array in handed] != before:
            modified.append(row)
    failures = tuple(RowFailure(rows=tuple(rows), message=message) for message, rows in failed.items())
    return Told(values=values, failures=failures, modified=tuple(modified), seconds=seconds)


def _shaped(value: Any, quantity: str, shape: tuple[int, ...]) -> FloatArray:
    """Return a value as doubles of the right shape; a column (n, 1) counts as a vector (n,)."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        message = f"{quantity} returned {type(value).__name__} of {array.dtype}, expected real numbers"
        raise TypeError(message)
    if array.size == 0 and 0 in shape:
        return np.empty(shape)  # an empty list of links has no second axis
    if array.shape != shape:
        if array.size == int(np.prod(shape)) and tuple(size for size in array.shape if size != 1) == tuple(
            size for size in shape if size != 1
        ):
            return array.astype(np.float64).reshape(shape)
        message = f"{quantity} returned shape {array.shape}, expected {shape}"
        raise ValueError(message)
    return array.astype(np.float64)


def words(error: BaseException) -> str:
    """Return an exception as one line of at most 500 characters."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:500] if text else type(error).__name__
