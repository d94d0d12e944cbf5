"""Where pages of comparisons go: ``--format NAME[=FILE]`` with terminal, json, markdown and html."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robodyn_check.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.regression.page import Page

PAGE_FORMATS = ("terminal", "json", "markdown", "html")
PageFormat = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        help="terminal, json, markdown or html, to stdout or to a file; repeatable. [default: terminal]",
        metavar="NAME[=FILE]",
    ),
]


def parse_page_formats(words: Sequence[str]) -> tuple[tuple[str, Path | None], ...]:
    """Read ``NAME[=FILE]`` words.

    Raises:
        UsageError: An unknown format, a folder that does not exist, or two formats for stdout.
    """
    outputs: list[tuple[str, Path | None]] = []
    for word in words or ("terminal",):
        name, equals, target = word.partition("=")
        if name not in PAGE_FORMATS or (equals and not target):
            raise UsageError(f"--format {word}: expected NAME or NAME=FILE, NAME one of {', '.join(PAGE_FORMATS)}")
        file = Path(target) if target else None
        if file is not None and not file.parent.is_dir():
            raise UsageError(f"--format {word}: the folder {str(file.parent)!r} does not exist")
        outputs.append((name, file))
    if sum(file is None for _, file in outputs) > 1:
        raise UsageError("--format: two formats would share stdout; give all but one a file, such as html=FILE")
    return tuple(outputs)


def write_page(page: Page, record: object, outputs: Sequence[tuple[str, Path | None]]) -> None:
    """Write the page once per output; JSON has the record that the page was made from."""
    from robodyn_check.cli.output import speaks_unicode, terminal_width, write_atomically
    from robodyn_check.regression.page_html import page_html
    from robodyn_check.regression.page_text import page_markdown, page_text
    from robodyn_check.report.json_format import dumps
    from robodyn_check.report.layout import to_ascii

    for name, file in outputs:
        if name == "json":
            text = dumps(record)
        elif name == "html":
            text = page_html(page)
        elif name == "markdown":
            text = page_markdown(page)
        else:
            text = page_text(page, width=terminal_width() if file is None else 80)
            text = text if file is not None or speaks_unicode() else to_ascii(text)
        if file is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            write_atomically(file, text)
