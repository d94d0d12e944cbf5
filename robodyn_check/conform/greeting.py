"""Claims about the greeting and about how messages travel: ids, order, length, fields that a peer does not know."""

from __future__ import annotations

from robodyn_check.conform.bench import GREETING, Bench, read_info, result_of
from robodyn_check.conform.claim import Claim, Violation
from robodyn_check.quantities import QUANTITIES
from robodyn_check.sdk import protocol
from robodyn_check.sdk.arrays import ENCODINGS
from robodyn_check.sdk.protocol import ProtocolError

FORMATS = ("urdf", "mjcf")
#: Bytes of a long request: several times what a pipe holds.
LONG = 400_000
#: Ids that tell a peer which counts by itself, or squeezes ids into few bits, from one that hands them back.
IDS = (7, 123_456_789, 8)


def greets(bench: Bench) -> None:
    """The answer to ``initialize`` says who answers, in the form that is documented."""
    info = bench.info
    if info.protocol != protocol.PROTOCOL_VERSION:
        raise Violation(f"speaks protocol {info.protocol}, asked for {protocol.PROTOCOL_VERSION}")
    for field, value in (("name", info.name), ("version", info.version)):
        if not value.strip():
            raise Violation(f"initialize.{field} is empty; it stands in every report")
    strange = sorted(set(info.quantities) - set(QUANTITIES))
    if strange:
        raise Violation(f"initialize.quantities has {strange[0]!r}; there are {', '.join(QUANTITIES)}")
    if len(set(info.quantities)) != len(info.quantities) or not info.quantities:
        raise Violation(f"initialize.quantities is {list(info.quantities)}; expected each quantity on offer once")
    if not info.formats or set(info.formats) - set(FORMATS):
        raise Violation(f"initialize.formats is {list(info.formats)}; expected one or both of {', '.join(FORMATS)}")
    if info.arrays not in ENCODINGS or info.chunk < 1 or not info.cost > 0:
        raise Violation(f"chunk {info.chunk} and cost {info.cost:g}: both must be positive")


def ignores_unknown_fields(bench: Bench) -> None:
    """A field that the peer does not know changes nothing: later versions add some."""
    with bench.fresh() as other:
        plain = other.info
    peer = bench.bare()
    try:
        params = {**GREETING, "of_a_later_version": {"nested": [1, None, True, 'é \\ " \n']}}
        message = {**protocol.request(1, "initialize", params), "of_a_later_version": -1.5e-300}
        peer.send(protocol.encode(message))
        info = read_info(result_of(peer.receive("initialize", first=True), 1, "initialize with unknown fields"))
    except ProtocolError as error:
        raise Violation(f"initialize with fields of a later version was refused: {error}") from error
    finally:
        peer.close()
    if info != plain:
        raise Violation(f"initialize with fields of a later version was answered by {info}, without them by {plain}")


def hands_back_ids(bench: Bench) -> None:
    """An answer carries the id of its request."""
    peer = bench.peer
    for number in IDS:
        peer.send(protocol.encode(protocol.request(number, "dance", {})))
        message = peer.receive("an unknown method")
        if type(message.get("id")) is not int or message["id"] != number:
            raise Violation(f"the request had the id {number}, its answer {message.get('id')!r}")


def answers_in_order(bench: Bench) -> None:
    """Requests that arrive together are each answered once, in their order."""
    peer, numbers = bench.peer, [501, 502, 503]
    peer.send(b"".join(protocol.encode(protocol.request(number, "dance", {})) for number in numbers))
    got = [peer.receive(f"request {number} of three sent together").get("id") for number in numbers]
    if got != numbers:
        raise Violation(f"three requests sent together, with ids {numbers}, were answered as {got}")
    bench.drop()  # one answer too many would be taken for the next claim's


def reads_long_lines(bench: Bench) -> None:
    """A request longer than a pipe holds is read whole."""
    peer = bench.peer
    peer.send(protocol.encode(protocol.request(42, "dance", {"of_a_later_version": [0.5] * (LONG // 4)})))
    message = peer.receive(f"a request of {LONG // 1000} kB")
    if message.get("id") != 42:
        raise Violation(f"a request of {LONG // 1000} kB with the id 42 was answered with the id {message.get('id')!r}")


CLAIMS = (
    Claim(slug="greets", title="initialize says who answers, in the documented form", examine=greets),
    Claim(
        slug="ignores-unknown-fields",
        title="fields of a later version change nothing",
        examine=ignores_unknown_fields,
    ),
    Claim(slug="hands-back-ids", title="an answer carries the id of its request", examine=hands_back_ids),
    Claim(
        slug="answers-in-order",
        title="requests that arrive together are answered once each, in order",
        examine=answers_in_order,
    ),
    Claim(slug="reads-long-lines", title="a request longer than a pipe is read whole", examine=reads_long_lines),
)
