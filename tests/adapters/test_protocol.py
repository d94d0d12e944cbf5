"""PROTOCOL.md, the schema and what really travels say the same; the templates in Python and C++ speak it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import numpy as np
import pytest

from robodyn_check.errors import AdapterUnsupported
from robodyn_check.harness.client import Client
from robodyn_check.harness.session import LibrarySession
from robodyn_check.harness.spec import LibrarySpec
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Request
from robodyn_check.sdk import protocol
from robodyn_check.sdk.adapter import Source
from robodyn_check.sdk.canonical import CanonicalLink, line_up

if TYPE_CHECKING:
    import numpy.typing as npt

ADAPTERS = Path(__file__).parents[2] / "adapters"
SCHEMA: dict[str, Any] = json.loads((ADAPTERS / "protocol.schema.json").read_text(encoding="utf-8"))
TEXT = (ADAPTERS / "PROTOCOL.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, flags=re.DOTALL)]
CANONICAL = line_up(
    (("slider", "prismatic"), ("hinge", "continuous")),
    tuple(
        CanonicalLink(name=name, joint=joint) for name, joint in (("rail", None), ("cart", "slider"), ("pole", "hinge"))
    ),
)
SOURCE = Source(
    path=ADAPTERS.parent / "models" / "cart_pole" / "model.urdf",
    format="urdf",
    base="fixed",
    gravity=(0.0, 0.0, -9.81),
    joints=("slider", "hinge"),
    links=("rail", "cart", "pole"),
    root_link="rail",
)


def validate(message: Any, name: str) -> None:
    """Check one message against its definition."""
    jsonschema.validate(message, {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_example_fits_the_schema(number: int):
    message = EXAMPLES[number]
    if "method" in message:
        validate(message, f"{message['method']}_request")
    elif "error" in message:
        validate(message, "error_answer")
    else:
        before = EXAMPLES[number - 1]
        assert before["id"] == message["id"]
        validate(message, f"{before['method']}_answer")


def test_every_method_has_an_example_of_both_directions():
    assert tuple(message["method"] for message in EXAMPLES if "method" in message) == protocol.METHODS


@pytest.mark.parametrize("quantity", QUANTITIES.values(), ids=QUANTITIES)
def test_every_quantity_is_documented(quantity: Any):
    assert f"`{quantity.name}`" in TEXT
    assert quantity.name in SCHEMA["$defs"]["quantity"]["enum"]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ({"jsonrpc": "2.0", "id": 1, "result": {"values": [["nan"]]}}, "evaluate_answer"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"model": 0}}, "load_answer"),
        ({"jsonrpc": "1.0", "id": 1, "result": None}, "shutdown_answer"),
    ],
)
def test_the_schema_refuses_what_is_wrong(message: Any, name: str):
    with pytest.raises(jsonschema.ValidationError):
        validate(message, name)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return template.cpp, compiled."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    program = tmp_path_factory.mktemp("cpp") / "template"
    flags = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror")
    subprocess.run((compiler, *flags, "-o", program, ADAPTERS / "template.cpp"), check=True)
    return program


@pytest.fixture(params=["python", "c++"])
def template(request: pytest.FixtureRequest) -> LibrarySpec:
    path = ADAPTERS / "template.py" if request.param == "python" else request.getfixturevalue("compiled")
    return LibrarySpec(name="template", adapter=path)


def closed_form(q: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> tuple[Any, Any]:
    """Return M and h of models/cart_pole, as its MODEL.toml has them."""
    c, s = np.cos(q[:, 1]), np.sin(q[:, 1])
    M = np.array([[2.3 + 0 * c, 0.15 * c], [0.15 * c, 0.08 + 0 * c]]).transpose(2, 0, 1)
    return M, np.stack([-0.15 * s * v[:, 1] ** 2, 0.15 * 9.81 * s], axis=1)


def test_a_template_answers_right_and_every_message_fits_the_schema(
    template: LibrarySpec, monkeypatch: pytest.MonkeyPatch
):
    sent: list[tuple[str, Any]] = []
    send, receive = Client.send, Client.receive

    def travelling(message: dict[str, Any]) -> Any:
        return json.loads(protocol.encode(message).partition(b"\n")[0])

    def spying_send(self: Client, method: str, params: dict[str, Any]) -> int:
        validate(travelling(protocol.request(1, method, params)), f"{method}_request")
        sent.append((method, None))
        return send(self, method, params)

    def spying_receive(self: Client, number: int, *, timeout: float, doing: str) -> Any:
        value = receive(self, number, timeout=timeout, doing=doing)
        validate(travelling(protocol.result(number, value)), f"{doing}_answer")
        return value

    monkeypatch.setattr(Client, "send", spying_send)
    monkeypatch.setattr(Client, "receive", spying_receive)
    q, v, a = np.random.default_rng(0).normal(size=(3, 4, 2))
    requests = [
        Request(quantity="mass_matrix", q=q),
        Request(quantity="bias_force", q=q, v=v),
        Request(quantity="inverse_dynamics", q=q, v=v, a=a),
    ]
    with LibrarySession.start(template) as session:
        session.load(SOURCE, CANONICAL)
        answers = session.ask(requests)
    M, h = closed_form(q, v)
    for request, expected in zip(requests, (M, h, np.einsum("nij,nj->ni", M, a) + h), strict=True):
        answer = answers[request.key]
        assert isinstance(answer, Answer)
        np.testing.assert_allclose(answer.values, expected, rtol=0, atol=1e-14)
    assert [method for method, _ in sent] == ["initialize", "load", "readback", "evaluate", "evaluate", "evaluate"]


def test_a_template_documents_its_limit(template: LibrarySpec):
    other = line_up((("slider", "prismatic"),), CANONICAL.links)
    source = Source(
        **{name: getattr(SOURCE, name) for name in ("path", "format", "base", "gravity", "links")}, joints=("slider",)
    )
    with LibrarySession.start(template) as session, pytest.raises(AdapterUnsupported, match="this one robot only"):
        session.load(source, other)


def test_the_compiled_template_survives_garbage(compiled: Path):
    lines = [
        "{",
        "[]",
        '{"jsonrpc":"2.0","id":3,"method":"dance"}',
        '{"jsonrpc":"2.0","id":"é","method":"evaluate","params":{}}',
    ]
    shutdown = '{"jsonrpc":"2.0","id":9,"method":"shutdown"}'
    done = subprocess.run(compiled, input="\n".join([*lines, shutdown, ""]), capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in answers] == [-32700, -32700, -32601, -32602, None]
    assert [answer["id"] for answer in answers] == [None, None, 3, "é", 9]
