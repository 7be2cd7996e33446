"""Invalid URLs and unreachable hosts fail soon, with a one-line message."""

import socket
import time

import pytest

from bonmun.errors import FetchTimeout
from bonmun.middleware.network import FetchPolicy
from tests.middleware.local_server import HASTY, elapsed, failure


@pytest.mark.parametrize(
    "url",
    [
        *("", " ", "x", "/etc/passwd", "//host/x", "example.org/page", "http:", "http://", "http://?", "://"),
        *("http://[", "http://[::1", "http://[fe80::1%25eth0]/", "http://h:99999/", "http://h:-1/", "http://h:x/"),
        *("http://\ud800/", "http://h/\ud800", "http://\x00/", "http://xn--/", "http://1.2.3.4.5/", "http://a b/"),
        *("http://999.1.1.1/", "file:///etc/passwd", "ftp://h/", "data:,x", "javascript:1", "mailto:a@b"),
        *("about:blank", "ws://h/", "HTTPX://h"),
        *("http://user@h/", "http://user:secret@h/", "http://:secret@h/", "http:\\\\u:secret@h\\", "http://a@b@h/"),
        *("http://127.0.0.1:secret@h/", "a\r\nb: http://h/", "http://" + "a" * 300 + "/", "http://a..b/", "http://.h/"),
        *("http://-.invalid/", "http://_.invalid/", "https://.invalid/", "http://" + "a." * 5000 + "/", "x" * 100_000),
    ],
)
def test_a_url_that_cannot_be_fetched_is_a_one_line_error(url: str) -> None:
    message = str(failure(url, FetchPolicy()))
    assert "secret" not in message
    assert len(message) < 500


@pytest.mark.timed
def test_an_unknown_host_fails_quickly() -> None:
    start = time.monotonic()
    assert "lookup failed" in str(failure("http://no-such-host.invalid/"))
    assert elapsed(start) < 5


@pytest.mark.timed
def test_a_silent_name_server_is_stopped_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(1.5))
    start = time.monotonic()
    assert isinstance(failure("http://slow.test/", HASTY), FetchTimeout)
    assert elapsed(start) < 1.2


def test_a_refused_port_is_a_fetch_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "refused" in str(failure(f"http://127.0.0.1:{port}/")).lower()
    failure("http://127.0.0.1:0/")
