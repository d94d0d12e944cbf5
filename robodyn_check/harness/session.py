"""A library as a subject: start its process, load a robot, ask for quantities, survive what it does.

A chunk of states whose call crashes or times out is lost and becomes an error; the process is started and the robot
loaded again, and the rest goes on. A quantity that killed the process twice is given up; after three restarts so is the
library. What a library answers is checked here (shape, finite) and turned into canonical coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from robodyn_check.errors import (
    AdapterCrashed,
    AdapterError,
    AdapterMissing,
    AdapterRefused,
    AdapterTimeout,
    AdapterUnsupported,
)
from robodyn_check.harness.chunks import Chunk, Raw, chunk_size, evaluate, merged
from robodyn_check.harness.client import Client
from robodyn_check.harness.discovery import find_adapter, install_hint
from robodyn_check.harness.environments import launch_for
from robodyn_check.harness.motions import integrate
from robodyn_check.harness.process import AdapterProcess
from robodyn_check.quantities import not_offered
from robodyn_check.requests import Answer, Failure
from robodyn_check.sdk.arrays import ALL_ENCODINGS
from robodyn_check.sdk.conventions import Conventions
from robodyn_check.sdk.layout import Layout
from robodyn_check.sdk.protocol import PROTOCOL_VERSION, AdapterInfo, ProtocolError
from robodyn_check.sdk.readback import Readback
from robodyn_check.sdk.records import MalformedRecord, from_json, to_json
from robodyn_check.sdk.velocity_map import LayoutMismatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType
    from typing import Self

    import numpy as np
    import numpy.typing as npt

    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.harness.process import Launch
    from robodyn_check.harness.spec import LibrarySpec
    from robodyn_check.requests import Request
    from robodyn_check.sdk.adapter import Source
    from robodyn_check.sdk.canonical import Canonical

    FloatArray = npt.NDArray[np.float64]
    Gravity = tuple[float, float, float]

Said = TypeVar("Said", Raw, Answer)

KILLS_PER_QUANTITY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one process may take: seconds per call, seconds to start and import, resident bytes; and its restarts."""

    timeout: float = 60.0
    start_timeout: float = 180.0
    memory: int = 4 * 2**30
    restarts: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A robot as the library holds it: layout, readback (None: not shown), remarks, and who it is."""

    layout: Layout
    readback: Readback | None
    notes: tuple[str, ...]
    info: AdapterInfo


class LibrarySession:
    """One library, one process at a time. Use `start`, then `load`, then `ask`; close it, or use ``with``."""

    def __init__(self, spec: LibrarySpec, adapter: AdapterFile, launch: Launch, budget: Budget) -> None:
        """Start the process and ask who it is, without waiting; `start` is the way to call this."""
        self.spec = spec
        self.adapter = adapter
        self.launch = launch
        self.budget = budget
        self.restarts = 0
        self._info: AdapterInfo | None = None
        self._source: Source | None = None
        self._conventions: Conventions | None = None
        self._models: dict[Gravity, int] = {}
        self._kills: dict[str, int] = {}
        self._given_up: str | None = None
        self._abandoned = False
        self._stderr = ""
        self._spawn()

    @classmethod
    def start(
        cls,
        spec: LibrarySpec,
        *,
        adapters: Mapping[str, AdapterFile] | None = None,
        budget: Budget | None = None,
    ) -> Self:
        """Start a library's process; its import goes on while the caller does other things.

        Raises:
            UsageError: No such adapter or profile.
            AdapterMissing: Its interpreter, environment or executable is not there.
        """
        adapter = find_adapter(spec, adapters)
        return cls(spec, adapter, launch_for(spec, adapter), budget or Budget())

    @property
    def info(self) -> AdapterInfo:
        """Who answers; waits until the process has imported its library.

        Raises:
            AdapterMissing: The library cannot be imported.
            AdapterCrashed, AdapterTimeout: The process died or did not answer.
        """
        if self._info is None:
            try:
                answer = self._client.receive(self._greeting, timeout=self.budget.start_timeout, doing="initialize")
                self._info = from_json(AdapterInfo, answer, "initialize")
            except ProtocolError as error:
                raise self._translated(error) from error
            except MalformedRecord as error:
                raise AdapterCrashed(self._named(str(error))) from error
            except AdapterError as error:
                raise type(error)(self._named(str(error))) from error
            if self._info.protocol != PROTOCOL_VERSION:
                text = f"speaks protocol {self._info.protocol}, this robodyn-check speaks {PROTOCOL_VERSION}"
                raise AdapterUnsupported(self._named(text))
        return self._info

    @property
    def stderr_tail(self) -> str:
        """The end of what the library wrote on stderr, over all its processes."""
        return "\n".join(part for part in (self._stderr, self._process.last_words(40)) if part)

    def load(self, source: Source, canonical: Canonical) -> Loaded:
        """Load a robot; `source.profile` is filled from the spec.

        Raises:
            AdapterUnsupported: A limit that the adapter documents.
            AdapterRefused: The library refused the model, or holds another robot (joints missing or added).
            AdapterMissing, AdapterCrashed, AdapterTimeout: As named.
        """
        if self._process.ended() is not None:  # the robot before this one killed it
            self._stderr = self.stderr_tail[-8000:]
            self._process.close()
            self._info = None
            self._spawn()
        info = self.info
        self._source = replace(source, profile=self.spec.profile)
        self._models, self._kills, self._given_up = {}, {}, None
        try:
            layout = self._load_model(self._source)
            self._conventions = Conventions(layout, canonical)
            readback, notes = self._readback()
        except ProtocolError as error:
            raise self._translated(error) from error
        except LayoutMismatch as error:
            raise AdapterRefused(self._named(str(error))) from error
        except MalformedRecord as error:
            raise AdapterCrashed(self._named(f"sent a malformed answer: {error}")) from error
        except AdapterError as error:
            raise type(error)(self._named(str(error))) from error
        absent = [canonical.links[number].name for number in self._conventions.absent_links]
        if absent:
            notes = (*notes, f"holds no frame of {len(absent)} of {len(canonical.links)} links: {', '.join(absent)}")
        return Loaded(layout=layout, readback=readback, notes=(*self.launch.notes, *layout.notes, *notes), info=info)

    def ask(self, requests: Iterable[Request]) -> dict[str, Answer | Failure]:
        """Return canonical answers, or failures, by request key; never raises for what a library does."""
        return {request.key: self._ask(request) for request in requests}

    def abandon(self) -> None:
        """End what another thread is waiting for: its call fails at once, and no process is started any more."""
        self._abandoned = True
        self._process.kill()

    def close(self) -> None:
        """End the process and everything it started."""
        self._process.close()

    def __enter__(self) -> Self:
        """Return the session."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _ask(self, request: Request) -> Answer | Failure:
        """Answer one request chunk by chunk."""
        info, conventions = self.info, self._conventions
        assert conventions is not None, "load() comes first"
        if request.quantity not in info.quantities:
            return Failure(kind="not_offered", message=not_offered(info.name, request.quantity))
        if request.motion is not None:
            return self._integrate(request)
        helper = "mass_matrix" if conventions.needs_mass_matrix(request.quantity) else None
        if helper and helper not in info.quantities:
            text = f"{request.quantity} in canonical coordinates needs {info.name}'s own mass_matrix: not offered"
            return Failure(kind="unsupported", message=text)
        try:
            size = chunk_size(request.quantity, conventions, info.chunk)
        except LayoutMismatch as error:
            return Failure(kind="error", message=self._named(str(error)))
        asked = conventions.inputs(request.inputs)
        chunks = []
        for start in range(0, max(len(request), 1), size):  # no states: one empty chunk, which has a shape
            rows = slice(start, min(start + size, len(request)))
            raw = self._evaluate(request.quantity, request, {name: array[rows] for name, array in asked.items()})
            masses = None
            if helper and isinstance(raw, Raw):
                masses = self._evaluate(helper, request, {"q": asked["q"][rows]})
            chunks.append(Chunk(start=start, count=rows.stop - start, raw=raw, mass_matrix=masses))
        return merged(request, chunks, conventions)

    def _evaluate(self, quantity: str, request: Request, inputs: dict[str, FloatArray]) -> Raw | Failure:
        """Ask one chunk; a crash or time-out costs this chunk and a restart."""
        conventions = self._conventions
        assert conventions is not None, "load() comes first"

        def ask(model: int) -> Raw | Failure:
            return evaluate(
                self._client,
                quantity,
                model,
                inputs,
                layout=conventions.layout,
                info=self.info,
                timeout=self.budget.timeout,
            )

        return self._surviving(quantity, request, ask)

    def _integrate(self, request: Request) -> Answer | Failure:
        """Let the library's own process follow motions."""
        conventions = self._conventions
        assert conventions is not None, "load() comes first"

        def ask(model: int) -> Answer | Failure:
            return integrate(
                self._client, model, request, conventions.canonical, info=self.info, timeout=self.budget.timeout
            )

        return self._surviving(request.quantity, request, ask)

    def _surviving(self, quantity: str, request: Request, ask: Callable[[int], Said | Failure]) -> Said | Failure:
        """Call with the model of the request's gravity; a crash or time-out becomes a failure and costs a restart."""
        if self._given_up:
            return Failure(kind="error", message=self._given_up)
        if self._kills.get(quantity, 0) >= KILLS_PER_QUANTITY:
            text = f"{quantity} killed the process {KILLS_PER_QUANTITY} times and was given up"
            return Failure(kind="error", message=self._named(text))
        try:
            return ask(self._model_at(request.gravity))
        except ProtocolError as error:
            kind = error.kind if error.kind in {"unsupported", "not_offered"} else "error"
            return Failure(kind=kind, message=self._named(error.message))
        except (AdapterCrashed, AdapterTimeout) as error:
            self._kills[quantity] = self._kills.get(quantity, 0) + 1
            self._restart()
            return Failure(kind="error", message=self._named(f"{quantity}: {error}"))

    def _model_at(self, gravity: Gravity | None) -> int:
        """Return the model number for a gravity, loading it when it is new to this process."""
        source = self._source
        assert source is not None, "load() comes first"
        wanted = source.gravity if gravity is None else gravity
        if wanted not in self._models:
            self._load_model(replace(source, gravity=wanted))
        return self._models[wanted]

    def _load_model(self, source: Source) -> Layout:
        """Send one load and remember its model number."""
        answer = self._client.call("load", to_json(source), timeout=self.budget.timeout)
        if not isinstance(answer, dict) or type(answer.get("model")) is not int:
            problem = f"load: expected an object with a model number and a layout, got {str(answer)[:80]!r}"
            raise MalformedRecord(problem)
        self._models[source.gravity] = answer["model"]
        return from_json(Layout, answer.get("layout"), "layout")

    def _readback(self) -> tuple[Readback | None, tuple[str, ...]]:
        """Ask what the library holds; a readback that fails is a note, not the end."""
        assert self._source is not None, "load() set it"
        try:
            answer = self._client.call(
                "readback", {"model": self._models[self._source.gravity]}, timeout=self.budget.timeout
            )
            return (None if answer is None else from_json(Readback, answer, "readback")), ()
        except ProtocolError as error:
            return None, (f"readback failed: {error.message}",)

    def _spawn(self) -> None:
        """Start a process and greet it.

        Raises:
            AdapterMissing: It cannot be started.
        """
        try:
            self._process = AdapterProcess(self.launch)
        except OSError as error:
            text = f"{self.launch.command[0]} cannot be started: {error.strerror or error}"
            raise AdapterMissing(self._named(text)) from error
        if self._abandoned:  # between the look at it and the start
            self._process.kill()
        self._client = Client(self._process, memory=self.budget.memory)
        params = {"protocol": PROTOCOL_VERSION, "arrays": list(ALL_ENCODINGS)}
        self._greeting = self._client.send("initialize", params)

    def _restart(self) -> None:
        """Replace a dead process and load the robot again, or give the library up."""
        self._stderr = self.stderr_tail[-8000:]
        self._process.close()
        self._models = {}
        if self._abandoned or self.restarts >= self.budget.restarts:
            why = "the run was ended" if self._abandoned else f"given up after {self.budget.restarts} restarts"
            self._given_up = self._named(why)
            return
        self.restarts += 1
        self._info, before = None, self._info
        try:
            self._spawn()
            _ = self.info
            self._model_at(None)
        except (AdapterError, ProtocolError, MalformedRecord) as error:
            self._info = before
            self._given_up = self._named(f"did not come back after a crash: {error}")

    def _translated(self, error: ProtocolError) -> AdapterError:
        """Return the AdapterError of an error answer."""
        if error.kind == "missing":
            text = f"{error.message}. Install it: {install_hint(self.adapter)}"
            return AdapterMissing(self._named(text))
        kinds: dict[str, type[AdapterError]] = {"unsupported": AdapterUnsupported, "refused": AdapterRefused}
        return kinds.get(error.kind, AdapterCrashed)(self._named(error.message))

    def _named(self, text: str) -> str:
        """Put the library's name before a message, once."""
        name = str(self.spec)
        return text if text.startswith(f"{name}: ") else f"{name}: {text}"
