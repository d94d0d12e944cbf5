"""Claims about values: shapes, sizes, spelling, digits, NaN, repeatability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.conform.claim import Claim, NotApplicable, Violation
from robodyn_check.sdk.conventions import raw_shape
from robodyn_check.sdk.protocol import ProtocolError, RowFailure
from robodyn_check.sdk.records import MalformedRecord, from_json
from robodyn_check.sdk.velocity_map import LayoutMismatch

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.conform.bench import Bench

    FloatArray = npt.NDArray[np.float64]

#: States in a call whose values are compared with those of calls of one state.
FEW = 5
#: Doubles of one answer at most, so that a declared chunk of a large value does not fill the memory.
MOST_DOUBLES = 200_000
#: A relative change of the inputs far above the rounding of doubles, and below what ten digits show.
NUDGE = 1e-11
#: Digits that a value which was printed short would be equal to its own rounding at.
SHORT = 12


def answers_in_shape(bench: Bench) -> None:
    """Every quantity on offer has the documented shape, at one state and at several, and rows that fail are named."""
    held = bench.held
    for quantity in bench.offered():
        try:
            shape = raw_shape(quantity, held.layout)
        except LayoutMismatch as error:
            raise Violation(str(error)) from error
        for count in (1, 3):
            rows = slice(0, count)
            try:
                answer, values = bench.evaluate(held, quantity, rows), bench.values(held, quantity, rows)
            except ProtocolError as error:
                raise Violation(f"{quantity} is on offer but was answered with error {error.code}: {error}") from error
            if values.shape != (count, *shape):
                raise Violation(f"{quantity} at {count} states has shape {values.shape}, expected {(count, *shape)}")
            failed = _failed(answer, quantity, count)
            bad = [row for row in range(count) if row not in failed and not np.isfinite(values[row]).all()]
            if bad:
                raise Violation(f"{quantity} is not finite at state {bad[0]}, which is not among its failures")


def spells_arrays_as_agreed(bench: Bench) -> None:
    """Values come in the form that the answer to ``initialize`` declares."""
    held, declared = bench.held, bench.info.arrays
    for quantity in bench.offered():
        values = bench.evaluate(held, quantity, slice(0, 2))["values"]
        found = "packed" if isinstance(values, dict) else "nested"
        if found != declared:
            raise Violation(f"initialize declares {declared} arrays, {quantity} comes {found}")


def takes_a_whole_chunk(bench: Bench) -> None:
    """As many states as declared fit into one call."""
    held, quantity = bench.held, bench.offered()[0]
    shape = raw_shape(quantity, held.layout)
    count = max(1, min(bench.info.chunk, MOST_DOUBLES // max(1, int(np.prod(shape))), MOST_DOUBLES // held.layout.nq))
    tiled = {name: np.resize(array, (count, array.shape[1])) for name, array in held.inputs.items()}
    values = bench.values(held, quantity, slice(None), tiled)
    if values.shape != (count, *shape):
        raise Violation(f"{quantity} at {count} states (chunk {bench.info.chunk}) has shape {values.shape}")
    repeats = len(held.inputs["q"])
    if count > repeats and not np.array_equal(
        values[repeats:], np.resize(values, values[repeats:].shape), equal_nan=True
    ):
        raise Violation(f"{quantity}: equal states in a chunk of {count} got different values")


def keeps_states_apart(bench: Bench) -> None:
    """A state's value does not depend on the states beside it."""
    held = bench.held
    for quantity in bench.offered():
        together = bench.values(held, quantity, slice(0, FEW))
        for row in range(FEW):
            alone = bench.values(held, quantity, slice(row, row + 1))[0]
            if not np.array_equal(together[row], alone, equal_nan=True):
                raise Violation(f"{quantity} at state {row} of {FEW} differs from the same state alone")


def repeats_itself(bench: Bench) -> None:
    """The same question has the same answer to the last bit, whatever was asked in between."""
    held = bench.held
    first = {name: bench.values(held, name, slice(0, FEW)) for name in bench.offered()}
    for quantity in reversed(bench.offered()):
        bench.values(held, quantity, slice(FEW, 2 * FEW))
        again = bench.values(held, quantity, slice(0, FEW))
        if not np.array_equal(first[quantity], again, equal_nan=True):
            raise Violation(f"{quantity} asked a second time has other values: {_difference(first[quantity], again)}")


