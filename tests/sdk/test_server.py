"""Messages in, answers out, without a process."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from robodyn_check.sdk import protocol
from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.protocol import ERROR_CODES
from robodyn_check.sdk.readback import Readback
from robodyn_check.sdk.server import Server, offered

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

LOAD = {
    "path": "robot.urdf",
    "format": "urdf",
    "base": "fixed",
    "gravity": [0, 0, -9.81],
    "joints": ["j1", "j2"],
    "links": ["a"],
}


class Small(Adapter):
    """Two joints; some methods misbehave."""

    name = "small"

    def version(self) -> str:
        return "1.2"

    def load(self, source: Source) -> Layout:
        if source.profile == "chain":
            raise Unsupported("branching", "serial chains only")
        if source.profile == "broken":
            message = "link 'a' has\nno mass"
            raise RuntimeError(message)
        if source.profile == "large":
            raise MemoryError
        self.gravity = source.gravity
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(source.joints))
        return Layout(joints=joints, links=source.links, nq=2, nv=2)

    def readback(self) -> Readback:
        return Readback(gravity=self.gravity)

    def gravity_vector(self, q: Array) -> Array:
        return q * self.gravity[2]

    def mass_matrix(self, q: Array) -> Any:
        if q[0] == 1:
            sys.exit("at one")  # some libraries say so what others raise
        return np.ones((2, 3)) if q[0] == 2 else np.eye(2) * q[1]

    def bias_force(self, q: Array, v: Array) -> Any:
        v[0] = 7.0
        return v.reshape(2, 1) * 1j if q[0] == 2 else v.reshape(2, 1)

    def kinetic_energy(self, q: Array, v: Array) -> float:
        if self.gravity[2] == 0:
            raise Unsupported("gravity", "under weight only")
        return float(q @ v)


def ask(server: Server, method: str, **params: Any) -> dict[str, Any]:
    """Send one request and return the whole answer."""
    line = protocol.encode(protocol.request(5, method, params))
    answer, _ = server.handle(line)
    assert answer["id"] == 5
    return json.loads(protocol.encode(answer))  # type: ignore[no-any-return]


@pytest.fixture
def server() -> Server:
    server = Server(Small)
    ask(server, "initialize", protocol=1, arrays=["nested"])
    ask(server, "load", **LOAD)
    return server


def test_initialize_says_who_answers_and_what_is_offered():
    answer = ask(Server(Small), "initialize", protocol=1)["result"]
    assert (answer["name"], answer["version"], answer["arrays"]) == ("small", "1.2", "packed")
    assert answer["quantities"] == ["mass_matrix", "bias_force", "gravity_vector", "kinetic_energy"]
    assert tuple(answer["quantities"]) == offered(Small)


def test_another_protocol_is_refused():
    error = ask(Server(Small), "initialize", protocol=99)["error"]
    assert error["message"] == "this adapter speaks protocol 1, asked for 99"


def test_a_limit_of_one_quantity_is_told_as_one(server: Server):
    ask(server, "load", **{**LOAD, "gravity": [0, 0, 0]})
    error = ask(server, "evaluate", model=1, quantity="kinetic_energy", q=[[1, 2]], v=[[1, 2]])["error"]
    assert (error["code"], error["message"], error["data"]) == (2, "under weight only", {"feature": "gravity"})


def test_another_gravity_is_another_model(server: Server):
    second = ask(server, "load", **{**LOAD, "gravity": [0, 0, -1]})["result"]
    assert second["model"] == 1
    values = [
        ask(server, "evaluate", model=model, quantity="gravity_vector", q=[[1, 2]])["result"]["values"]
        for model in (0, 1)
    ]
    assert values == [[[-9.81, -19.62]], [[-1.0, -2.0]]]
    assert ask(server, "readback", model=1)["result"]["gravity"] == [0, 0, -1]


def test_one_bad_state_does_not_spoil_the_others(server: Server):
    answer = ask(server, "evaluate", quantity="mass_matrix", q=[[0, 3], [1, 3], [2, 3], [1, 4]])["result"]
    assert answer["values"][0] == [[3, 0], [0, 3]]
    assert answer["values"][1] == [["NaN", "NaN"], ["NaN", "NaN"]]
    assert answer["failures"] == [
        {"rows": [1, 3], "message": "SystemExit: at one"},
        {"rows": [2], "message": "ValueError: mass_matrix returned shape (2, 3), expected (2, 2)"},
    ]
    assert answer["seconds"] >= 0


def test_written_inputs_are_seen_and_columns_count_as_vectors(server: Server):
    answer = ask(server, "evaluate", quantity="bias_force", q=[[0, 0], [0, 0], [2, 0]], v=[[1, 2], [7, 2], [7, 2]])[
        "result"
    ]
    assert answer["inputs_modified"] == [0]
    assert answer["values"][:2] == [[7, 2], [7, 2]]
    assert "expected real numbers" in answer["failures"][0]["message"]


def test_a_scalar_quantity_has_one_number_per_state(server: Server):
    answer = ask(server, "evaluate", quantity="kinetic_energy", q=[[1, 2], [3, 4]], v=[[1, 1], [1, 1]])["result"]
    assert answer["values"] == [3.0, 7.0]


def test_no_states_give_no_values(server: Server):
    assert ask(server, "evaluate", quantity="mass_matrix", q=[])["result"]["values"] == []


@pytest.mark.parametrize(
    ("profile", "kind", "words"),
    [
        ("chain", "unsupported", "serial chains only"),
        ("broken", "refused", "RuntimeError: link 'a' has no mass"),
        ("large", "error", "out of memory while it worked on the model; --memory MIB gives it more"),
    ],
)
def test_a_load_that_fails_says_why(
    server: Server, profile: str, kind: str, words: str, capfd: pytest.CaptureFixture[str]
):
    error = ask(server, "load", **LOAD, profile=profile)["error"]
    assert (error["code"], error["message"]) == (ERROR_CODES[kind], words)
    assert ("Traceback" in capfd.readouterr().err) is (kind == "refused")


@pytest.mark.parametrize(
    ("params", "code", "words"),
    [
        ({"quantity": "mass"}, -32602, "unknown quantity 'mass'; there are link_poses"),
        ({"quantity": "link_poses", "q": []}, ERROR_CODES["not_offered"], "small does not offer link_poses"),
        ({"quantity": "mass_matrix"}, -32602, "evaluate.q is missing"),
        ({"quantity": "mass_matrix", "q": [[1]]}, -32602, "evaluate.q has shape (1, 1), expected (states, 2)"),
        ({"quantity": "mass_matrix", "q": "x"}, -32602, "evaluate.q: expected numbers"),
        ({"quantity": "mass_matrix", "q": [[1, 2]], "model": 3}, -32602, "model 3 was not loaded; 1 are"),
        (
            {"quantity": "bias_force", "q": [[1, 2]], "v": [[1, 2], [3, 4]]},
            -32602,
            "bias_force: the inputs have [1, 2] states, expected equal numbers",
        ),
    ],
)
def test_a_malformed_request_is_answered_with_the_reason(server: Server, params: dict[str, Any], code: int, words: str):
    error = ask(server, "evaluate", **params)["error"]
    assert error["code"] == code
    assert words in error["message"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"[]", -32700),
        (b'{"jsonrpc":"1.0"}', -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"load","params":[]}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"dance"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"load","params":{}}', -32602),
    ],
)
def test_garbage_never_ends_the_server(line: bytes, code: int):
    answer, go_on = Server(Small).handle(line)
    assert answer["error"]["code"] == code
    assert go_on


def test_shutdown_is_answered_and_ends():
    answer, go_on = Server(Small).handle(protocol.encode(protocol.request(1, "shutdown", {})))
    assert answer["result"] is None
    assert not go_on
