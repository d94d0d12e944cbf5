"""One adapter's process: started apart, watched, and killed with everything it started.

Its own session and process group, one thread for linear algebra, its own temporary home and working directory, two
private pipes for the protocol, stderr kept in a bounded ring. A program that cannot use given descriptors may speak on
stdin and stdout: stdin is the same pipe as the private one, and stdout is looked at until the first answer arrives.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import shutil
import signal
import site
import subprocess
import tempfile
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from robodyn_check.sdk.protocol import DESCRIPTORS_VARIABLE

#: Bytes of stderr that are kept: the last words, not the story of a chatty library.
KEPT_STDERR = 64 * 1024
#: Variables that keep linear algebra on one thread; see sdk.worker.
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
#: Lines of a fault handler's report that tell of our own frames, not of the library.
OWN_FRAMES = ("robodyn_check/sdk/", "<frozen runpy>", "Extension modules: ")
PAGE = resource.getpagesize()
#: Bytes that the pipe of answers holds: what Linux allows to anybody.
WIDE_PIPE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How to start one adapter.

    ``command`` with its arguments; ``variables`` are added to the environment. ``program``: any executable, which may
    speak on stdin and stdout instead of the private descriptors. ``environment`` says where it runs, for the report;
    ``notes`` what was special about it.
    """

    command: tuple[str, ...]
    variables: dict[str, str] = field(default_factory=dict)
    program: bool = False
    environment: str = "current"
    notes: tuple[str, ...] = ()


class Ring:
    """The last bytes of a stream."""

    def __init__(self, capacity: int = KEPT_STDERR) -> None:
        """Start empty."""
        self._capacity = capacity
        self._chunks: deque[bytes] = deque()
        self._size = 0

    def add(self, data: bytes) -> None:
        """Append, dropping what is oldest."""
        self._chunks.append(data[-self._capacity :])
        self._size += len(self._chunks[-1])
        while self._size - len(self._chunks[0]) >= self._capacity:
            self._size -= len(self._chunks.popleft())

    def text(self) -> str:
        """Return what is kept, printable: control characters other than line ends become spaces."""
        text = b"".join(self._chunks)[-self._capacity :].decode(errors="replace")
        return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)


class AdapterProcess:
    """A running adapter. `requests` is written to, `answers` and `stderr` (and `stdout`) are read, without blocking."""

    def __init__(self, launch: Launch) -> None:
        """Start it.

        Raises:
            OSError: The command cannot be started.
        """
        self.launch = launch
        self.words = Ring()
        self._home = Path(tempfile.mkdtemp(prefix="robodyn-check-"))
        request_read, self.requests = os.pipe()
        self.answers, answer_write = os.pipe()
        _widen(self.answers)
        self.stderr, stderr_write = os.pipe()
        theirs = [request_read, answer_write, stderr_write]
        self.stdout: int | None = None
        stdout_write = stderr_write
        if launch.program:
            self.stdout, stdout_write = os.pipe()
            theirs.append(stdout_write)
        variables = {**_environment(self._home), **launch.variables}
        variables[DESCRIPTORS_VARIABLE] = f"{request_read},{answer_write}"
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - starting adapters is the purpose
                launch.command,
                stdin=request_read if launch.program else subprocess.DEVNULL,
                stdout=stdout_write,
                stderr=stderr_write,
                cwd=self._home,
                env=variables,
                pass_fds=(request_read, answer_write),
                start_new_session=True,
            )
        except OSError:
            self._close_descriptors()
            shutil.rmtree(self._home, ignore_errors=True)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        for descriptor in self._descriptors():
            os.set_blocking(descriptor, False)
        with contextlib.suppress(OSError, AttributeError):  # a crash is expected here: no core file
            resource.prlimit(self._popen.pid, resource.RLIMIT_CORE, (0, 0))

    @property
    def pid(self) -> int:
        """The process's id, which is also its session's and its group's."""
        return self._popen.pid

    def ended(self) -> str | None:
        """Return how it ended in words, None while it runs."""
        code = self._popen.poll()
        if code is None:
            return None
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"killed by {signal.Signals(-code).name}"
        return f"exit code {code}"

    def memory(self) -> int:
        """Return the resident bytes of the process and its descendants."""
        total = 0
        for pid in self._family():
            with contextlib.suppress(OSError, ValueError, IndexError):
                total += int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
        return total

    def kill(self) -> None:
        """Kill it and everything in its session; safe to call twice."""
        members = self._members()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        for pid in members:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._popen.wait()

    def end_requests(self) -> None:
        """Close our end of its requests: it reads the end of the pipe and is expected to end by itself."""
        if self.requests >= 0:
            os.close(self.requests)
            self.requests = -1

    def close(self) -> None:
        """Kill it, close the pipes, remove its home."""
        self.kill()
        self._close_descriptors()
        shutil.rmtree(self._home, ignore_errors=True)

    def last_words(self, lines: int = 12) -> str:
        """Return the end of its stderr, without our own frames."""
        spoken = self.words.text().splitlines()
        kept = [line.rstrip() for line in spoken if line.strip() and not any(ours in line for ours in OWN_FRAMES)]
        return "\n".join(kept[-lines:])

    def _descriptors(self) -> list[int]:
        """Our ends of the pipes."""
        return [one for one in (self.requests, self.answers, self.stderr, self.stdout) if one is not None and one >= 0]

    def _close_descriptors(self) -> None:
        """Close our ends, once."""
        for descriptor in self._descriptors():
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.requests = self.answers = self.stderr = -1
        self.stdout = None

    def _family(self) -> list[int]:
        """Return it and its descendants; ten times cheaper than `_members`, but blind for adopted orphans."""
        family = [self.pid]
        for pid in family:
            with contextlib.suppress(OSError):
                for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - ten times a second
                    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as children:  # noqa: PTH123
                        family += [int(child) for child in children.read().split()]
        return family

    def _members(self) -> list[int]:
        """Return the processes of its session."""
        members = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.getsid(int(entry.name)) == self.pid:
                    members.append(int(entry.name))
        return members


def _widen(pipe: int) -> None:
    """Let a pipe hold a whole answer, where the system can and allows it: fewer turns of writing and waiting."""
    with contextlib.suppress(OSError, AttributeError):  # AttributeError: not Linux
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, WIDE_PIPE)


def _environment(home: Path) -> dict[str, str]:
    """Return our environment with one thread and another home; packages of the real home's user site stay in reach."""
    variables = dict(os.environ)
    variables.update(dict.fromkeys(THREADS, "1"))
    variables.setdefault("PYTHONUSERBASE", site.getuserbase())
    variables.update(
        HOME=str(home),
        TMPDIR=str(home),
        XDG_CACHE_HOME=str(home / ".cache"),
        XDG_CONFIG_HOME=str(home / ".config"),
        PYTHONUNBUFFERED="1",
        PYTHONFAULTHANDLER="1",
    )
    return variables
