"""Serves a folder of reports to a browser: read-only, files below the folder alone, JSON reports as pages."""

from __future__ import annotations

import html
import http.server
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from robodyn_check.errors import UsageError
from robodyn_check.report.html import html as report_page
from robodyn_check.report.json_format import read_report

if TYPE_CHECKING:
    from pathlib import Path

#: What is served, by suffix; everything else in the folder is not found.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".xml": "application/xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}


def make_server(folder: Path, *, host: str, port: int) -> http.server.ThreadingHTTPServer:
    """Return a server that is bound and not yet running; its ``serve_forever`` runs it.

    Raises:
        UsageError: The folder does not exist or the address cannot be had.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder")
    try:
        return http.server.ThreadingHTTPServer((host, port), partial(_Handler, folder.resolve()))
    except OSError as error:
        raise UsageError(f"{host}:{port} cannot be had: {error.strerror}. Take another one with --port.") from error


class _Handler(http.server.BaseHTTPRequestHandler):
    """GET and HEAD of known kinds of files below one folder."""

    server_version = "robodyn-check"
    sys_version = ""

    def __init__(self, folder: Path, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Answer with a file, a folder's list, or a report as a page (``report.json?page``)."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with the headers alone."""
        self._answer(body=False)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: stdout and stderr belong to the command."""

    def _answer(self, *, body: bool) -> None:
        parts = urlsplit(self.path)
        path = (self.folder / unquote(parts.path).lstrip("/")).resolve()
        if path != self.folder and self.folder not in path.parents:
            return self._send(HTTPStatus.NOT_FOUND, "text/plain", b"not found\n", body=body)
        if path.is_dir():
            return self._send(HTTPStatus.OK, TYPES[".html"], self._listing(path).encode(), body=body)
        if not path.is_file() or path.suffix not in TYPES or path.name.startswith("."):
            return self._send(HTTPStatus.NOT_FOUND, "text/plain", b"not found\n", body=body)
        if path.suffix == ".json" and parts.query == "page":
            try:
                page = report_page(read_report(path.read_text(encoding="utf-8")))
            except UsageError as error:
                text = f"{path.name} is no report of a check: {error}\n".encode()
                return self._send(HTTPStatus.UNPROCESSABLE_ENTITY, "text/plain; charset=utf-8", text, body=body)
            return self._send(HTTPStatus.OK, TYPES[".html"], page.encode(), body=body)
        return self._send(HTTPStatus.OK, TYPES[path.suffix], path.read_bytes(), body=body)

    def _listing(self, folder: Path) -> str:
        """Return a page with the folder's reports."""
        items = []
        if folder != self.folder:
            items.append('<li><a href="../">..</a></li>')
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith(".") or not (entry.is_dir() or entry.suffix in TYPES):
                continue
            name = entry.name + ("/" if entry.is_dir() else "")
            link = f'<a href="{quote(name)}">{html.escape(name)}</a>'
            page = f' (<a href="{quote(name)}?page">as a page</a>)' if entry.suffix == ".json" else ""
            items.append(f"<li>{link}{page}</li>")
        title = html.escape(folder.name)
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
            f"<body><h1>{title}</h1><ul>{''.join(items)}</ul></body></html>"
        )

    def _send(self, status: HTTPStatus, kind: str, content: bytes, *, body: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Content-Type-Options", "nosniff")
        # pages need their own styles and script and nothing from anywhere else
        self.send_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; "
                         "script-src 'unsafe-inline'; img-src data:")  # fmt: skip
        self.end_headers()
        if body:
            self.wfile.write(content)
