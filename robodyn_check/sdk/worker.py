"""Serves one adapter file over the protocol: ``python -m robodyn_check.sdk.worker ADAPTER.py``.

The descriptors stand in the environment variable `DESCRIPTORS_VARIABLE`; without it, stdin and stdout are used (for a
look by hand). What the library prints on stdout goes to stderr, at the level of descriptors, so that C++ code cannot
disturb the protocol either.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

#: A library's linear algebra must not start threads: results would depend on the machine, and cores are shared.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
for _variable in THREAD_VARIABLES:
    os.environ.setdefault(_variable, "1")

from robodyn_check.sdk.adapter import Adapter  # noqa: E402 - numpy reads the variables above when it is imported
from robodyn_check.sdk.protocol import (  # noqa: E402
    DESCRIPTORS_VARIABLE,
    INVALID_REQUEST,
    PROBE_VARIABLE,
    ProtocolError,
    attached_size,
    encode,
    failure,
)
from robodyn_check.sdk.records import MalformedRecord  # noqa: E402
from robodyn_check.sdk.server import Server  # noqa: E402


class AdapterFileError(Exception):
    """An adapter file that cannot be used; the text says why."""


def load_adapter(path: Path) -> type[Adapter]:
    """Import an adapter file and return its one Adapter subclass.

    Raises:
        AdapterFileError: No file, or not exactly one subclass with a name in it.
    """
    # The name must not collide with a library: adapters/mujoco.py is not the module mujoco.
    spec = importlib.util.spec_from_file_location("robodyn_check_adapter", path)
    if spec is None or spec.loader is None or not path.is_file():
        message = f"{path} is no Python file"
        raise AdapterFileError(message)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Adapter) and value.__module__ == spec.name
    ]
    leaves = [one for one in found if not any(other is not one and issubclass(other, one) for other in found)]
    if len(leaves) != 1 or not isinstance(getattr(leaves[0], "name", None), str):
        names = ", ".join(one.__name__ for one in leaves) or "none"
        message = f"{path} must define one subclass of robodyn_check.sdk.adapter.Adapter with a name; found {names}"
        raise AdapterFileError(message)
    return leaves[0]


def unavailable(name: str, error: ImportError) -> type[Adapter]:
    """Return an adapter that only says why its file cannot be imported."""

    def version(_self: Adapter) -> str:
        raise error

    return type("Unavailable", (Adapter,), {"name": name, "version": version})


def take_descriptors() -> tuple[int, int]:
    """Return (read, write) for the protocol and point stdout at stderr."""
    given = os.environ.pop(DESCRIPTORS_VARIABLE, "")
    reading, writing = (int(number) for number in given.split(",")) if given else (os.dup(0), os.dup(1))
    # A grandchild that holds these would keep the harness waiting after our death.
    os.set_inheritable(reading, False)
    os.set_inheritable(writing, False)
    sys.stdout.flush()
    os.dup2(2, 1)
    return reading, writing


def serve(adapter: type[Adapter], reading: int, writing: int) -> None:
    """Answer messages until ``shutdown`` or the end of input."""
    server = Server(adapter)
    with os.fdopen(reading, "rb") as requests, os.fdopen(writing, "wb") as answers:
        for line in iter(requests.readline, b""):
            try:
                attached = bytearray(requests.read(attached_size(line)))
            except MalformedRecord as error:
                message, go_on = failure(None, ProtocolError(INVALID_REQUEST, str(error))), True
            else:
                message, go_on = server.handle(line, attached)
            sys.stdout.flush()
            answers.write(encode(message))
            answers.flush()
            if not go_on:
                return


def main(arguments: list[str]) -> int:
    """Serve the adapter file named on the command line."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m robodyn_check.sdk.worker ADAPTER.py\n")
        return 2
    probe = os.environ.pop(PROBE_VARIABLE, "")
    reading, writing = (-1, -1) if probe else take_descriptors()
    try:
        adapter = load_adapter(Path(arguments[0]))
    except ImportError as error:  # the library is imported at the top of the file: say so when asked who answers
        if probe:
            raise
        adapter = unavailable(Path(arguments[0]).stem, error)
    except AdapterFileError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if probe:
        sys.stdout.write(f"{adapter().version()}\n")
        return 0
    serve(adapter, reading, writing)
    return 0


if __name__ == "__main__":
    # Without the interpreter's farewell: libraries whose clean-up crashes at exit have answered all that was asked.
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
