"""The fetch against a real server on the loopback interface: what it accepts, and what it survives."""

import contextlib
import gzip
import http.server
import pickle
import shutil
import socket
import ssl
import struct
import subprocess
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bonmun.errors import (
    AddressRefused,
    BadStatus,
    BonmunError,
    FetchError,
    FetchTimeout,
    LimitExceeded,
    TooManyRedirects,
)
from bonmun.middleware import network
from bonmun.middleware.network import Fetched, FetchPolicy, fetch, is_public

PAGE = "<p>본문".encode()
PUBLIC = "93.184.215.14"
HOME = FetchPolicy(allow_private=True, seconds=5.0)
SMALL = FetchPolicy(allow_private=True, seconds=5.0, max_bytes=1_000_000)
HASTY = FetchPolicy(allow_private=True, seconds=0.25)

Answer = Callable[[socket.socket], None]


class _Handler(http.server.BaseHTTPRequestHandler):
    server: "Server"

    def do_GET(self) -> None:
        self.server.requests.append(f"{self.requestline}\n{self.headers}")
        self.close_connection = True
        answer = self.server.answers[self.path]
        with contextlib.suppress(OSError):
            if callable(answer):
                answer(self.connection)
            else:
                self.connection.sendall(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, bytes | Answer] = {}
        self.requests: list[str] = []
        self.port = self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what many of these tests are about."""

    def says(self, answer: bytes | Answer, path: str = "/") -> str:
        self.answers[path] = answer
        return f"http://127.0.0.1:{self.port}{path}"


@contextlib.contextmanager
def serving(server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


def answer(body: bytes = PAGE, status: str = "200 OK", **headers: str) -> bytes:
    fields = {"Content-Length": str(len(body))} | {name.replace("_", "-"): text for name, text in headers.items()}
    head = "".join(f"{name}: {text}\r\n" for name, text in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def redirect(to: str, status: str = "302 Found") -> bytes:
    return answer(b"", status, Location=to)


def chunked(*chunks: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(chunks)


def forever(start: bytes, again: bytes, pause: float = 0.0) -> Answer:
    """An answer that goes on until the client hangs up, for four seconds at most."""

    def drip(connection: socket.socket) -> None:
        connection.sendall(start)
        end = time.monotonic() + 4
        while time.monotonic() < end:
            connection.sendall(again)
            time.sleep(pause)

    return drip


def failure(url: str, policy: FetchPolicy = HOME, get: Callable[[str, FetchPolicy], Fetched] = fetch) -> BonmunError:
    """The error a fetch ends with; whatever it is, it must be one line that names the URL."""
    with pytest.raises((FetchError, LimitExceeded)) as caught:
        get(url, policy)
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith(url[:40]) or not url.isprintable() or "@" in url
    return caught.value


def elapsed(start: float) -> float:
    return time.monotonic() - start


# --- what a good server gives


def test_a_page_comes_with_its_final_url_and_its_content_type_as_sent(server: Server) -> None:
    url = server.says(answer(Content_Type='text/HTML; charset="euc-kr"'), "/a?b=%ED")
    assert fetch(url, HOME) == Fetched(url, PAGE, 'text/HTML; charset="euc-kr"')


def test_a_missing_content_type_is_none_and_an_empty_answer_is_fine(server: Server) -> None:
    assert fetch(server.says(answer(b"", "204 No Content")), HOME).content == b""
    got = fetch(server.says(answer(b"", Content_Encoding="gzip")), HOME)
    assert (got.content, got.content_type) == (b"", None)


def test_the_request_says_who_asks_and_carries_nothing_personal(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    server.says(answer(b"", "302 Found", Location="/page", Set_Cookie="id=1"))
    fetch(server.says(answer(), "/page").replace("/page", "/"), HOME)
    asked = server.requests[-1]
    assert asked.startswith("GET /page HTTP/1.1\n")
    assert f"\nHost: 127.0.0.1:{server.port}\n" in asked
    assert "\nUser-Agent: bonmun/" in asked
    assert "\nAccept-Encoding: gzip, deflate\n" in asked
    assert not any(name in asked for name in ("Cookie", "Authorization", "Referer"))


def test_a_korean_address_and_user_agent_reach_the_server(server: Server) -> None:
    server.says(answer(), "/%EA%B0%80?%EB%82%98=1")
    url = f"http://127.0.0.1:{server.port}/가?나=1"
    assert fetch(url, FetchPolicy(allow_private=True, user_agent="본문/1")).content == PAGE


def test_a_chunked_answer_is_put_together(server: Server) -> None:
    url = server.says(chunked(b"3\r\nabc\r\n", b"2;x=y\r\nde\r\n", b"0\r\nTrailer: 1\r\n\r\n"))
    assert fetch(url, HOME).content == b"abcde"


# --- redirects


def test_a_chain_of_redirects_is_followed_to_its_end(server: Server) -> None:
    codes = ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent")
    for step, code in enumerate(codes):
        server.says(redirect(f"../{step + 1}?x", code), f"/{step}?x")
    end = server.says(answer(), "/5?x")
    assert fetch(end.replace("/5", "/0"), HOME).url == end


def test_one_redirect_too_many_is_refused(server: Server) -> None:
    url = server.says(redirect("/"))
    assert isinstance(failure(url), TooManyRedirects)
    assert len(server.requests) == 6
    assert isinstance(failure(url, FetchPolicy(redirects=0, allow_private=True)), TooManyRedirects)


@pytest.mark.parametrize("charset", ["utf-8", "cp949"])
def test_raw_bytes_in_a_location_are_sent_back_as_they_came(server: Server, charset: str) -> None:
    word = "가나".encode(charset)
    quoted = "".join(f"%{byte:02X}" for byte in word)
    end = server.says(answer(), f"/{quoted}")
    server.says(b"HTTP/1.1 302 Found\r\nLocation: /" + word + b"\r\nContent-Length: 0\r\n\r\n")
    assert fetch(end.replace(quoted, ""), HOME).url == end


@pytest.mark.parametrize(
    "target",
    ["file:///etc/passwd", "ftp://example.org/", "data:text/html,hi", "javascript:1", "gopher://127.0.0.1:25/x"],
)
def test_a_redirect_out_of_http_is_refused(server: Server, target: str) -> None:
    error = failure(server.says(redirect(target)))
    assert "only http and https" in str(error)
    assert target in str(error)


@pytest.mark.parametrize("target", ["http://", "http://[::1", "http://u:secret@127.0.0.1/", "http://a b/"])
def test_a_redirect_to_a_bad_url_is_an_error(server: Server, target: str) -> None:
    assert "secret" not in str(failure(server.says(redirect(target))))


def test_an_error_after_a_redirect_names_both_ends(server: Server) -> None:
    server.says(answer(b"", "404 Not Found"), "/gone")
    url = server.says(redirect("gone"))
    assert str(failure(url)) == f"{url} → {url}gone: the server answered 404 Not Found"


# --- where it may go


class Doors:
    """Name server and network of a test: names lead where it says, every connection ends at the local server."""

    def __init__(self, server: Server, **addresses: list[str]) -> None:
        self._server, self._addresses = server, {f"{name}.test": found for name, found in addresses.items()}
        self.asked: list[str] = []
        self.dialled: list[tuple[str, int]] = []
        self.sockets: list[socket.socket] = []

    def resolve(self, host: str, seconds: float) -> list[str]:
        self.asked.append(host)
        return self._addresses.get(host, [host])

    def dial(self, address: tuple[str, int], seconds: float) -> socket.socket:
        self.dialled.append(address)
        self.sockets.append(socket.create_connection(("127.0.0.1", self._server.port), seconds))
        return self.sockets[-1]

    def fetch(self, url: str, policy: FetchPolicy) -> Fetched:
        return network._fetch(url, policy, self.resolve, self.dial)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "0.1.2.3", "255.255.255.255", "240.0.0.1", "224.0.0.1", "239.1.1.1", "224.0.1.1"),
        *("192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "168.63.129.16", "100.100.100.200"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "ff0e::1"),
        *("2001:db8::1", "100::1", "::127.0.0.1", "::8.8.8.8", "64:ff9b:1::808:808", "5f00::1", "4000::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"),
        *(
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2002:a9fe:a9fe::",
            "2002:808:808::1",
            "2001:0:7f00:1::f7f7:f7f7",
            "2001::1",
        ),
    ],
)
def test_an_address_that_is_not_public_is_recognised(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_a_public_address_is_recognised(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "2130706433", "0x7f.1", "0x7F000001", "017700000001", "127.1", "127.0.1", "0", "0.0.0.0"),
        *("①②⑦.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "localhost", "LOCALHOST", "localhost.", "a.localhost"),
        *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]"),
        *("169.254.169.254", "192.168.0.1", "[fe80::1]", "[fd00:ec2::254]", "0300.0250.1", "10.0.0.1.", "127.1."),
    ],
)
def test_every_spelling_of_a_private_address_is_refused(host: str) -> None:
    for url in (f"http://{host}/", f"https://{host}:8443/x"):
        assert isinstance(failure(url, FetchPolicy()), AddressRefused)


def test_a_public_name_for_a_private_address_is_refused_before_any_connection(server: Server) -> None:
    doors = Doors(server, mixed=[PUBLIC, "10.0.0.1"])
    error = failure("http://mixed.test/", FetchPolicy(), doors.fetch)
    assert isinstance(error, AddressRefused)
    assert "mixed.test leads to 10.0.0.1" in str(error)
    assert doors.dialled == []


@pytest.mark.parametrize("target", ["http://169.254.169.254/latest/", "//inner.test/", "https://[::1]/", "//0x7f.1"])
def test_a_redirect_from_a_public_to_a_private_address_is_refused(server: Server, target: str) -> None:
    doors = Doors(server, outer=[PUBLIC], inner=["192.168.0.7"])
    server.says(redirect(target))
    assert isinstance(failure("http://outer.test/", FetchPolicy(), doors.fetch), AddressRefused)
    assert doors.dialled == [(PUBLIC, 80)]


def test_each_hop_is_resolved_once_and_connects_to_the_checked_address(server: Server) -> None:
    doors = Doors(server, one=[PUBLIC], two=["1.1.1.1", "1.0.0.1"])
    server.says(redirect("http://two.test:81/end"))
    server.says(answer(), "/end")
    assert doors.fetch("http://one.test/", FetchPolicy()).url == "http://two.test:81/end"
    assert doors.asked == ["one.test", "two.test"]
    assert doors.dialled == [(PUBLIC, 80), ("1.1.1.1", 81)]
    assert ["Host: one.test\n" in server.requests[0], "Host: two.test:81\n" in server.requests[1]] == [True, True]


def test_an_address_that_does_not_answer_gives_way_to_the_next(server: Server) -> None:
    url = server.says(answer()).replace("127.0.0.1", "two.test")
    got = network._fetch(url, HOME, lambda *_: ["127.0.0.2", "127.0.0.1"], socket.create_connection)
    assert got.content == PAGE


def test_a_silent_address_leaves_time_for_the_next() -> None:
    waits = []

    def dial(address: tuple[str, int], seconds: float) -> socket.socket:
        waits.append(round(seconds, 1))
        raise TimeoutError

    failure("http://two.test/", HOME, lambda url, policy: network._fetch(url, policy, lambda *_: ["1.1.1.1"] * 2, dial))
    assert waits == [2.5, 5.0]


def test_a_connection_that_comes_too_late_is_closed(server: Server) -> None:
    class SlowDoors(Doors):
        def dial(self, address: tuple[str, int], seconds: float) -> socket.socket:
            time.sleep(seconds)
            return super().dial(address, 1.0)

    doors = SlowDoors(server, late=["127.0.0.1"])
    assert isinstance(failure("https://late.test/", HASTY, doors.fetch), FetchTimeout)
    assert [made.fileno() for made in doors.sockets] == [-1]


@pytest.mark.parametrize("user", ["user", "user:secret", ":secret", "example.org", "a@b", "127.0.0.1:80"])
def test_a_url_with_a_user_in_it_is_refused_before_any_connection(server: Server, user: str) -> None:
    message = str(failure(server.says(answer()).replace("//", f"//{user}@")))
    assert message == f"http://127.0.0.1:{server.port}/: a URL with a user name or password is refused"
    assert server.requests == []


# --- URLs and hosts that lead nowhere


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


def test_an_unknown_host_is_told_quickly() -> None:
    start = time.monotonic()
    assert "looked up" in str(failure("http://no-such-host.invalid/"))
    assert elapsed(start) < 5


def test_a_name_server_that_does_not_answer_is_cut_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(1.5))
    start = time.monotonic()
    assert isinstance(failure("http://slow.test/", HASTY), FetchTimeout)
    assert elapsed(start) < 1.2


def test_a_refused_port_is_a_fetch_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert "refused" in str(failure(f"http://127.0.0.1:{port}/")).lower()
    failure("http://127.0.0.1:0/")


# --- answers that are not a page


@pytest.mark.parametrize(
    "status", ["400 Bad", "404 Not Found", "418 Tea", "500 Oops", "503 Busy", "304 Not", "300 Many"]
)
def test_an_error_status_is_told_with_its_code(server: Server, status: str) -> None:
    error = failure(server.says(answer(b"x", status)))
    assert isinstance(error, BadStatus)
    assert f"answered {status[:3]}" in str(error)


@pytest.mark.parametrize("location", [{}, {"Location": ""}])
def test_a_redirect_without_a_location_is_a_bad_status(server: Server, location: dict[str, str]) -> None:
    assert isinstance(failure(server.says(answer(b"", "301 Moved", **location))), BadStatus)


def reset(connection: socket.socket) -> None:
    connection.sendall(answer(PAGE, Content_Length="1000"))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize(
    "said",
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
def test_a_broken_answer_is_a_fetch_error(server: Server, said: bytes | Answer) -> None:
    assert isinstance(failure(server.says(said)), FetchError)


def test_more_than_the_declared_length_is_not_read(server: Server) -> None:
    assert fetch(server.says(answer(b"abcdef", Content_Length="3")), HOME).content == b"abc"


@pytest.mark.parametrize("length", ["-5", "abc", ""])
def test_a_senseless_length_is_ignored(server: Server, length: str) -> None:
    assert fetch(server.says(answer(Content_Length=length)), HOME).content == PAGE


@pytest.mark.parametrize(
    "said",
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
def test_huge_headers_are_refused_at_once(server: Server, said: bytes | Answer) -> None:
    start = time.monotonic()
    assert isinstance(failure(server.says(said)), FetchError)
    assert elapsed(start) < 2


def test_headers_built_to_keep_the_parser_busy_are_bounded(server: Server) -> None:
    start = time.process_time()
    fetch(server.says(answer(Content_Type='multipart/x; boundary="' + ";" * 30_000)), HOME)
    assert time.process_time() - start < 3


# --- compression


def deflated(body: bytes, wbits: int) -> bytes:
    stream = zlib.compressobj(wbits=wbits)
    return stream.compress(body) + stream.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("X-GZip", gzip.compress(PAGE)),
        ("identity, gzip", gzip.compress(PAGE)),
        ("gzip", gzip.compress(PAGE[:4]) + gzip.compress(b"") + gzip.compress(PAGE[4:])),
        ("gzip", gzip.compress(PAGE) + b"\0" * 512),
        ("deflate", deflated(PAGE, 15)),
        ("deflate", deflated(PAGE, -15)),
        ("deflate", deflated(PAGE, 15) + b"stray"),
        ("identity", PAGE),
        ("", PAGE),
    ],
)
def test_a_compressed_page_is_unpacked(server: Server, encoding: str, packed: bytes) -> None:
    assert fetch(server.says(answer(packed, Content_Encoding=encoding)), HOME).content == PAGE


def test_members_and_pieces_of_any_size_fit_together(server: Server) -> None:
    body = bytes(range(256)) * 1000
    packed = b"".join(gzip.compress(body[start : start + 997], 0) for start in range(0, len(body), 997))
    assert fetch(server.says(answer(packed, Content_Encoding="gzip")), HOME).content == body


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE)[:-6]),
        ("gzip", gzip.compress(PAGE)[:5]),
        ("gzip", gzip.compress(PAGE)[:-8] + b"\0" * 8),
        ("gzip", PAGE),
        ("deflate", deflated(PAGE, 15)[:-3]),
        ("deflate", b"\xff" * 40),
        ("br", b"\x0b\x02\x80abc\x03"),
        ("zstd", PAGE),
        ("gzip, gzip", gzip.compress(gzip.compress(PAGE))),
        ("gzip, deflate", gzip.compress(deflated(PAGE, 15))),
    ],
)
def test_damaged_and_unasked_compression_is_a_fetch_error(server: Server, encoding: str, packed: bytes) -> None:
    assert isinstance(failure(server.says(answer(packed, Content_Encoding=encoding))), FetchError)


# --- more than it may cost


def bomb(wbits: int) -> bytes:
    stream, zeros = zlib.compressobj(1, wbits=wbits), bytes(2_000_000)
    return b"".join(stream.compress(zeros) for _ in range(100)) + stream.flush()


@pytest.mark.parametrize(("encoding", "wbits"), [("gzip", 31), ("deflate", -15)])
def test_a_compression_bomb_is_cut_as_it_grows(server: Server, encoding: str, wbits: int) -> None:
    url = server.says(answer(bomb(wbits), Content_Encoding=encoding))
    tracemalloc.start()
    start = time.monotonic()
    try:
        error = failure(url, SMALL)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(error, LimitExceeded)
    assert (error.limit, error.found, error.allowed) == ("bytes", 1_000_001, 1_000_000)
    assert peak < 4_000_000
    assert elapsed(start) < 1


def test_a_bomb_of_empty_members_ends_at_the_deadline(server: Server) -> None:
    start = time.monotonic()
    packed = gzip.compress(b"") * 500_000
    assert isinstance(failure(server.says(answer(packed, Content_Encoding="gzip")), HASTY), FetchTimeout)
    assert elapsed(start) < 2


def test_exactly_the_limit_passes_and_one_byte_more_does_not(server: Server) -> None:
    policy = FetchPolicy(allow_private=True, max_bytes=100_000)
    for body, fits in ((b"x" * 100_000, True), (b"x" * 100_001, False)):
        close_delimited = b"HTTP/1.1 200 OK\r\n\r\n" + body
        for said in (answer(body), close_delimited, answer(gzip.compress(body), Content_Encoding="gzip")):
            url = server.says(said)
            if fits:
                assert fetch(url, policy).content == body
            else:
                assert isinstance(failure(url, policy), LimitExceeded)


def test_a_declared_length_beyond_the_limit_is_refused_without_reading(server: Server) -> None:
    error = failure(server.says(answer(b"", Content_Length="99999999999999999999")), SMALL)
    assert isinstance(error, LimitExceeded)
    assert error.found == 99999999999999999999


@pytest.mark.parametrize(
    "said",
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
def test_an_endless_answer_is_cut_at_the_limit(server: Server, said: Answer) -> None:
    url = server.says(said)
    tracemalloc.start()
    try:
        error = failure(url, SMALL)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(error, LimitExceeded)
    assert peak < 8_000_000


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(forever(b"", b"", 0.05), id="silence"),
        pytest.param(forever(b"HTTP/1.1 200 OK\r\nX: ", b"y", 0.05), id="header"),
        pytest.param(forever(b"HTTP/1.1 200 OK\r\n\r\n", b"y", 0.05), id="body"),
        pytest.param(forever(answer(b"", Content_Length="9999"), b"y", 0.05), id="body with length"),
        pytest.param(forever(chunked(b""), b"1\r\ny\r\n", 0.05), id="chunks"),
    ],
)
def test_a_dripping_server_is_cut_at_the_deadline(server: Server, said: Answer) -> None:
    start = time.monotonic()
    assert isinstance(failure(server.says(said), HASTY), FetchTimeout)
    assert 0.2 < elapsed(start) < 1.2


def test_the_deadline_covers_all_redirects_together(server: Server) -> None:
    def slowly_on(connection: socket.socket) -> None:
        time.sleep(0.15)
        connection.sendall(redirect("/"))

    start = time.monotonic()
    assert isinstance(failure(server.says(slowly_on), HASTY), FetchTimeout)
    assert elapsed(start) < 1.2


def test_time_without_end_may_be_allowed(server: Server) -> None:
    assert fetch(server.says(answer()), FetchPolicy(allow_private=True, seconds=float("inf"))).content == PAGE


def test_errors_survive_the_way_from_a_worker_process(server: Server) -> None:
    for said in (answer(b"", Content_Length="9999999"), answer(b"", "404 Not Found")):
        error = failure(server.says(said), SMALL)
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
        assert (type(copy), str(copy)) == (type(error), str(error))


# --- TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for good.test alone, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl command to make a certificate with")
    made = tmp_path_factory.mktemp("tls") / "good.pem"
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=good.test"
    extensions = ("subjectAltName=DNS:good.test", "keyUsage=critical,digitalSignature,keyCertSign")
    asked = [openssl, *options.split(), "-keyout", str(made), "-out", str(made.with_suffix(".crt"))]
    subprocess.run(
        [*asked, *(part for text in extensions for part in ("-addext", text))], check=True, capture_output=True
    )
    made.write_text(made.read_text() + made.with_suffix(".crt").read_text())
    return made


@pytest.fixture
def secure_server(certificate: Path) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = Server()
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with serving(server) as running:
        yield running


def fetch_by_name(server: Server, host: str, policy: FetchPolicy) -> Fetched:
    url = f"https://{host}:{server.port}/"
    return network._fetch(url, policy, lambda *_: ["127.0.0.1"], socket.create_connection)


def test_a_certificate_nobody_vouches_for_is_refused(secure_server: Server) -> None:
    secure_server.says(answer())
    with pytest.raises(FetchError, match=r"certificate is not trusted"):
        fetch_by_name(secure_server, "good.test", HOME)
    assert secure_server.requests == []


def test_a_trusted_certificate_serves_its_own_name_only(
    secure_server: Server, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    secure_server.says(answer())
    assert fetch_by_name(secure_server, "good.test", HOME).content == PAGE
    assert fetch_by_name(secure_server, "good.test.", HOME).content == PAGE
    for other in ("other.test", "127.0.0.1"):
        with pytest.raises(FetchError, match=r"certificate is not trusted"):
            fetch_by_name(secure_server, other, HOME)


def test_https_may_lead_to_http(
    secure_server: Server, server: Server, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    end = server.says(answer())
    secure_server.says(redirect(end))
    assert fetch_by_name(secure_server, "good.test", HOME).url == end


def test_a_server_without_tls_or_silent_in_the_handshake_is_an_error(server: Server) -> None:
    url = server.says(answer()).replace("http:", "https:")
    assert "secure connection" in str(failure(url))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        start = time.monotonic()
        assert isinstance(failure(f"https://127.0.0.1:{silent.getsockname()[1]}/", HASTY), FetchTimeout)
        assert elapsed(start) < 1.2
