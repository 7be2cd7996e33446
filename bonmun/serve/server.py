"""The process of a service: sockets, uvicorn, signals."""

import logging
import math
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Final

import uvicorn

from bonmun.errors import ServiceError, Unprotected
from bonmun.serve.access.gatekeeper import LOGGER, Gatekeeper
from bonmun.serve.access.hosts import is_loopback
from bonmun.serve.access.token_file import TokenFile
from bonmun.serve.app import create_app
from bonmun.serve.http_protocol import LimitedHttpProtocol
from bonmun.serve.listening import is_exposed, listen, listen_unix, url_of
from bonmun.serve.settings import ServeSettings
from bonmun.store import open_store

_CONNECTIONS: Final = 1000
_KEEP_ALIVE: Final = 75
"""Seconds for which an idle connection stays open: longer than clients and proxies keep theirs. A connection closed by
the server at the moment at which it is used again would cost a request."""
_SAME_SIGNAL: Final = 0.5
"""Seconds in which a second signal is the first one again: `make`, for one, passes on what the whole group gets."""
_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def run(
    settings: ServeSettings,
    *,
    uds: Path | None = None,
    proxies: Sequence[str] = (),
    on_start: Callable[[Sequence[str]], object] = lambda urls: None,
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; requests that run are finished, a second signal ends it at once.

    `uds` is the path of a Unix socket, instead of host and port; `proxies` are the addresses of reverse proxies whose
    X-Forwarded headers are believed. `on_start` is called with the service's URLs once it answers.
    """
    check(settings, uds, proxies)
    sockets = [listen_unix(uds)] if uds else listen(settings.host, settings.port)
    try:
        app = create_app(settings)
        config = uvicorn.Config(
            app, loop="auto", http=LimitedHttpProtocol, ws="none", lifespan="on", log_config=None, access_log=False,
            proxy_headers=bool(proxies), forwarded_allow_ips="*" if uds else list(proxies), server_header=False,
            limit_concurrency=_CONNECTIONS, timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=math.ceil(settings.patience),
        )  # fmt: skip
        urls = [url_of(one) for one in sockets]
        with _forwarded_log():
            started, ended = lambda: on_start(urls), lambda: app.state.service.drain()
            _Server(config, app.state.gatekeeper, started, ended).run(sockets)
    finally:
        for one in sockets:
            one.close()
        if uds:
            with suppress(FileNotFoundError):
                uds.unlink()


def check(settings: ServeSettings, uds: Path | None = None, proxies: Sequence[str] = ()) -> None:
    """Raise an error if the service would let in everybody unasked, or nobody, or cannot use its store."""
    access = settings.access
    if access.token_file is None:
        if not access.without_tokens and (name := _public_name(settings, uds, proxies)):
            raise Unprotected(name)
    elif not TokenFile(access.token_file).tokens():
        mend = f"create one with `bonmun token add NAME --scope extract --token-file {access.token_file}`"
        raise ServiceError(
            f"token file {access.token_file} has no token, so nobody could get in: {mend}, "
            "or let everybody in with --without-tokens"
        )
    with open_store(settings.store):
        pass


def _public_name(settings: ServeSettings, uds: Path | None, proxies: Sequence[str]) -> str | None:
    """The name by which other machines reach the service, if they do: its own, or that of a reverse proxy."""
    if uds is None and is_exposed(settings.host):
        return settings.host
    names = (*(host for host in settings.access.allow_hosts if not is_loopback(host)), *proxies)
    return names[0] if names else None


class _Server(uvicorn.Server):
    """Uvicorn, with our way of starting and ending."""

    def __init__(
        self,
        config: uvicorn.Config,
        gatekeeper: Gatekeeper,
        on_start: Callable[[], object],
        on_end: Callable[[], object],
    ) -> None:
        super().__init__(config)
        self._gatekeeper = gatekeeper
        self._on_start, self._on_end = on_start, on_end
        self._asked_at = 0.0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._gatekeeper.end_streams()
        if self.started:
            self._on_end()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals that end the service. Unlike uvicorn's, a process that ended in order exits with 0."""
        in_main = threading.current_thread() is threading.main_thread()  # others cannot handle signals
        heard = [one for one in _SIGNALS if in_main and signal.getsignal(one) is not signal.SIG_IGN]  # nohup
        before = {number: signal.signal(number, self.handle_exit) for number in heard}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order at the first signal, at once at the second."""
        now = monotonic()
        self._asked_at = self._asked_at or now
        if self.should_exit and now - self._asked_at > _SAME_SIGNAL:
            for child in multiprocessing.active_children():
                child.kill()
            os._exit(128 + sig)
        self.should_exit = True


class _Forward(logging.Handler):
    """Hands records to our logger."""

    def emit(self, record: logging.LogRecord) -> None:
        LOGGER.handle(record)


@contextmanager
def _forwarded_log() -> Iterator[None]:
    """Have uvicorn's warnings and errors in our log."""
    theirs, handler = logging.getLogger("uvicorn.error"), _Forward(logging.WARNING)
    propagated, theirs.propagate = theirs.propagate, False
    theirs.addHandler(handler)
    try:
        yield
    finally:
        theirs.removeHandler(handler)
        theirs.propagate = propagated
