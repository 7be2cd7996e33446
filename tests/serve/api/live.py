"""A service on a real server, in a thread: streaming, disconnects and shutdown are the server's."""

import inspect
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI

from bonmun.serve.app import create_app
from bonmun.serve.service import Service
from bonmun.serve.settings import ServeSettings

PAGE = "<title>Tea</title><nav><a href=/>Home</a></nav><p>Tea is made of leaves, and of water that has just boiled.</p>"
TEXT = "Tea is made of leaves, and of water that has just boiled."


@dataclass
class Live:
    """A running service."""

    port: int
    app: FastAPI
    server: uvicorn.Server
    thread: threading.Thread

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def service(self) -> Service:
        service: Service = self.app.state.service
        return service

    def client(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.address, timeout=60, trust_env=False)

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(60)
        assert not self.thread.is_alive()


@contextmanager
def live(settings: ServeSettings, prepare: Callable[[FastAPI], object] = lambda app: None) -> Iterator[Live]:
    app = create_app(settings)
    prepare(app)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=30))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        running = Live(listening.getsockname()[1], app, server, thread)
        try:
            until(lambda: server.started)
            yield running
        finally:
            running.stop()


def until(happened: Callable[[], Any], seconds: float = 60) -> Any:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not (result := happened()):
        assert time.monotonic() < end, f"it never happened: {inspect.getsource(happened)}"
        time.sleep(0.01)
    return result


def ndjson(*lines: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)
