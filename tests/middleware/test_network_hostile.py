"""Hostile servers: every case ends in a typed failure within its time, and the next page of the manager still comes."""

import gzip
import socket
import time
import tracemalloc
from collections.abc import Iterator

import pytest
import zstandard

import bonmun
from bonmun.errors import (
    AddressRefused,
    BadStatus,
    BonmunError,
    FetchError,
    FetchTimeout,
    LimitExceeded,
    TooManyRedirects,
)
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.network_manager import NetworkManager
from tests.middleware.hostile_server import HEAD, bomb, reset
from tests.middleware.local_server import PAGE, Answer, answer, chunked, elapsed, forever, redirect, serving
from tests.middleware.network_server import KeepAliveServer, all_of, failure, get, settings


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        yield running


@pytest.mark.timed
@pytest.mark.parametrize(
    "response",
    [
        pytest.param(forever(b"", b"", 0.05), id="silence"),
        pytest.param(forever(HEAD + b"X: ", b"y", 0.05), id="header"),
        pytest.param(forever(HEAD + b"\r\n", b"y", 0.05), id="body"),
        pytest.param(forever(answer(b"", Content_Length="9999"), b"y", 0.05), id="body with length"),
        pytest.param(forever(chunked(b""), b"1\r\ny\r\n", 0.05), id="chunks"),
        pytest.param(forever(b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", b"y", 0.05), id="redirect"),
        pytest.param(forever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.05), id="preambles"),
    ],
)
def test_a_slow_drip_is_stopped_at_the_deadline(server: KeepAliveServer, response: Answer) -> None:
    url = server.serve(response)
    start = time.monotonic()
    assert isinstance(failure(url, seconds=0.4), FetchTimeout)
    assert elapsed(start) < 2


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(forever(HEAD + b"\r\n", bytes(50_000)), id="no length"),
        pytest.param(forever(chunked(b""), b"C350\r\n" + bytes(50_000) + b"\r\n"), id="endless chunks"),
        pytest.param(forever(chunked(b""), b"1;" + b"x" * 50_000 + b"\r\na\r\n"), id="chunk extensions"),
        pytest.param(forever(answer(b"", Content_Length="99999999999"), bytes(50_000)), id="declared"),
    ],
)
def test_an_endless_response_is_stopped_at_the_limit(server: KeepAliveServer, response: Answer) -> None:
    url = server.serve(response)
    tracemalloc.start()
    try:
        error, peak = failure(url, max_bytes=1_000_000, retries=0), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(error, LimitExceeded)
    assert peak < 8_000_000


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_decompression_bomb_is_stopped_at_the_limit(server: KeepAliveServer, encoding: str) -> None:
    url = server.serve(answer(bomb(encoding, 50_000_000), Content_Encoding=encoding))
    for cache in (None, ":memory:"):
        with NetworkManager(settings(max_bytes=1_000_000, cache=cache)) as network:
            tracemalloc.start()
            try:
                ((_, error),) = network.stream([Request(url)])
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
        assert isinstance(error, LimitExceeded)
        assert "NetworkSettings.max_bytes" in str(error)
        assert error.found < 4_000_000
        assert peak < 10_000_000


def test_a_zstandard_window_beyond_the_standard_is_refused(server: KeepAliveServer) -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=27)
    packed = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    body = packed.compress(bytes(1000)) + packed.flush()
    assert "damaged" in str(failure(server.serve(answer(body, Content_Encoding="zstd"))))


@pytest.mark.timed
def test_a_bomb_of_empty_members_ends_at_the_deadline(server: KeepAliveServer) -> None:
    url = server.serve(answer(gzip.compress(b"") * 500_000, Content_Encoding="gzip"))
    start = time.monotonic()
    assert isinstance(failure(url, seconds=0.3), FetchTimeout)
    assert elapsed(start) < 3


