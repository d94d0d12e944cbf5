"""One line of progress on stderr, on a terminal only; it is wiped before anything else is printed."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Give a function that shows what is being done; safe to call from several threads."""
    if not sys.stderr.isatty():
        yield lambda _text: None
        return
    lock = threading.Lock()

    def show(text: str) -> None:
        width = shutil.get_terminal_size((80, 24)).columns - 1
        with lock:
            sys.stderr.write(f"\r{text[:width]:<{width}}")
            sys.stderr.flush()

    try:
        yield show
    finally:
        show("")
        sys.stderr.write("\r")
        sys.stderr.flush()
