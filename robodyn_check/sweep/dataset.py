"""The dataset of a sweep: partitioned Parquet, written so that a kill at any moment loses no finished task.

    FOLDER/sweep.json                               what the sweep was started with
    FOLDER/tasks/library=NAME/part-N.parquet        one row a task
    FOLDER/results/library=NAME/part-N.parquet      one row a result of a task
    FOLDER/journal-N.jsonl                          finished tasks that are not in Parquet yet, one line each

A finished task is appended to the journal and flushed to the disk at once. A full journal becomes the parts of its
number; only then is it removed. Writing them again gives the same files, so it does not matter where a kill falls. A
line cut short by a kill is a task that was in flight. Of several rows with one key, that of the last part counts.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import UsageError
from robodyn_check.sweep.outcome import Outcome

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise UsageError("a sweep's dataset needs Parquet: pip install 'robodyn-check[sweep]'") from None

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Self, TextIO

#: A journal of this size becomes Parquet: large enough for few files, small enough for memory.
JOURNAL_BYTES = 64 * 2**20
SWEEP_FILE, LOCK_FILE = "sweep.json", ".lock"
_STRING, _INTEGER, _DOUBLE = pa.string(), pa.int64(), pa.float64()
#: Columns of a task; `library` is the partition.
TASKS = pa.schema(
    [
        *((name, _STRING) for name in ("key", "model", "content", "profile", "spec", "version", "tool")),
        ("samples", _INTEGER),
        ("seed", _INTEGER),
        ("base", _STRING),
        *((name, _STRING) for name in ("sha256", "format")),
        *((name, _INTEGER) for name in ("nv", "links")),
        *((name, _STRING) for name in ("verdict", "reason")),
        *(
            (name, _INTEGER)
            for name in ("passed", "warned", "failed", "errors", "skipped", "known", "model_faults", "part")
        ),
        ("largest_pass", _DOUBLE),
        ("seconds", _DOUBLE),
        ("report", _STRING),
    ]
)
#: Columns of a result; `key` and `part` lead to its task.
RESULTS = pa.schema(
    [
        ("key", _STRING),
        *((name, _STRING) for name in ("code", "slug", "quantity", "subject", "against", "result")),
        ("is_known", pa.bool_()),
        *((name, _DOUBLE) for name in ("margin", "error", "bound")),
        *((name, _STRING) for name in ("message", "cause")),
        ("line", _INTEGER),
        ("part", _INTEGER),
    ]
)


class Dataset:
    """One folder, open for one sweep at a time. Use as a context; leaving it turns the journal into Parquet."""

    def __init__(self, folder: Path) -> None:
        """Make or open the folder and take up what an earlier sweep left.

        Raises:
            UsageError: The folder holds something else, or another sweep is writing into it.
        """
        self.folder = folder
        if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / SWEEP_FILE).exists())):
            raise UsageError(f"{folder} is there and is no dataset of a sweep; name another with --out FOLDER")
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = (folder / LOCK_FILE).open("w", encoding="ascii")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise UsageError(f"{folder}: another sweep is writing into this dataset; wait for it to end") from None
        self._journal: TextIO | None = None
        for journal in sorted(folder.glob("journal-*.jsonl")):
            self._write_parts(journal)
        self._number = 1 + max((part_number(path) for path in folder.glob("tasks/*/part-*.parquet")), default=0)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Write what is in the journal as Parquet and let go of the folder."""
        self.flush()
        self._lock.close()

    def remember(self, arguments: dict[str, Any]) -> None:
        """Keep what the sweep was started with."""
        write_whole(self.folder / SWEEP_FILE, json.dumps(arguments, indent=1, ensure_ascii=False) + "\n")

    def verdicts(self) -> dict[str, str]:
        """Return the verdict of every task in the dataset, by key."""
        found: dict[str, tuple[int, str]] = {}
        for path in self.folder.glob("tasks/*/part-*.parquet"):
            table = pq.read_table(path, columns=["key", "verdict"], partitioning=None)
            number = part_number(path)
            for key, verdict in zip(*(column.to_pylist() for column in table.columns), strict=True):
                if number >= found.get(key, (0, ""))[0]:
                    found[key] = (number, verdict)
        return {key: verdict for key, (_, verdict) in found.items()}

    def add(self, outcome: Outcome) -> None:
        """Keep a finished task; when this returns, a kill does not lose it any more."""
        if self._journal is None:
            self._journal = self._journal_path().open("a", encoding="utf-8")
        line = json.dumps({"key": outcome.key, "task": outcome.task, "results": outcome.results}, allow_nan=False)
        self._journal.write(line + "\n")
        self._journal.flush()
        os.fsync(self._journal.fileno())
        if self._journal.tell() >= JOURNAL_BYTES:
            self.flush()

    def flush(self) -> None:
        """Turn the journal into Parquet."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
            self._write_parts(self._journal_path())
            self._number += 1

    def _journal_path(self) -> Path:
        return self.folder / f"journal-{self._number:06d}.jsonl"

    def _write_parts(self, journal: Path) -> None:
        """Write the parts of a journal, then remove it."""
        number = part_number(journal)
        by_library: dict[str, dict[str, Outcome]] = {}
        for outcome in read_journal(journal):
            by_library.setdefault(str(outcome.task["library"]), {})[outcome.key] = outcome
        for library, outcomes in by_library.items():
            tasks = [{**one.task, "part": number} for one in outcomes.values()]
            results = [{**row, "key": one.key, "part": number} for one in outcomes.values() for row in one.results]
            for table, schema, rows in (("results", RESULTS, results), ("tasks", TASKS, tasks)):
                _write_parquet(self.folder / table / f"library={library}" / f"part-{number:06d}.parquet", schema, rows)
        journal.unlink()


def part_number(path: Path) -> int:
    """Return N of part-N.parquet or journal-N.jsonl."""
    match = re.search(r"-(\d+)\.", path.name)
    return int(match[1]) if match else 0


def read_journal(path: Path) -> list[Outcome]:
    """Return the whole lines of a journal."""
    outcomes = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.endswith("\n"):
                with contextlib.suppress(json.JSONDecodeError):
                    data = json.loads(line)
                    outcomes.append(Outcome(key=data["key"], task=data["task"], results=tuple(data["results"])))
    return outcomes


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that it appears whole or not at all."""
    partly = path.with_name(f".{path.name}.partly")
    partly.write_text(text, encoding="utf-8")
    partly.replace(path)


def _write_parquet(path: Path, schema: pa.Schema, rows: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partly = path.with_name(f".{path.name}.partly")
    columns = {name: [row.get(name) for row in rows] for name in schema.names}
    pq.write_table(pa.table(columns, schema=schema), partly, compression="zstd")
    partly.replace(path)
