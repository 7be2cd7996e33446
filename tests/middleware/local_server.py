"""A server on the loopback interface with scripted responses, and assertions about failed fetches."""

import contextlib
import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from bonmun.errors import BonmunError, FetchError, LimitExceeded
from bonmun.middleware.network import Fetched, FetchPolicy, fetch

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
        """Ignore clients that disconnect: many tests provoke it."""

    def serve(self, answer: bytes | Answer, path: str = "/") -> str:
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


def answer(body: bytes = PAGE, status: str = "200 OK", **headers: str) -> bytes:
    fields = {"Content-Length": str(len(body))} | {name.replace("_", "-"): text for name, text in headers.items()}
    head = "".join(f"{name}: {text}\r\n" for name, text in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def redirect(to: str, status: str = "302 Found") -> bytes:
    return answer(b"", status, Location=to)


def chunked(*chunks: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(chunks)


def forever(start: bytes, again: bytes, pause: float = 0.0, seconds: float = 4.0) -> Answer:
    """A response that continues until the client disconnects, for so many seconds at most."""

    def drip(connection: socket.socket) -> None:
        connection.sendall(start)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            connection.sendall(again)
            time.sleep(pause)

    return drip


def failure(url: str, policy: FetchPolicy = HOME, get: Callable[[str, FetchPolicy], Fetched] = fetch) -> BonmunError:
    """The error of a fetch, checked to be one printable line with the URL in it."""
    with pytest.raises((FetchError, LimitExceeded)) as caught:
        get(url, policy)
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith(url[:40]) or not url.isprintable() or "@" in url
    return caught.value


def elapsed(start: float) -> float:
    return time.monotonic() - start
