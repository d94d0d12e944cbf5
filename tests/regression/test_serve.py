from __future__ import annotations

import http.client
import threading
from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.regression.serve import make_server
from robodyn_check.report.json_format import to_json

from .test_diff import report, result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    folder = tmp_path / "reports"
    (folder / "sub").mkdir(parents=True)
    (folder / "run.json").write_text(to_json(report(result(message="<script>alert(1)</script>"))), encoding="utf-8")
    (folder / "other.json").write_text("{}", encoding="utf-8")
    (folder / "page.html").write_text("<p>hello</p>", encoding="utf-8")
    (folder / "values.npz").write_bytes(b"0")
    (folder / ".hidden.html").write_text("no", encoding="utf-8")
    (folder / "way-out.json").symlink_to(tmp_path / "secret.json")
    server = make_server(folder, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield "127.0.0.1", int(server.server_address[1])
    server.shutdown()
    thread.join()
    server.server_close()


def get(address: tuple[str, int], path: str, method: str = "GET") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection(*address, timeout=10)
    connection.request(method, path)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, answer.getheader("Content-Type") or "", body


def test_the_folder_is_listed(address: tuple[str, int]) -> None:
    status, kind, body = get(address, "/")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert 'href="page.html"' in body
    assert 'href="sub/"' in body
    assert 'href="run.json?page"' in body
    assert "hidden" not in body
    assert "npz" not in body


def test_a_report_becomes_a_page_with_names_escaped(address: tuple[str, int]) -> None:
    status, kind, body = get(address, "/run.json?page")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert "&lt;script&gt;alert(1)" in body
    assert "<script>alert(1)" not in body


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/page.html", 200),
        ("/run.json", 200),
        ("/nothing.html", 404),
        ("/values.npz", 404),
        ("/.hidden.html", 404),
        ("/../secret.json", 404),
        ("/%2e%2e/secret.json", 404),
        ("/way-out.json", 404),
        ("/other.json?page", 422),
    ],
)
def test_only_pages_below_the_folder_are_served(address: tuple[str, int], path: str, status: int) -> None:
    assert get(address, path)[0] == status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_written(address: tuple[str, int], method: str) -> None:
    assert get(address, "/page.html", method)[0] == 501


def test_a_missing_folder_or_a_taken_port_is_refused(address: tuple[str, int], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        make_server(tmp_path / "none", host="127.0.0.1", port=0)
    with pytest.raises(UsageError, match=r"cannot be had.*--port"):
        make_server(tmp_path, host=address[0], port=address[1])
