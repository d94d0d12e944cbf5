"""Where an adapter is put to the test: a peer that is greeted and has a robot loaded, replaced when it breaks."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from robodyn_check.conform.claim import NotApplicable, Violation
from robodyn_check.errors import AdapterUnsupported
from robodyn_check.quantities import QUANTITIES
from robodyn_check.sdk import protocol
from robodyn_check.sdk.arrays import ENCODINGS, decode_array, encode_array
from robodyn_check.sdk.conventions import Conventions
from robodyn_check.sdk.layout import Layout
from robodyn_check.sdk.protocol import AdapterInfo, ProtocolError
from robodyn_check.sdk.records import MalformedRecord, from_json, to_json
from robodyn_check.sdk.velocity_map import LayoutMismatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from robodyn_check.conform.peer import Peer
    from robodyn_check.sdk.adapter import Source
    from robodyn_check.sdk.canonical import Canonical

    FloatArray = npt.NDArray[np.float64]

GREETING: dict[str, Any] = {"protocol": protocol.PROTOCOL_VERSION, "arrays": list(ENCODINGS)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """A robot to try: its name, how it is loaded (by what the adapter says it reads), its coordinates and states.

    ``states``: q, v, a, tau by name, canonical, (states, size).
    """

    name: str
    source: Callable[[AdapterInfo], Source]
    canonical: Canonical
    states: Mapping[str, FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Held:
    """A robot that the peer of the bench has loaded; ``inputs`` are its states in the library's coordinates."""

    trial: Trial
    source: Source
    model: int
    layout: Layout
    inputs: Mapping[str, FloatArray]


class Bench:
    """Gives claims a peer in working order. Claims ask through it; `drop` makes the next one start anew."""

    def __init__(self, connect: Callable[[], Peer], trials: Sequence[Trial], *, profile: str = "") -> None:
        """Take what starts a peer, and robots in the order in which they are tried."""
        self._connect = connect
        self._trials = trials
        self._profile = profile
        self._peer: Peer | None = None
        self._info: AdapterInfo | None = None
        self._held: Held | None = None
        self._number = 0

    @property
    def info(self) -> AdapterInfo:
        """Who answers."""
        _ = self.peer
        assert self._info is not None, "a peer is greeted when it starts"
        return self._info

    @property
    def peer(self) -> Peer:
        """A greeted peer."""
        if self._peer is None:
            self._peer = self._connect()
            self._info = read_info(self.call("initialize", GREETING, first=True))
        return self._peer

    @property
    def held(self) -> Held:
        """The first robot that the adapter takes.

        Raises:
            NotApplicable: It takes none of them.
        """
        peer = self.peer
        if self._held is None:
            reasons = []
            for trial in self._trials:
                try:
                    source = replace(trial.source(self.info), profile=self._profile)
                    self._held = self.load(trial, source)
                    break
                except (ProtocolError, AdapterUnsupported) as error:
                    reasons.append(f"{trial.name}: {error}")
            else:
                raise NotApplicable(f"it loads none of the robots to try ({'; '.join(reasons) or 'none given'})")
        assert self._peer is peer, "loading does not replace the peer"
        return self._held

    @contextlib.contextmanager
    def fresh(self) -> Iterator[Bench]:
        """Give a bench with a peer of its own, which is closed afterwards."""
        other = Bench(self._connect, self._trials, profile=self._profile)
        try:
            yield other
        finally:
            other.drop()

    def bare(self) -> Peer:
        """Start a peer without a greeting; the caller closes it."""
        return self._connect()

    def drop(self) -> None:
        """End the peer; the next claim gets a new one."""
        if self._peer is not None:
            self._peer.close()
        self._peer, self._info, self._held = None, None, None

    def call(self, method: str, params: Mapping[str, Any], *, first: bool = False) -> Any:
        """Send a well-formed request and return its result.

        Raises:
            ProtocolError: The adapter answered with an error.
            Violation: It did not answer this request, or not in the form of an answer.
        """
        peer = self._peer if first else self.peer
        assert peer is not None, "a first call is made by `peer` itself"
        self._number += 1
        peer.send(protocol.encode(protocol.request(self._number, method, dict(params))))
        return result_of(peer.receive(method, first=first), self._number, method)

    def load(self, trial: Trial, source: Source, *, more: Mapping[str, Any] | None = None) -> Held:
        """Load a robot as a further model.

        Raises:
            ProtocolError: The adapter answered with an error.
            Violation: The answer is malformed, or speaks of another robot.
        """
        answer = self.call("load", {**to_json(source), **(more or {})})
        if not isinstance(answer, dict) or type(answer.get("model")) is not int:
            raise Violation(f"load: expected an object with a model number and a layout, got {str(answer)[:80]!r}")
        try:
            layout = from_json(Layout, answer.get("layout"), "layout")
            inputs = Conventions(layout, trial.canonical).inputs(trial.states)
        except (MalformedRecord, LayoutMismatch) as error:
            raise Violation(f"load of {trial.name}: {error}") from error
        return Held(trial=trial, source=source, model=answer["model"], layout=layout, inputs=inputs)

    def evaluate(self, held: Held, quantity: str, rows: slice, inputs: Mapping[str, FloatArray] | None = None) -> Any:
        """Ask one quantity at some states and return the answer as it travelled.

        Raises:
            ProtocolError: The adapter answered with an error.
            Violation: The answer has no values.
        """
        given = inputs or held.inputs
        arrays: dict[str, Any] = {
            name: encode_array(given[name][rows], self.info.arrays) for name in QUANTITIES[quantity].inputs
        }
        answer = self.call("evaluate", {"model": held.model, "quantity": quantity, **arrays})
        if not isinstance(answer, dict) or "values" not in answer:
            raise Violation(f"evaluate {quantity}: expected an object with values, got {str(answer)[:80]!r}")
        return answer

    def values(
        self, held: Held, quantity: str, rows: slice, inputs: Mapping[str, FloatArray] | None = None
    ) -> FloatArray:
        """Return the values of one quantity at some states, (states, shape).

        Raises:
            ProtocolError: The adapter answered with an error.
            Violation: The values are no array.
        """
        try:
            return decode_array(self.evaluate(held, quantity, rows, inputs)["values"], f"{quantity}: values")
        except MalformedRecord as error:
            raise Violation(str(error)) from error

    def offered(self) -> tuple[str, ...]:
        """Return the quantities on offer."""
        return self.info.quantities


def read_info(answer: Any) -> AdapterInfo:
    """Return the answer to ``initialize``.

    Raises:
        Violation: A field is missing or malformed.
    """
    try:
        return from_json(AdapterInfo, answer, "initialize")
    except MalformedRecord as error:
        raise Violation(str(error)) from error


def result_of(message: Mapping[str, Any], number: Any, doing: str) -> Any:
    """Return the result that a message carries.

    Raises:
        ProtocolError: It carries an error.
        Violation: It answers another request, or is no JSON-RPC answer.
    """
    if type(message.get("id")) is not type(number) or message.get("id") != number:
        raise Violation(f"{doing}: the answer has the id {message.get('id')!r}, the request had {number!r}")
    if ("result" in message) == ("error" in message):
        raise Violation(f'{doing}: an answer has either "result" or "error", this one has {sorted(message)}')
    if "error" in message:
        error = message["error"]
        if (
            not isinstance(error, dict)
            or type(error.get("code")) is not int
            or not isinstance(error.get("message"), str)
        ):
            raise Violation(f"{doing}: an error has a code (an integer) and a message (text), got {str(error)[:80]!r}")
        raise ProtocolError(error["code"], error["message"], error.get("data"))
    return message["result"]
