"""``robodyn-check query "SQL"``: ask the dataset of a sweep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from robodyn_check.errors import UsageError

Sql = Annotated[str | None, typer.Argument(help="A statement about the views tasks, results, reports.", metavar="SQL")]
Data = Annotated[Path, typer.Option("--data", help="Folder of the dataset.", metavar="FOLDER")]
Fails = Annotated[bool, typer.Option("--fails", help="What failed or ended with an error and is not known.")]
By = Annotated[
    str | None,
    typer.Option("--by", help="Count by library, version, model, verdict, check, quantity or cause.", metavar="WORD"),
]
Since = Annotated[str | None, typer.Option("--since", help="Library versions from this one on.", metavar="VERSION")]
Format = Annotated[str, typer.Option("--format", help="table, csv or json.", metavar="NAME")]
Matrix = Annotated[
    Path | None, typer.Option("--matrix", help="Write the page models × libraries × versions.", metavar="FILE")
]


def command(
    sql: Sql = None,
    *,
    data: Data = Path("robodyn-sweep"),
    fails: Fails = False,
    by: By = None,
    since: Since = None,
    format: Format = "table",  # noqa: A002 - the option's name
    matrix: Matrix = None,
) -> int:
    """Ask the dataset of a sweep, in SQL or with a ready question.

    Example: robodyn-check query --fails --by library --since 3.14
    """
    ready = fails or by is not None or since is not None
    if sql is not None and ready:
        raise UsageError("give a statement or a ready question (--fails, --by, --since), not both")
    if sql is None and not ready and matrix is None:
        raise UsageError('nothing asked. For example: robodyn-check query --fails, or query "SELECT * FROM tasks"')

    from robodyn_check.cli.output import write_atomically
    from robodyn_check.sweep.query import as_csv, as_json, as_table, ask, ready_question

    writers = {"table": as_table, "csv": as_csv, "json": as_json}
    if format not in writers:
        raise UsageError(f"--format {format}: expected one of {', '.join(writers)}")
    if sql is not None or ready:
        question = sql if sql is not None else ready_question(fails=fails, by=by, since=since)
        typer.echo(writers[format](ask(data, question)), nl=False)
    if matrix is not None:
        from robodyn_check.sweep.matrix_page import matrix_page

        write_atomically(matrix, matrix_page(data))
    return 0
