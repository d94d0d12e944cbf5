"""One adapter behind the protocol: `Server.handle` takes a message and returns its answer. No descriptor here.

Each ``load`` makes a fresh adapter object and gets the next model number, so that a second gravity is a second model in
the same process. ``evaluate`` asks one quantity at a chunk of states, one state at a time, and never lets one state's
exception spoil the others.
"""

from __future__ import annotations

import time
import traceback
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.quantities import QUANTITIES, not_offered
from robodyn_check.sdk import protocol
from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.arrays import ENCODINGS, decode_array, encode_array
from robodyn_check.sdk.conventions import raw_shape
from robodyn_check.sdk.protocol import AdapterInfo, ProtocolError, RowFailure
from robodyn_check.sdk.records import MalformedRecord, from_json, to_json
from robodyn_check.sdk.velocity_map import LayoutMismatch

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from robodyn_check.sdk.arrays import Encoding
    from robodyn_check.sdk.layout import Layout

    FloatArray = npt.NDArray[np.float64]


def offered(adapter: type[Adapter]) -> tuple[str, ...]:
    """Return the quantities whose method the adapter defines."""
    return tuple(name for name in QUANTITIES if callable(getattr(adapter, name, None)))


class Server:
    """Answers messages for one adapter class."""

    def __init__(self, adapter: type[Adapter]) -> None:
        """Start without a model."""
        self._adapter = adapter
        self._models: list[tuple[Adapter, Layout]] = []
        self._encoding: Encoding = "packed"
        self._methods: dict[str, Callable[[dict[str, Any]], Any]] = {
            "initialize": self._initialize,
            "load": self._load,
            "readback": self._readback,
            "evaluate": self._evaluate,
            "shutdown": lambda _params: None,
        }

    def handle(self, line: bytes) -> tuple[dict[str, Any], bool]:
        """Return the answer to one line, and whether to go on serving."""
        try:
            message = protocol.decode(line)
        except MalformedRecord as error:
            return protocol.failure(None, ProtocolError(protocol.PARSE_ERROR, str(error))), True
        number, method, params = message.get("id"), message.get("method"), message.get("params", {})
        try:
            answer = self._dispatch(number, method, params)
            return protocol.result(number, answer), method != "shutdown"
        except ProtocolError as error:
            return protocol.failure(number, error), True
        except MalformedRecord as error:
            return protocol.failure(number, ProtocolError(protocol.INVALID_PARAMS, str(error))), True

    def _dispatch(self, number: Any, method: Any, params: Any) -> Any:
        """Call the method that a message names."""
        if not isinstance(method, str) or not isinstance(params, dict) or number is None:
            text = "a request needs an id, a method (a string) and params (an object)"
            raise ProtocolError(protocol.INVALID_REQUEST, text)
        if method not in self._methods:
            text = f"unknown method {method!r}; there are {', '.join(self._methods)}"
            raise ProtocolError(protocol.METHOD_NOT_FOUND, text)
        return self._methods[method](params)

    def _initialize(self, params: dict[str, Any]) -> Any:
        """Import the library, as far as `version` does, and say who answers."""
        if params.get("protocol") != protocol.PROTOCOL_VERSION:
            text = f"this adapter speaks protocol {protocol.PROTOCOL_VERSION}, asked for {params.get('protocol')!r}"
            raise ProtocolError(protocol.INVALID_PARAMS, text)
        wanted = params.get("arrays", list(ENCODINGS))
        self._encoding = next((encoding for encoding in ENCODINGS if encoding in wanted), "nested")
        adapter = self._adapter
        version = _calling(adapter().version)
        info = AdapterInfo(
            protocol=protocol.PROTOCOL_VERSION,
            name=adapter.name,
            version=str(version),
            quantities=offered(adapter),
            library=adapter.library,
            homepage=adapter.homepage,
            arrays=self._encoding,
            formats=tuple(adapter.formats),
            precision=adapter.precision,
            coriolis=adapter.coriolis,
            cost=float(adapter.cost),
            chunk=int(adapter.chunk),
            profiles=dict(adapter.profiles),
            limits=dict(adapter.limits),
            needs_mechanism=adapter.needs_mechanism,
            symmetric_by_construction=adapter.symmetric_by_construction,
            reads_extensions=tuple(adapter.reads_extensions),
        )
        return to_json(info)

    def _load(self, params: dict[str, Any]) -> Any:
        """Load a robot as the next model."""
        source = from_json(Source, params, "load")
        adapter = self._adapter()
        layout = _calling(lambda: adapter.load(source))
        self._models.append((adapter, layout))
        return {"model": len(self._models) - 1, "layout": to_json(layout)}

    def _readback(self, params: dict[str, Any]) -> Any:
        """Return the model as the library holds it."""
        adapter, _ = self._model(params)
        return to_json(_calling(adapter.readback))

    def _model(self, params: dict[str, Any]) -> tuple[Adapter, Layout]:
        """Return the model that a request names."""
        number = params.get("model", 0)
        if type(number) is not int or not 0 <= number < len(self._models):
            text = f"model {number!r} was not loaded; {len(self._models)} are"
            raise ProtocolError(protocol.INVALID_PARAMS, text)
        return self._models[number]

    def _evaluate(self, params: dict[str, Any]) -> Any:
        """Ask one quantity at a chunk of states."""
        adapter, layout = self._model(params)
        quantity = str(params.get("quantity"))
        if quantity not in QUANTITIES:
            text = f"unknown quantity {quantity!r}; there are {', '.join(QUANTITIES)}"
            raise ProtocolError(protocol.INVALID_PARAMS, text)
        if quantity not in offered(self._adapter):
            text = not_offered(adapter.name, quantity)
            raise ProtocolError(protocol.ERROR_CODES["not_offered"], text)
        inputs = [_input(params, name, layout) for name in QUANTITIES[quantity].inputs]
        if len({len(array) for array in inputs}) != 1:
            text = f"{quantity}: the inputs have {[len(array) for array in inputs]} states, expected equal numbers"
            raise ProtocolError(protocol.INVALID_PARAMS, text)
        try:
            shape = raw_shape(quantity, layout)
        except LayoutMismatch as error:
            raise ProtocolError(protocol.ERROR_CODES["error"], str(error)) from error
        values, failures, modified, seconds = _each_state(getattr(adapter, quantity), quantity, inputs, shape)
        return {
            "values": encode_array(values, self._encoding),
            "failures": [to_json(failure) for failure in failures],
            "inputs_modified": modified,
            "seconds": seconds,
        }


