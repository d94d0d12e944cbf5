"""Questions to a dataset in SQL: DuckDB reads the Parquet files where they are, without a server.

Views (views.sql): ``tasks`` (one row a task, the latest of its key), ``results`` (one row a result of these tasks, with
the task's model, library and version) and ``reports`` (the JSON report of each failure).
"""

from __future__ import annotations

import contextlib
import csv
import fcntl
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robodyn_check.errors import UsageError
from robodyn_check.sweep.dataset import LOCK_FILE, RESULTS, SWEEP_FILE, TASKS, Dataset

try:
    import duckdb
except ImportError:
    raise UsageError("questions to a dataset need DuckDB: pip install 'robodyn-check[sweep]'") from None

#: What `--by` counts by: word -> column of `tasks`.
BY = {
    "library": "spec",
    "version": "version",
    "model": "model",
    "verdict": "verdict",
    "check": "code",
    "quantity": "quantity",
    "cause": "cause",
}
#: The views, and the locks that keep a statement inside the dataset.
VIEWS = Path(__file__).with_name("views.sql")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """An answer: names of the columns and the rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def ask(folder: Path, sql: str) -> Rows:
    """Return the answer of a dataset to one SQL statement.

    Raises:
        UsageError: No dataset there, or DuckDB's own words about the statement.
    """
    if not (folder / SWEEP_FILE).is_file():
        raise UsageError(f"{folder} is no dataset of a sweep; make one: robodyn-check sweep PATH… --out {folder}")
    _take_up(folder)
    with contextlib.closing(duckdb.connect()) as connection:
        for table, schema in (("tasks", TASKS), ("results", RESULTS)):
            _view(connection, folder, table, schema)
        connection.execute(VIEWS.read_text(encoding="utf-8").replace("{folder}", _quoted(str(folder.absolute()))))
        try:
            answer = connection.execute(sql)
            columns = tuple(str(column[0]) for column in answer.description or ())
            return Rows(columns=columns, rows=tuple(tuple(row) for row in answer.fetchall()))
        except duckdb.Error as error:
            hint = "Views: tasks, results, reports; DESCRIBE tasks shows the columns."
            raise UsageError(f"the question cannot be answered: {error}\n{hint}") from None


def ready_question(*, fails: bool, by: str | None, since: str | None) -> str:
    """Return the SQL of a ready question.

    Args:
        fails: Only what failed or ended with an error and is not known.
        by: Count by this word of `BY`; None lists.
        since: Only library versions from this one on.

    Raises:
        UsageError: An unknown word, or no version.
    """
    if by is not None and by not in BY:
        raise UsageError(f"--by {by}: expected one of {', '.join(BY)}")
    conditions = []
    if since is not None:
        if not _VERSION.match(since):
            raise UsageError(f"--since {since}: expected a version such as 3.14 or 4.0.0")
        conditions.append(f"version_order >= {[int(number) for number in since.split('.')]}")
    of_results = by in {"check", "quantity", "cause"}
    if fails:
        bad = "('fail', 'error')"
        conditions.append(f"result IN {bad} AND NOT is_known" if of_results else f"verdict IN {bad}")
    if by == "cause":
        conditions.append("cause IS NOT NULL")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    if by is None:
        columns, order = "model, spec, version, verdict, reason", "model, spec, version_order"
        return f"SELECT {columns} FROM tasks{where} ORDER BY {order}"  # noqa: S608 - words of ours and checked numbers
    if of_results:
        names = "code, slug" if by == "check" else BY[by]
        counts = "count(*) AS results, count(DISTINCT model) AS models, count(DISTINCT library) AS libraries"
        source, order = "results", f"results DESC, {names}"
    else:
        names = "spec, version" if by in {"library", "version"} else BY[by]
        verdicts = ("pass", "warn", "known", "skip", "fail", "error")
        counts = ", ".join(["count(*) AS tasks", *(f"count(*) FILTER (verdict = '{v}') AS \"{v}\"" for v in verdicts)])
        source, order = "tasks", names
    return f"SELECT {names}, {counts} FROM {source}{where} GROUP BY ALL ORDER BY {order}"  # noqa: S608 - as above


def as_table(answer: Rows, *, width: int = 40) -> str:
    """Return an answer as aligned text, long words cut."""
    cells = [[_short(value, width) for value in row] for row in answer.rows]
    widths = [max([len(name), *(len(row[column]) for row in cells)]) for column, name in enumerate(answer.columns)]
    lines = ["  ".join(name.ljust(size) for name, size in zip(answer.columns, widths, strict=True)).rstrip()]
    lines += ["  ".join(word.ljust(size) for word, size in zip(row, widths, strict=True)).rstrip() for row in cells]
    count = len(answer.rows)
    lines.append(f"({count} row{'' if count == 1 else 's'})")
    return "\n".join(lines) + "\n"


def as_csv(answer: Rows) -> str:
    """Return an answer as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)
    return out.getvalue()


def as_json(answer: Rows) -> str:
    """Return an answer as a JSON list of objects."""
    objects = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    return json.dumps(objects, indent=1, ensure_ascii=False, default=str) + "\n"


def _short(value: object, width: int) -> str:
    text = "" if value is None else f"{value:.4g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= width else text[: width - 1] + "…"


def _take_up(folder: Path) -> None:
    """Turn what a killed sweep left into Parquet, unless a sweep is at work."""
    if not any(folder.glob("journal-*.jsonl")):
        return
    with contextlib.suppress(OSError, UsageError), (folder / LOCK_FILE).open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(lock, fcntl.LOCK_UN)
        with Dataset(folder):
            pass


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _view(connection: Any, folder: Path, table: str, schema: Any) -> None:
    """Make the view of all rows of a table, empty where no part exists."""
    if any((folder / table).glob("library=*/part-*.parquet")):
        pattern = _quoted(str(folder.absolute() / table / "library=*" / "part-*.parquet"))
        options = "hive_partitioning = true, hive_types = {'library': VARCHAR}, union_by_name = true"
        source = f"read_parquet({pattern}, {options})"
        connection.execute(f"CREATE VIEW all_{table} AS SELECT * FROM {source}")  # noqa: S608 - a quoted path of ours
        return
    names = {"string": "VARCHAR", "int64": "BIGINT", "double": "DOUBLE", "bool": "BOOLEAN"}
    columns = ", ".join(f'"{field.name}" {names[str(field.type)]}' for field in schema)
    connection.execute(f"CREATE TABLE all_{table} ({columns}, library VARCHAR)")