def test_a_redirect_loop_ends_at_the_limit(server: KeepAliveServer) -> None:
    url = server.serve(redirect("/"))
    assert isinstance(failure(url, redirects=3), TooManyRedirects)
    assert len(server.seen) == 4


@pytest.mark.timed
def test_the_deadline_covers_all_redirects_together(server: KeepAliveServer) -> None:
    def slowly_on(connection: socket.socket) -> None:
        time.sleep(0.15)
        connection.sendall(redirect("/"))

    start = time.monotonic()
    assert isinstance(failure(server.serve(slowly_on), seconds=0.25), FetchTimeout)
    assert elapsed(start) < 1.5


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "gopher://127.0.0.1:25/x", "http://[::1", "http://u:secret@127.0.0.1/", "\xff://"]
)
def test_a_redirect_that_cannot_be_followed_is_an_error(server: KeepAliveServer, target: str) -> None:
    response = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + target.encode("latin-1") + b"\r\n\r\n"
    message = str(failure(server.serve(response)))
    assert "secret" not in message


@pytest.mark.parametrize(
    ("response", "words"),
    [
        pytest.param(reset, "reset", id="reset"),
        pytest.param(lambda connection: None, "without a response", id="nothing"),
        pytest.param(lambda connection: connection.sendall(answer(PAGE, Content_Length="99")), "truncated", id="short"),
        pytest.param(lambda connection: connection.sendall(chunked(b"5\r\nab")), "truncated", id="cut chunk"),
        pytest.param(lambda connection: connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "invalid", id="ssh"),
        pytest.param(lambda connection: connection.sendall(b"<html>"), "", id="no header"),
        pytest.param(chunked(b"zz\r\nab\r\n0\r\n\r\n"), "invalid", id="chunk size no number"),
        pytest.param(answer(Content_Length="-5"), "invalid", id="negative length"),
    ],
)
def test_a_broken_response_is_tried_again_and_then_an_error(
    server: KeepAliveServer, response: bytes | Answer, words: str
) -> None:
    url = server.serve(response)
    error = failure(url, retries=1)
    assert type(error) is FetchError
    assert words in str(error)
    assert len(server.seen) == 2
    server.serve([response, answer()])
    page = get(url, retries=1)
    assert page.content == PAGE
    assert page.network is not None
    assert page.network.attempts == 2


def test_more_than_the_declared_length_is_not_read(server: KeepAliveServer) -> None:
    urls = [server.serve(answer(b"abcdef", Content_Length="3"), f"/{number}") for number in range(4)]
    with NetworkManager(settings()) as network:
        pages = all_of(network, urls)
    assert [page.content for page in pages.values() if isinstance(page, SourcePage)] == [b"abc"] * 4


@pytest.mark.timed
@pytest.mark.parametrize(
    "response",
    [
        pytest.param(answer(X_Long="x" * 200_000), id="one long header"),
        pytest.param(answer(PAGE, "200 OK", **{f"X{number}": "y" * 600 for number in range(300)}), id="many headers"),
        pytest.param(HEAD + b"Set-Cookie: a=b\r\n" * 100_000 + b"\r\n", id="100,000 cookies"),
        pytest.param(forever(HEAD, b"X: y\r\n" * 10), id="endless headers"),
        pytest.param(forever(HEAD + b"X: ", b"y" * 1000), id="endless header line"),
        pytest.param(forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10), id="endless preambles"),
        pytest.param(forever(b"", b"x" * 1000), id="endless status line"),
    ],
)
def test_huge_headers_are_refused_at_once(server: KeepAliveServer, response: bytes | Answer) -> None:
    start = time.monotonic()
    assert type(failure(server.serve(response), retries=0)) is FetchError
    assert elapsed(start) < 3


def test_thousands_of_cookies_that_fit_are_dropped(server: KeepAliveServer) -> None:
    cookies = b"".join(b"Set-Cookie: %d=x\r\n" % number for number in range(4000))
    url = server.serve(HEAD + cookies + b"Content-Length: 2\r\n\r\nok")
    for cache in (None, ":memory:"):
        assert get(url, cache=cache).content == b"ok"


