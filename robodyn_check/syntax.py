"""Python source text read into its syntax tree, one text at a time."""

from __future__ import annotations

import ast
import threading

_ONE_AT_A_TIME = threading.Lock()


def parse_python(source: str, filename: str = "<text>") -> ast.Module:
    """Return the syntax tree of a source text; safe to call from several threads.

    CPython 3.11 counts how deep a tree is in one place for all threads, and raises SystemError ("AST constructor
    recursion depth mismatch") where two of them build trees at once. Sessions start in threads and each reads its
    adapter's file, so every tree of this package is built behind one lock.

    Raises:
        SyntaxError: The text is no Python.
        ValueError: The text holds a null byte.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source, filename=filename)
