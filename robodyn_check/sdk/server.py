"""One adapter behind the protocol: `Server.handle` takes a message and returns its answer. No descriptor here.

Each ``load`` makes a fresh adapter object and gets the next model number, so that a second gravity is a second model in
the same process. ``evaluate`` asks one quantity at a chunk of states, one state at a time, and never lets one state's
exception spoil the others.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

from robodyn_check.quantities import QUANTITIES, not_offered
from robodyn_check.sdk import protocol
from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.arrays import ALL_ENCODINGS, ENCODINGS, decode_array, encode_array
from robodyn_check.sdk.canonical import Canonical
from robodyn_check.sdk.conventions import raw_shape
from robodyn_check.sdk.each_state import each_state, words
from robodyn_check.sdk.moving import move
from robodyn_check.sdk.protocol import AdapterInfo, ProtocolError
from robodyn_check.sdk.records import MalformedRecord, from_json, to_json
from robodyn_check.sdk.velocity_map import LayoutMismatch

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from robodyn_check.sdk.arrays import Encoding
    from robodyn_check.sdk.each_state import Told
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
            "integrate": self._integrate,
            "shutdown": lambda _params: None,
        }

    def handle(self, line: bytes, attached: bytearray | None = None) -> tuple[dict[str, Any], bool]:
        """Return the answer to one line and what was attached to it, and whether to go on serving."""
        try:
            message = protocol.decode(line, attached)
        except MalformedRecord as error:
            return protocol.failure(None, ProtocolError(protocol.PARSE_ERROR, str(error))), True
        number, method, params = message.get("id"), message.get("method"), message.get("params", {})
        try:
            answer = self._dispatch(number, method, params)
            return protocol.result(number, answer), method != "shutdown"
        except ProtocolError as error:
            return protocol.failure(number, error), True
        except Unsupported as error:  # of one quantity, such as forward dynamics under another gravity
            return protocol.failure(number, _limit(error)), True
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
        self._encoding = next((encoding for encoding in ALL_ENCODINGS if encoding in wanted), "nested")
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
            integrates=True,
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
        inputs = [
            _rows(params, "evaluate", name, layout.nq if name == "q" else layout.nv)
            for name in QUANTITIES[quantity].inputs
        ]
        if len({len(array) for array in inputs}) != 1:
            text = f"{quantity}: the inputs have {[len(array) for array in inputs]} states, expected equal numbers"
            raise ProtocolError(protocol.INVALID_PARAMS, text)
        try:
            shape = raw_shape(quantity, layout)
        except LayoutMismatch as error:
            raise ProtocolError(protocol.ERROR_CODES["error"], str(error)) from error
        told = each_state(getattr(adapter, quantity), quantity, inputs, shape)
        return self._told(told) | {"inputs_modified": list(told.modified)}

    def _integrate(self, params: dict[str, Any]) -> Any:
        """Follow motions by the library's own forward dynamics; everything is in canonical coordinates."""
        adapter, layout = self._model(params)
        if "forward_dynamics" not in offered(self._adapter):
            text = not_offered(adapter.name, "forward_dynamics")
            raise ProtocolError(protocol.ERROR_CODES["not_offered"], text)
        canonical = from_json(Canonical, params.get("canonical"), "integrate.canonical")
        q, v, stiffness, damping = (
            _rows(params, "integrate", name, canonical.nq if name == "q" else canonical.nv)
            for name in ("q", "v", "stiffness", "damping")
        )
        if {len(v), len(stiffness), len(damping)} != {len(q)}:
            text = "integrate: q, v, stiffness and damping must have equal numbers of rows"
            raise ProtocolError(protocol.INVALID_PARAMS, text)
        try:
            told = move(adapter, layout, canonical, start=(q, v), stiffness=stiffness, damping=damping)
        except LayoutMismatch as error:
            raise ProtocolError(protocol.ERROR_CODES["error"], str(error)) from error
        return self._told(told)

    def _told(self, told: Told) -> dict[str, Any]:
        """Return values as they travel."""
        return {
            "values": encode_array(told.values, self._encoding),
            "failures": [to_json(failure) for failure in told.failures],
            "seconds": told.seconds,
        }


def _rows(params: dict[str, Any], method: str, name: str, size: int) -> FloatArray:
    """Return one input, (states, size)."""
    if name not in params:
        text = f"{method}.{name} is missing"
        raise ProtocolError(protocol.INVALID_PARAMS, text)
    array = decode_array(params[name], f"{method}.{name}")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, size)
    if array.ndim != 2 or array.shape[1] != size:
        text = f"{method}.{name} has shape {array.shape}, expected (states, {size})"
        raise ProtocolError(protocol.INVALID_PARAMS, text)
    return array


def _limit(error: Unsupported) -> ProtocolError:
    """Return a documented limit as it travels."""
    return ProtocolError(protocol.ERROR_CODES["unsupported"], str(error), {"feature": error.feature})


def _calling(method: Callable[[], Any]) -> Any:
    """Call into the adapter and name what went wrong."""
    try:
        return method()
    except Unsupported as error:
        raise _limit(error) from error
    except ImportError as error:
        text = f"cannot import {error.name or 'its library'}: {error}"
        raise ProtocolError(protocol.ERROR_CODES["missing"], text) from error
    except MemoryError as error:
        text = "out of memory while it worked on the model; --memory MIB gives it more"
        raise ProtocolError(protocol.ERROR_CODES["error"], text) from error
    except (Exception, SystemExit) as error:  # Drake's own assertions arrive as SystemExit
        traceback.print_exc()  # the full story goes to stderr, which the report keeps
        raise ProtocolError(protocol.ERROR_CODES["refused"], words(error)) from error
