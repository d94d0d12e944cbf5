"""Claims about requests that are wrong: each gets an error answer, and the adapter goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from robodyn_check.conform.bench import result_of
from robodyn_check.conform.claim import Claim, NotApplicable, Violation
from robodyn_check.quantities import QUANTITIES
from robodyn_check.sdk.arrays import encode_array
from robodyn_check.sdk.protocol import (
    ERROR_CODES,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    ProtocolError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from robodyn_check.conform.bench import Bench

#: Codes that JSON-RPC reserves for itself.
RESERVED = range(-32768, -31999)
NOT_JSON = (b"{", b'{"jsonrpc": "2.0", "id": 1,', b"\xff\xfe", b"hello")
NO_REQUEST = (b"[]", b"17", b'{"jsonrpc":"2.0","id":7}', b'{"jsonrpc":"2.0","id":7,"method":5}')


def survives_what_is_no_json(bench: Bench) -> None:
    """A line that is no JSON gets an error with the id null."""
    for line in NOT_JSON:
        code = _raw(bench, line)
        if code not in {PARSE_ERROR, INVALID_REQUEST}:
            raise Violation(f"{_shown(line)} was answered with error {code}, expected {PARSE_ERROR}")
    _still_there(bench)


def survives_what_is_no_request(bench: Bench) -> None:
    """JSON that is no request gets one of JSON-RPC's own errors."""
    for line in NO_REQUEST:
        code = _raw(bench, line)
        if code not in RESERVED:
            raise Violation(f"{_shown(line)} was answered with error {code}, expected {INVALID_REQUEST}")
    _still_there(bench)


def refuses_unknown_methods(bench: Bench) -> None:
    """A method that does not exist gets -32601."""
    _refused(lambda: bench.call("dance", {}), "the unknown method 'dance'", METHOD_NOT_FOUND)


def refuses_questions_before_a_load(bench: Bench) -> None:
    """Without a model there is nothing to ask."""
    with bench.fresh() as other:
        quantity = other.info.quantities[0]
        params: dict[str, Any] = {name: [[0.0]] for name in QUANTITIES[quantity].inputs}
        _refused(lambda: other.call("evaluate", {"model": 0, "quantity": quantity, **params}), "evaluate before load")
        _still_there(other)


def refuses_wrong_parameters(bench: Bench) -> None:
    """A model that was never loaded, inputs that are missing, too narrow or of unequal length get an error."""
    held = bench.held
    quantity = max(bench.offered(), key=lambda name: len(QUANTITIES[name].inputs))
    names: tuple[str, ...] = QUANTITIES[quantity].inputs
    rows = {name: held.inputs[name][:2] for name in names}
    right = {name: encode_array(array, bench.info.arrays) for name, array in rows.items()}
    for name in names:
        params = {other: value for other, value in right.items() if other != name}
        _refused_evaluation(bench, quantity, held.model, params, f"without {name}")
        narrow = encode_array(rows[name][:, 1:], bench.info.arrays)
        _refused_evaluation(bench, quantity, held.model, {**right, name: narrow}, f"with one number of {name} too few")
    if len(names) > 1:
        short = encode_array(rows[names[-1]][:1], bench.info.arrays)
        params = {**right, names[-1]: short}
        _refused_evaluation(bench, quantity, held.model, params, f"with two rows of q and one of {names[-1]}")
    _refused_evaluation(bench, quantity, held.model + 1000, right, f"of model {held.model + 1000}, never loaded,")
    _still_there(bench)


def refuses_unknown_quantities(bench: Bench) -> None:
    """A quantity that nobody knows gets an error."""
    held = bench.held
    params = {name: encode_array(array[:1], bench.info.arrays) for name, array in held.inputs.items()}
    _refused_evaluation(bench, "charm", held.model, params, "of the unknown quantity")


def says_what_it_does_not_offer(bench: Bench) -> None:
    """A quantity that the adapter does not offer gets error 4, which is a skip."""
    missing = [name for name in QUANTITIES if name not in bench.offered()]
    if not missing:
        raise NotApplicable("it offers every quantity")
    held = bench.held
    code = ERROR_CODES["not_offered"]
    for quantity in missing:
        _refused(lambda name=quantity: bench.evaluate(held, name, slice(0, 1)), f"{quantity}, not offered,", code)  # type: ignore[misc]


def _raw(bench: Bench, line: bytes) -> int:
    """Send a line as it is and return the code of the error that answers it."""
    bench.peer.send(line + b"\n")
    message = bench.peer.receive(_shown(line))
    try:
        given: Any = json.loads(line)
    except ValueError:
        given = None
    wanted = given.get("id") if isinstance(given, dict) else None
    number = message.get("id")
    if number is not None and number != wanted:
        raise Violation(f"{_shown(line)} was answered with the id {number!r}, expected {wanted!r}")
    try:
        answer = result_of(message, number, _shown(line))
    except ProtocolError as error:
        return error.code
    raise Violation(f"{_shown(line)} was answered with the result {str(answer)[:60]!r}, expected an error")


def _still_there(bench: Bench) -> None:
    """Ask something harmless: the peer must not have lost its place."""
    _refused(lambda: bench.call("dance", {}), "an unknown method after wrong requests", METHOD_NOT_FOUND)


def _refused_evaluation(bench: Bench, quantity: str, model: int, params: Mapping[str, Any], how: str) -> None:
    request = {"model": model, "quantity": quantity, **params}
    _refused(lambda: bench.call("evaluate", request), f"evaluate {quantity} {how}")


def _refused(ask: Callable[[], Any], what: str, code: int | None = None) -> None:
    """Demand an error, with this code where one is given."""
    try:
        answer = ask()
    except ProtocolError as error:
        if code is not None and error.code != code:
            raise Violation(f"{what} was answered with error {error.code} ({error}), expected {code}") from error
        return
    raise Violation(f"{what} was answered with {str(answer)[:80]!r}, expected an error")


def _shown(line: bytes) -> str:
    return f"the line {line.decode(errors='replace')!r}"


CLAIMS = (
    Claim(slug="survives-no-json", title="a line that is no JSON gets error -32700", examine=survives_what_is_no_json),
    Claim(
        slug="survives-no-request",
        title="JSON that is no request gets error -32600",
        examine=survives_what_is_no_request,
    ),
    Claim(
        slug="refuses-unknown-methods",
        title="an unknown method gets error -32601",
        examine=refuses_unknown_methods,
    ),
    Claim(
        slug="refuses-before-load",
        title="a question before load gets an error",
        examine=refuses_questions_before_a_load,
    ),
    Claim(
        slug="refuses-wrong-parameters",
        title="missing, narrow or unequal inputs and models never loaded get an error",
        examine=refuses_wrong_parameters,
    ),
    Claim(
        slug="refuses-unknown-quantities",
        title="an unknown quantity gets an error",
        examine=refuses_unknown_quantities,
    ),
    Claim(
        slug="says-not-offered",
        title="a quantity that is not on offer gets error 4",
        examine=says_what_it_does_not_offer,
    ),
)
