"""Responses: pages are returned as sent, invalid responses are errors."""

import socket
import struct
import time

import pytest

import bonmun
from bonmun.errors import BadStatus, FetchError
from bonmun.middleware.network import Fetched, FetchPolicy, fetch
from tests.middleware.local_server import HOME, PAGE, Answer, Server, answer, chunked, elapsed, failure, forever


def test_a_page_comes_with_its_final_url_and_its_content_type_as_sent(server: Server) -> None:
    url = server.serve(answer(Content_Type='text/HTML; charset="euc-kr"'), "/a?b=%ED")
    assert fetch(url, HOME) == Fetched(url, PAGE, 'text/HTML; charset="euc-kr"')


def test_a_fetched_page_is_extracted_with_its_url_and_charset(server: Server) -> None:
    html = "<p>차는 잎으로 만든다. <a href=/tea>차</a></p>".encode("cp949")
    page = fetch(server.serve(answer(html, Content_Type="text/html; charset=euc-kr"), "/a"), HOME)
    document = bonmun.extract(page.content, url=page.url, charset=page.content_type)
    assert document.text == "차는 잎으로 만든다. 차"
    assert document.warnings == ()
    assert f"(http://127.0.0.1:{server.port}/tea)" in document.markdown


def test_a_missing_content_type_is_none_and_an_empty_body_is_valid(server: Server) -> None:
    assert fetch(server.serve(answer(b"", "204 No Content")), HOME).content == b""
    got = fetch(server.serve(answer(b"", Content_Encoding="gzip")), HOME)
    assert (got.content, got.content_type) == (b"", None)


def test_the_request_has_a_user_agent_and_no_cookies_or_credentials(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    server.serve(answer(b"", "302 Found", Location="/page", Set_Cookie="id=1"))
    fetch(server.serve(answer(), "/page").replace("/page", "/"), HOME)
    asked = server.requests[-1]
    assert asked.startswith("GET /page HTTP/1.1\n")
    assert f"\nHost: 127.0.0.1:{server.port}\n" in asked
    assert "\nUser-Agent: bonmun/" in asked
    assert "\nAccept-Encoding: gzip, deflate\n" in asked
    assert not any(name in asked for name in ("Cookie", "Authorization", "Referer"))


def test_a_korean_address_and_user_agent_reach_the_server(server: Server) -> None:
    server.serve(answer(), "/%EA%B0%80?%EB%82%98=1")
    url = f"http://127.0.0.1:{server.port}/가?나=1"
    assert fetch(url, FetchPolicy(allow_private=True, user_agent="본문/1")).content == PAGE


def test_a_chunked_response_is_joined(server: Server) -> None:
    url = server.serve(chunked(b"3\r\nabc\r\n", b"2;x=y\r\nde\r\n", b"0\r\nTrailer: 1\r\n\r\n"))
    assert fetch(url, HOME).content == b"abcde"


@pytest.mark.parametrize(
    "status", ["400 Bad", "404 Not Found", "418 Tea", "500 Oops", "503 Busy", "304 Not", "300 Many"]
)
def test_an_error_status_is_reported_with_its_code(server: Server, status: str) -> None:
    error = failure(server.serve(answer(b"x", status)))
    assert isinstance(error, BadStatus)
    assert f"answered {status[:3]}" in str(error)


@pytest.mark.parametrize("location", [{}, {"Location": ""}])
def test_a_redirect_without_a_location_is_a_bad_status(server: Server, location: dict[str, str]) -> None:
    assert isinstance(failure(server.serve(answer(b"", "301 Moved", **location))), BadStatus)


def reset(connection: socket.socket) -> None:
    connection.sendall(answer(PAGE, Content_Length="1000"))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(reset, id="reset"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", id="another protocol"),
        pytest.param(b"<html>HTTP/0.9", id="no header"),
        pytest.param(b"HTTP/1.1 9999 X\r\n\r\n", id="status out of range"),
        pytest.param(b"HTTP/1.1 abc\r\n\r\n", id="status no number"),
        pytest.param(b"HTTP/1.1 101 Switching\r\n\r\n", id="switching protocols"),
        pytest.param(answer(PAGE, Content_Length="1000"), id="shorter than declared"),
        pytest.param(chunked(b"5\r\nab"), id="cut inside a chunk"),
        pytest.param(chunked(b"2\r\nab\r\n"), id="no last chunk"),
        pytest.param(chunked(b"zz\r\nab\r\n0\r\n\r\n"), id="chunk size no number"),
        pytest.param(chunked(b"-9\r\nab\r\n0\r\n\r\n"), id="negative chunk"),
        # These three make the standard header parser raise TypeError, ValueError and UnicodeError.
        pytest.param(answer(Content_Type="multipart/x; boundary*=a; boundary*0=b"), id="parameters of two kinds"),
        pytest.param(answer(Content_Type=f"multipart/x; boundary*{'9' * 5000}=b"), id="endless number"),
        pytest.param(answer(Content_Type="multipart/x; boundary*=idna''x%ff"), id="odd charset"),
    ],
)
def test_a_broken_response_is_a_fetch_error(server: Server, response: bytes | Answer) -> None:
    assert isinstance(failure(server.serve(response)), FetchError)


def test_more_than_the_declared_length_is_not_read(server: Server) -> None:
    assert fetch(server.serve(answer(b"abcdef", Content_Length="3")), HOME).content == b"abc"


@pytest.mark.parametrize("length", ["-5", "abc", ""])
def test_an_invalid_content_length_is_ignored(server: Server, length: str) -> None:
    assert fetch(server.serve(answer(Content_Length=length)), HOME).content == PAGE


@pytest.mark.timed
@pytest.mark.parametrize(
    "response",
    [
        pytest.param(answer(X_Long="x" * 50_000), id="one long header"),
        pytest.param(answer(PAGE, "200 OK", **{f"X{number}": "y" * 600 for number in range(90)}), id="many headers"),
        pytest.param(
            answer(PAGE, "200 OK", **{f"X{number}": "y" for number in range(200)}), id="very many short headers"
        ),
        pytest.param(forever(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 10), id="endless headers"),
        pytest.param(forever(b"HTTP/1.1 200 OK\r\nX: ", b"y" * 1000), id="endless header line"),
        pytest.param(forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 10), id="endless preambles"),
        pytest.param(forever(b"", b"x" * 1000), id="endless status line"),
    ],
)
def test_huge_headers_are_refused_at_once(server: Server, response: bytes | Answer) -> None:
    start = time.monotonic()
    assert isinstance(failure(server.serve(response)), FetchError)
    assert elapsed(start) < 2


@pytest.mark.cpu_timed
def test_headers_built_to_keep_the_parser_busy_are_bounded(server: Server) -> None:
    start = time.process_time()
    fetch(server.serve(answer(Content_Type='multipart/x; boundary="' + ";" * 30_000)), HOME)
    assert time.process_time() - start < 3
