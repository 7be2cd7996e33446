"""Services for the tests of access: in this process, behind real sockets, and as the real command."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import uvicorn
from fastapi import FastAPI

from bonmun.serve.access.access_log import AccessLog
from bonmun.serve.access.gate import Gate
from bonmun.serve.access.gatekeeper import Gatekeeper
from bonmun.serve.access.headers import SecurityHeaders
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.access.token_file import TokenFile
from bonmun.serve.access.tokens import Token, hash_of, new_secret
from bonmun.serve.http_protocol import LimitedHttpProtocol
from bonmun.serve.listening import listen
from bonmun.serve.problems import HANDLERS
from bonmun.serve.server import _Server
from tests.signals import heed_interrupts

TREE = Path(__file__).parents[3]
DEADLINE = 60.0


def gated(app: FastAPI, settings: AccessSettings) -> FastAPI:
    """Put the checks around an application, as `create_app` does."""
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)
    app.state.gatekeeper = Gatekeeper(settings)
    app.add_middleware(Gate, gatekeeper=app.state.gatekeeper)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(AccessLog)
    return app


def add_token(file: Path, name: str = "me", scopes: str = "extract fetch read write", **values: Any) -> str:
    """Add a token to a file; return its secret."""
    secret = new_secret()
    created = datetime.now(UTC) - timedelta(days=1)
    token = Token(name, hash_of(secret), frozenset(scopes.split()), created, **values)
    TokenFile(file).change(lambda known: (*known, token))
    return secret


def revoke(file: Path, name: str = "me") -> None:
    TokenFile(file).change(lambda known: tuple(token for token in known if token.name != name))


def until(condition: Callable[[], Any]) -> Any:
    """Wait for a condition; return what it gave."""
    deadline = monotonic() + DEADLINE
    while not (result := condition()):
        assert monotonic() < deadline, "waited in vain"
        sleep(0.01)
    return result


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def ask(port: int, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
    """Send a request over a connection of its own; `host=` replaces the Host header."""
    connection = HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, answer.read())
    finally:
        connection.close()


@contextmanager
def running(app: FastAPI, protocol: type = LimitedHttpProtocol) -> Iterator[tuple[int, _Server]]:
    """Run an application in a thread; yield its port and server."""
    sockets = listen("127.0.0.1", 0)
    config = uvicorn.Config(app, http=protocol, log_config=None, access_log=False, timeout_graceful_shutdown=20)
    server = _Server(config, app.state.gatekeeper, lambda: None, lambda: None)
    thread = threading.Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    try:
        until(lambda: server.started)
        yield sockets[0].getsockname()[1], server
    finally:
        server.should_exit = True
        thread.join(DEADLINE)
        for one in sockets:
            one.close()


@dataclass
class Process:
    """`bonmun serve` as a process of its own."""

    process: "subprocess.Popen[str]"
    first_line: str
    errors: Path
    url: str = field(init=False)
    port: int = field(init=False)

    def __post_init__(self) -> None:
        found = re.search(r"http://\S+:(\d+)/", self.first_line)
        self.url, self.port = (found[0], int(found[1])) if found else ("", 0)

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        return self.process.wait(DEADLINE)

    @property
    def log(self) -> str:
        return self.errors.read_text(encoding="utf-8")


@contextmanager
def command(folder: Path, *options: str, **environment: str) -> Iterator[Process]:
    """Run `bonmun serve` in a folder; yield it once it has said where it listens, or has ended."""
    variables = {**os.environ, "PYTHONPATH": str(TREE), "XDG_CONFIG_HOME": str(folder / "config"), **environment}
    errors = folder / "errors.log"
    with errors.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "bonmun", "serve", "--port", "0", "--workers", "1", *options],
            stdout=subprocess.PIPE, stderr=file, cwd=folder, env=variables, text=True, preexec_fn=heed_interrupts,
        )  # fmt: skip
    try:
        assert process.stdout is not None
        yield Process(process, process.stdout.readline(), errors)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
