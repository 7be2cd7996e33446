"""A server that keeps connections open and notes when each request came, and shorthands for the network manager."""

import contextlib
import http.server
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from bonmun.errors import BonmunError, FetchError, LimitExceeded
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from tests.middleware.local_server import Answer, Server, answer, serving

NOTHING = answer(b"", "404 Not Found")


class _Handler(http.server.BaseHTTPRequestHandler):
    server: "KeepAliveServer"
    timeout = 10

    def do_GET(self) -> None:
        self.server.requests.append(f"{self.requestline}\n{self.headers}")
        self.server.seen.append((time.monotonic(), self.path, self.client_address[1]))
        script = self.server.answers.get(self.path, NOTHING)
        if isinstance(script, list):
            script = script.pop(0) if len(script) > 1 else script[0]
        self.close_connection = callable(script)
        with contextlib.suppress(OSError):
            if callable(script):
                script(self.connection)
            else:
                self.connection.sendall(script)

    def log_message(self, format: str, *args: object) -> None:
        pass


class KeepAliveServer(Server):
    """Answers 404 where nothing is scripted; a list is one response after the other, the last one again and again."""

    answers: dict[str, Any]

    def __init__(self, address: str = "127.0.0.1") -> None:
        http.server.ThreadingHTTPServer.__init__(self, (address, 0), _Handler)
        self.answers = {}
        self.requests = []
        self.seen: list[tuple[float, str, int]] = []
        """Time, path and client port of each request."""
        self.address, self.port = address, self.server_address[1]

    def serve(self, answer: bytes | Answer | list[bytes | Answer], path: str = "/") -> str:
        self.answers[path] = answer
        return f"http://{self.address}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [path for _, path, _ in self.seen]


@contextlib.contextmanager
def two_hosts() -> Iterator[tuple[KeepAliveServer, KeepAliveServer]]:
    with serving(KeepAliveServer()) as one, serving(KeepAliveServer("127.0.0.2")) as two:
        assert isinstance(one, KeepAliveServer)
        assert isinstance(two, KeepAliveServer)
        yield one, two


def settings(**changes: Any) -> NetworkSettings:
    """Quick settings for the loopback interface, without robots.txt."""
    quick = {"allow_private": True, "delay": 0.0, "backoff": 0.01, "seconds": 20.0, "honour_robots": False}
    return NetworkSettings(**(quick | changes))


def get(url: str, **changes: Any) -> SourcePage:
    with NetworkManager(settings(**changes)) as network:
        return network.fetch(Request(url))


def failure(url: str, **changes: Any) -> BonmunError:
    """The error of a fetch, checked to be one printable line with the URL in it."""
    with pytest.raises((FetchError, LimitExceeded)) as caught:
        get(url, **changes)
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith(url[:40])
    return caught.value


def all_of(network: NetworkManager, urls: Iterable[str]) -> dict[str, SourcePage | BonmunError]:
    return {request.url: result for request, result in network.stream(Request(url) for url in urls)}


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)