def test_a_wrong_charset_reaches_extraction_as_sent(server: KeepAliveServer) -> None:
    html = "<p>차는 잎으로 만든다. 물은 막 끓은 것이 좋다고 한다.</p>".encode()
    page = get(server.serve(answer(html, Content_Type="text/html; charset=shift_jis")))
    assert page.content_type == "text/html; charset=shift_jis"
    assert "차는 잎으로 만든다" in bonmun.extract(page.content, url=page.url, charset=page.content_type).text


@pytest.mark.parametrize("status", ["400 Bad", "404 Not Found", "403 Forbidden", "304 Not", "300 Many"])
def test_an_error_status_is_reported_and_not_tried_again(server: KeepAliveServer, status: str) -> None:
    error = failure(server.serve(answer(b"x" if status[0] == "4" else b"", status)))
    assert isinstance(error, BadStatus)
    assert f"answered {status[:3]}" in str(error)
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "x",
            "/etc/passwd",
            "http:",
            "http://[",
            "http://h:99999/",
            "http://\ud800/",
            "http://xn--/",
            "file:///x",
        ),
        *("http://user:secret@h/", "a\r\nb: http://h/", "http://" + "a" * 300 + "/", "http://" + "a." * 5000 + "/"),
        *("x" * 100_000, "http://127.0.0.1:1/" + "y" * 100_000),
    ],
)
def test_a_url_that_cannot_be_fetched_is_a_one_line_error(url: str) -> None:
    with NetworkManager(settings(seconds=1.0)) as network:
        ((request, error),) = network.stream([Request(url)])
    assert request.url == url
    assert isinstance(error, FetchError)
    assert str(error).isprintable()
    assert "secret" not in str(error)
    assert len(str(error)) < 500


def test_a_refused_port_is_not_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "refused" in str(failure(f"http://127.0.0.1:{port}/")).lower()


@pytest.mark.timed
def test_all_of_them_at_once_hang_nothing(server: KeepAliveServer) -> None:
    scripts: dict[str, tuple[bytes | Answer, type[BonmunError]]] = {
        "/drip": (forever(HEAD + b"\r\n", b"y", 0.05), FetchTimeout),
        "/endless": (forever(HEAD + b"\r\n", bytes(50_000)), LimitExceeded),
        "/loop": (redirect("/loop"), TooManyRedirects),
        "/bomb": (answer(bomb("gzip", 50_000_000), Content_Encoding="gzip"), LimitExceeded),
        "/reset": (reset, FetchError),
        "/500": (answer(b"", "500 Oops"), BadStatus),
        "/429": (answer(b"", "429 Slow", Retry_After="1000"), BadStatus),
    }
    expected = {server.serve(script, path): error for path, (script, error) in scripts.items()}
    start = time.monotonic()
    hasty = settings(per_host=2, seconds=0.5, max_bytes=1_000_000, max_wait=0.05, redirects=2)
    with NetworkManager(hasty) as network:
        results = all_of(network, [*expected, server.serve(answer(), "/good")])
        assert network.fetch(Request(server.serve(answer(), "/after"))).content == PAGE
    assert elapsed(start) < 15
    good = results.pop(f"http://127.0.0.1:{server.port}/good")
    assert isinstance(good, SourcePage)
    assert {url: isinstance(result, expected[url]) for url, result in results.items()} == dict.fromkeys(expected, True)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "a.localhost.", "0x7f.1", "[64:ff9b::7f00:1]"])
def test_a_private_address_is_refused(server: KeepAliveServer, host: str) -> None:
    server.serve(answer())
    for robots in (False, True):
        error = failure(f"http://{host}:{server.port}/", allow_private=False, honour_robots=robots)
        assert isinstance(error, AddressRefused)
    assert server.seen == []
