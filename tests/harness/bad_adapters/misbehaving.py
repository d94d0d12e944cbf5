# /// script
# dependencies = ["numpy"]
# ///
"""A point mass on a line that misbehaves at q = 13, in the way that the profile says."""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import Readback

if TYPE_CHECKING:
    from collections.abc import Callable


def segfault() -> None:
    ctypes.string_at(0)


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def hang() -> None:
    while True:
        time.sleep(0.01)


def memory() -> None:
    hoard = []
    while True:
        hoard.append(np.ones(2**21))  # 16 MiB, touched
        time.sleep(0.002)


def chatter() -> None:
    for _ in range(40):
        os.write(1, b"x" * 100_000 + b"\n")
    sys.stdout.write("and from Python\n")


def close_pipes() -> None:
    os.closerange(3, 64)


def garbage() -> None:
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"segmentation of thoughts\n")
        except OSError:  # not open, or the reading end
            continue


def endless_line() -> None:
    for descriptor in range(3, 64):
        try:
            while True:
                os.write(descriptor, b"z" * 1_000_000)
        except OSError:
            continue


def grandchildren() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=False)
    sys.stderr.write(f"grandchild {child.pid}\n")
    sys.stderr.flush()
    kill()


WAYS: dict[str, Callable[[], None]] = {
    "segfault": segfault,
    "kill": kill,
    "abort": os.abort,
    "exit": lambda: os._exit(3),
    "hang": hang,
    "memory": memory,
    "chatter": chatter,
    "close_pipes": close_pipes,
    "garbage": garbage,
    "endless_line": endless_line,
    "grandchildren": grandchildren,
}


class Misbehaving(Adapter):
    name = "misbehaving"
    chunk = 2
    profiles: ClassVar[dict[str, str]] = {
        "segfault": "",
        "kill": "",
        "abort": "",
        "exit": "",
        "hang": "",
        "memory": "",
        "chatter": "",
        "close_pipes": "",
        "garbage": "",
        "endless_line": "",
        "grandchildren": "",
        "load": "",
        "refuse": "",
        "unsupported": "",
        "import": "",
        "nan": "",
        "shape": "",
        "layout": "",
        "readback": "",
        "always": "",
    }

    def version(self) -> str:
        return "1.0"

    def load(self, source: Source) -> Layout:
        self.profile, self.gravity = source.profile, source.gravity
        if self.profile == "load":
            kill()
        if self.profile == "refuse":
            message = "mass of link 'l' is 0"
            raise ValueError(message)
        if self.profile == "unsupported":
            raise Unsupported("branching", "serial chains only")
        if self.profile == "import":
            importlib.import_module("no_such_library")
        name = "other" if self.profile == "layout" else source.joints[0]
        return Layout(joints=(JointLayout(name=name, q=(0,), v=(0,)),), links=("l",), nq=1, nv=1)

    def readback(self) -> Readback:
        if self.profile == "readback":
            message = "no view inside"
            raise RuntimeError(message)
        return Readback(total_mass=2.0, gravity=self.gravity)

    def mass_matrix(self, q: Any) -> Any:
        if q[0] == 13 or self.profile == "always":
            if self.profile in WAYS:
                WAYS[self.profile]()
            elif self.profile == "always":
                kill()
            elif self.profile == "nan":
                return [[np.nan]]
            elif self.profile == "shape":
                return np.ones((2, 2))
        return [[2.0 + q[0]]]

    def gravity_vector(self, q: Any) -> Any:
        return [-2 * self.gravity[0] + 0 * q[0]]

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return kill() if self.profile == "always" else tau / 2.0 + 0 * q + 0 * v
