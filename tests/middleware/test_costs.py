"""Limits of bytes, memory and seconds hold for every kind of response."""

import gzip
import pickle
import socket
import time
import tracemalloc
import zlib

import pytest

from bonmun.errors import FetchTimeout, LimitExceeded
from bonmun.middleware.network import FetchPolicy, fetch
from tests.middleware.local_server import (
    HASTY,
    PAGE,
    SMALL,
    Answer,
    Server,
    answer,
    chunked,
    elapsed,
    failure,
    forever,
    redirect,
)


def bomb(wbits: int) -> bytes:
    stream, zeros = zlib.compressobj(1, wbits=wbits), bytes(2_000_000)
    return b"".join(stream.compress(zeros) for _ in range(100)) + stream.flush()


def failure_and_peak(url: str, policy: FetchPolicy) -> tuple[Exception, int]:
    """The error of a fetch, and its peak memory."""
    tracemalloc.start()
    try:
        return failure(url, policy), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.timed
@pytest.mark.parametrize(("encoding", "wbits"), [("gzip", 31), ("deflate", -15)])
def test_a_decompression_bomb_is_stopped_at_the_limit(server: Server, encoding: str, wbits: int) -> None:
    url = server.serve(answer(bomb(wbits), Content_Encoding=encoding))
    start = time.monotonic()
    error, peak = failure_and_peak(url, SMALL)
    assert isinstance(error, LimitExceeded)
    assert (error.limit, error.found, error.allowed) == ("bytes", 1_000_001, 1_000_000)
    assert peak < 4_000_000
    assert elapsed(start) < 1


@pytest.mark.timed
def test_a_bomb_of_empty_members_ends_at_the_deadline(server: Server) -> None:
    start = time.monotonic()
    packed = gzip.compress(b"") * 500_000
    assert isinstance(failure(server.serve(answer(packed, Content_Encoding="gzip")), HASTY), FetchTimeout)
    assert elapsed(start) < 2


def test_exactly_the_limit_passes_and_one_byte_more_does_not(server: Server) -> None:
    policy = FetchPolicy(allow_private=True, max_bytes=100_000)
    for body, fits in ((b"x" * 100_000, True), (b"x" * 100_001, False)):
        close_delimited = b"HTTP/1.1 200 OK\r\n\r\n" + body
        for response in (answer(body), close_delimited, answer(gzip.compress(body), Content_Encoding="gzip")):
            url = server.serve(response)
            if fits:
                assert fetch(url, policy).content == body
            else:
                assert isinstance(failure(url, policy), LimitExceeded)


def test_a_declared_length_beyond_the_limit_is_refused_without_reading(server: Server) -> None:
    error = failure(server.serve(answer(b"", Content_Length="99999999999999999999")), SMALL)
    assert isinstance(error, LimitExceeded)
    assert error.found == 99999999999999999999


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(forever(b"HTTP/1.1 200 OK\r\n\r\n", bytes(50_000)), id="no length"),
        pytest.param(forever(chunked(b""), b"C350\r\n" + bytes(50_000) + b"\r\n"), id="endless chunks"),
        pytest.param(forever(chunked(b"FFFFFFFFFFFFFFFF\r\n"), bytes(50_000)), id="endless chunk"),
        # http.client reads a chunk of -1 bytes to the end of the connection, all in memory.
        pytest.param(forever(chunked(b"-1\r\n"), bytes(50_000)), id="chunk of -1"),
        pytest.param(forever(chunked(b""), b"1;" + b"x" * 50_000 + b"\r\na\r\n"), id="chunk extensions"),
        pytest.param(forever(chunked(b"0\r\n"), b"X: y\r\n" * 5000), id="endless trailers"),
    ],
)
def test_an_endless_response_is_stopped_at_the_limit(server: Server, response: Answer) -> None:
    url = server.serve(response)
    error, peak = failure_and_peak(url, SMALL)
    assert isinstance(error, LimitExceeded)
    assert peak < 8_000_000


@pytest.mark.timed
@pytest.mark.parametrize(
    "response",
    [
        pytest.param(forever(b"", b"", 0.05), id="silence"),
        pytest.param(forever(b"HTTP/1.1 200 OK\r\nX: ", b"y", 0.05), id="header"),
        pytest.param(forever(b"HTTP/1.1 200 OK\r\n\r\n", b"y", 0.05), id="body"),
        pytest.param(forever(answer(b"", Content_Length="9999"), b"y", 0.05), id="body with length"),
        pytest.param(forever(chunked(b""), b"1\r\ny\r\n", 0.05), id="chunks"),
    ],
)
def test_a_slow_server_is_stopped_at_the_deadline(server: Server, response: Answer) -> None:
    start = time.monotonic()
    assert isinstance(failure(server.serve(response), HASTY), FetchTimeout)
    assert 0.2 < elapsed(start) < 1.2


@pytest.mark.timed
def test_the_deadline_covers_all_redirects_together(server: Server) -> None:
    def slowly_on(connection: socket.socket) -> None:
        time.sleep(0.15)
        connection.sendall(redirect("/"))

    start = time.monotonic()
    assert isinstance(failure(server.serve(slowly_on), HASTY), FetchTimeout)
    assert elapsed(start) < 1.2


def test_an_infinite_timeout_is_allowed(server: Server) -> None:
    assert fetch(server.serve(answer()), FetchPolicy(allow_private=True, seconds=float("inf"))).content == PAGE


def test_errors_survive_pickling(server: Server) -> None:
    for response in (answer(b"", Content_Length="9999999"), answer(b"", "404 Not Found")):
        error = failure(server.serve(response), SMALL)
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
        assert (type(copy), str(copy)) == (type(error), str(error))
