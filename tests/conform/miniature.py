"""An adapter in this process that holds to the protocol, for miniatures to break in one place each.

A miniature is a file in ``bad/`` with a class ``Bad(Honest)`` and ``CAUGHT_BY``, the claims that must find it.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from robodyn_check.errors import AdapterCrashed, AdapterTimeout
from robodyn_check.sdk import protocol
from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.server import Server


class TwoLinks(Adapter):
    """The two links of models/planar_2r, in closed form (its MODEL.toml)."""

    name = "miniature"
    chunk = 40

    def version(self) -> str:
        return "1.0"

    def load(self, source: Source) -> Layout:
        self.g = -source.gravity[2]
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(source.joints))
        return Layout(joints=joints, links=(), nq=2, nv=2)

    def mass_matrix(self, q: Any) -> Any:
        coupling = 0.1875 + 0.5 * np.cos(q[1])
        return [[3.1875 + np.cos(q[1]), coupling], [coupling, 0.1875]]

    def bias_force(self, q: Any, v: Any) -> Any:
        s, far = 0.5 * np.sin(q[1]), 0.5 * self.g * np.cos(q[0] + q[1])
        return [-s * v[1] * (2 * v[0] + v[1]) + 3.5 * self.g * np.cos(q[0]) + far, s * v[0] ** 2 + far]

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return np.array(self.mass_matrix(q)) @ a + self.bias_force(q, v)


class Honest:
    """A peer (conform.peer) without a process: the server of the SDK behind `reply`, which miniatures override."""

    adapter: type[Adapter] = TwoLinks

    def __init__(self) -> None:
        """Start."""
        self.server = Server(self.adapter)
        self.waiting: list[dict[str, Any]] = []
        self.ended: str | None = None

    def reply(self, line: bytes) -> list[dict[str, Any]]:
        """Return what answers one line."""
        answer, go_on = self.server.handle(line)
        if not go_on:
            self.ended = "exit code 0"
        return [answer]

    def send(self, data: bytes) -> None:
        lines = data.split(b"\n")
        assert lines.pop() == b"", "whole lines are sent"
        for line in lines:
            if self.ended is None:
                self.waiting += [json.loads(json.dumps(answer)) for answer in self.reply(line)]

    def receive(self, doing: str, *, first: bool = False) -> dict[str, Any]:
        del first
        if self.waiting:
            return protocol.decode(protocol.encode(self.waiting.pop(0)))
        if self.ended is not None:
            message = f"the process ended ({self.ended}) during {doing}"
            raise AdapterCrashed(message)
        message = f"no answer to {doing}"
        raise AdapterTimeout(message)

    def end_requests(self) -> None:
        self.ended = "exit code 0"

    def ended_within(self, seconds: float) -> str | None:
        assert seconds > 0
        return self.ended

    def close(self) -> None:
        self.ended = "killed by SIGKILL"


class Altered(Honest):
    """A miniature that changes single requests or answers."""

    def reply(self, line: bytes) -> list[dict[str, Any]]:
        try:
            message = json.loads(line)
        except ValueError:
            return super().reply(line)
        if not isinstance(message, dict) or not isinstance(message.get("params"), dict):
            return super().reply(line)
        asked = self.request(message)
        answers = super().reply(protocol.encode(asked).rstrip(b"\n"))
        return [self.answer(asked, answer) for answer in answers]

    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the request that is answered in place of this one."""
        return message

    def answer(self, message: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
        """Return the answer that is given in place of this one."""
        del message
        return answer