def repeats_itself_after_a_restart(bench: Bench) -> None:
    """A new process gives the same answers to the last bit."""
    held = bench.held
    with bench.fresh() as other:
        for quantity in bench.offered():
            here = bench.values(held, quantity, slice(0, FEW))
            there = other.values(other.held, quantity, slice(0, FEW))
            if not np.array_equal(here, there, equal_nan=True):
                raise Violation(f"{quantity} has other values in a new process: {_difference(here, there)}")


def keeps_nan_where_it_is(bench: Bench) -> None:
    """A state full of NaN spoils neither the others nor the process, and no number is made up for it."""
    held = bench.held
    spoilt = {name: array[:3].copy() for name, array in held.inputs.items()}
    for array in spoilt.values():
        array[1] = np.nan
    for quantity in bench.offered():
        right = bench.values(held, quantity, slice(0, 3))
        try:
            answer = bench.evaluate(held, quantity, slice(0, 3), spoilt)
            values = bench.values(held, quantity, slice(0, 3), spoilt)
        except ProtocolError as error:
            raise Violation(
                f"{quantity}: NaN in one of three states was answered with error {error.code}: {error}"
            ) from error
        for row in (0, 2):
            if not np.array_equal(values[row], right[row], equal_nan=True):
                raise Violation(f"{quantity}: NaN in state 1 changes the value at state {row}")
        constant = np.array_equal(right[0], right[2])
        if not constant and np.isfinite(values[1]).all() and 1 not in _failed(answer, quantity, 3):
            raise Violation(
                f"{quantity} at a state of NaN is {np.ravel(values[1])[:3].tolist()}, expected NaN or a failure"
            )


def keeps_all_digits(bench: Bench) -> None:
    """Doubles survive in both directions: nothing is read or written with fewer digits than they have."""
    if bench.info.precision != "double":
        raise NotApplicable("it declares single precision")
    held = bench.held
    nudged = {name: array * (1.0 + NUDGE) for name, array in held.inputs.items()}
    values = {name: bench.values(held, name, slice(0, FEW)) for name in bench.offered()}
    spread = [value for array in values.values() for value in array[np.isfinite(array)].tolist() if value]
    if spread and all(value == float(f"{value:.{SHORT}g}") for value in spread):
        raise Violation(
            f"none of {len(spread)} values has more than {SHORT} digits, for example {max(spread, key=abs)!r}"
        )
    if spread and all(
        np.array_equal(array, bench.values(held, name, slice(0, FEW), nudged), equal_nan=True)
        for name, array in values.items()
    ):
        raise Violation(f"inputs that differ by {NUDGE:g} of their size give equal values in every quantity")


def _failed(answer: Any, quantity: str, count: int) -> set[int]:
    """Return the rows that an answer says have no value."""
    failures = answer.get("failures", [])
    try:
        rows = {
            row for number, one in enumerate(failures) for row in from_json(RowFailure, one, f"failures[{number}]").rows
        }
    except (MalformedRecord, TypeError) as error:
        raise Violation(f"{quantity}: {error}") from error
    if rows - set(range(count)):
        raise Violation(f"{quantity}: failures name row {max(rows)} of {count} states, counted from 0")
    return rows


def _difference(one: FloatArray, other: FloatArray) -> str:
    """Return the largest difference of two values in words."""
    if one.shape != other.shape:
        return f"shape {one.shape} and {other.shape}"
    return f"they differ by up to {np.nanmax(np.abs(one - other)):.3g}"


CLAIMS = (
    Claim(slug="answers-in-shape", title="every quantity has its shape, finite or a failure", examine=answers_in_shape),
    Claim(slug="spells-arrays-as-agreed", title="arrays come as declared", examine=spells_arrays_as_agreed),
    Claim(slug="takes-a-whole-chunk", title="as many states as declared fit in a call", examine=takes_a_whole_chunk),
    Claim(slug="keeps-states-apart", title="a value does not depend on its neighbours", examine=keeps_states_apart),
    Claim(slug="keeps-all-digits", title="doubles survive in both directions", examine=keeps_all_digits),
    Claim(slug="keeps-nan-where-it-is", title="NaN in a state stays in that state", examine=keeps_nan_where_it_is),
    Claim(slug="repeats-itself", title="the same question has the same answer, bit for bit", examine=repeats_itself),
    Claim(
        slug="repeats-after-restart",
        title="a new process gives the same answers, bit for bit",
        examine=repeats_itself_after_a_restart,
    ),
)