def _input(params: dict[str, Any], name: str, layout: Layout) -> FloatArray:
    """Return one input, (states, size)."""
    if name not in params:
        text = f"evaluate.{name} is missing"
        raise ProtocolError(protocol.INVALID_PARAMS, text)
    array = decode_array(params[name], f"evaluate.{name}")
    size = layout.nq if name == "q" else layout.nv
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, size)
    if array.ndim != 2 or array.shape[1] != size:
        text = f"evaluate.{name} has shape {array.shape}, expected (states, {size})"
        raise ProtocolError(protocol.INVALID_PARAMS, text)
    return array


def _each_state(
    method: Callable[..., Any], quantity: str, inputs: list[FloatArray], shape: tuple[int, ...]
) -> tuple[FloatArray, list[RowFailure], list[int], float]:
    """Return values (NaN where there are none), failures by message, rows written into, seconds in the library."""
    count = len(inputs[0])
    values = np.full((count, *shape), np.nan)
    failed: dict[str, list[int]] = {}
    modified: list[int] = []
    seconds = 0.0
    for row in range(count):
        # Fresh arrays for each state: a library that keeps a reference, or writes into one, harms nobody else.
        handed = [array[row].copy() for array in inputs]
        started = time.perf_counter()
        try:
            value = method(*handed)
            seconds += time.perf_counter() - started
            values[row] = _shaped(value, quantity, shape)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a library raises is its failure here
            failed.setdefault(_words(error), []).append(row)
        if any(not np.array_equal(now, array[row], equal_nan=True) for now, array in zip(handed, inputs, strict=True)):
            modified.append(row)
    failures = [RowFailure(rows=tuple(rows), message=message) for message, rows in failed.items()]
    return values, failures, modified, seconds


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


def _calling(method: Callable[[], Any]) -> Any:
    """Call into the adapter and name what went wrong."""
    try:
        return method()
    except Unsupported as error:
        code = protocol.ERROR_CODES["unsupported"]
        raise ProtocolError(code, str(error), {"feature": error.feature}) from error
    except ImportError as error:
        text = f"cannot import {error.name or 'its library'}: {error}"
        raise ProtocolError(protocol.ERROR_CODES["missing"], text) from error
    except (Exception, SystemExit) as error:  # Drake's own assertions arrive as SystemExit
        traceback.print_exc()  # the full story goes to stderr, which the report keeps
        raise ProtocolError(protocol.ERROR_CODES["refused"], _words(error)) from error


def _words(error: BaseException) -> str:
    """Return an exception as one line of at most 500 characters."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:500] if text else type(error).__name__
