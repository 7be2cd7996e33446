"""A server on this machine that no page may reach. It notes each connection, even one without a request."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "html": "text/html"}
_BODIES = {"svg": b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g id='g'/></svg>"}


class Canary:
    """What reached the server."""

    def __init__(self, server: "_Server", datagrams: socket.socket) -> None:
        self._server, self._datagrams = server, datagrams
        self.host = f"127.0.0.1:{server.server_address[1]}"
        self.udp = f"127.0.0.1:{datagrams.getsockname()[1]}"

    @property
    def connections(self) -> int:
        """Connections and datagrams."""
        return self._server.connections + self.datagrams

    @property
    def reached(self) -> set[str]:
        """The first parts of the paths that were requested, without the suffix."""
        return {path.strip("/").partition("/")[0].partition("?")[0].partition(".")[0] for path in self._server.paths}

    @property
    def bare_connections(self) -> int:
        """Connections without a request."""
        return self._server.connections - len(self._server.paths)

    @property
    def datagrams(self) -> int:
        """Datagrams since the start."""
        try:
            while self._datagrams.recv(4096):
                self._server.datagrams += 1
        except BlockingIOError:
            return self._server.datagrams

    def serve(self, html: str) -> None:
        """Answer other paths than those with a known suffix with this page."""
        self._server.page = html.encode()

    def forget(self) -> None:
        """Start again."""
        assert self.datagrams >= 0
        self._server.connections = self._server.datagrams = 0
        self._server.paths.clear()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads, block_on_close, allow_reuse_address = True, False, True
    connections = datagrams = 0
    page = b""

    def __init__(self) -> None:
        self.paths: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """A browser that hangs up is no error."""


class _Handler(socketserver.StreamRequestHandler):
    server: _Server
    timeout = 5

    def handle(self) -> None:
        self.server.connections += 1
        path = self.rfile.readline().decode("latin-1").partition(" ")[2].partition(" ")[0]
        if not path:
            return
        while self.rfile.readline().strip():
            pass
        self.server.paths.append(path)
        suffix = path.partition("?")[0].rpartition(".")[2]
        body = _BODIES.get(suffix, b"" if suffix in _TYPES else self.server.page)
        disposition = b"Content-Disposition: attachment; filename=canary\r\n" if "attachment" in path else b""
        self.wfile.write(
            b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n"
            + disposition
            + f"Content-Type: {_TYPES.get(suffix, 'text/html')}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )


@contextmanager
def canary() -> Iterator[Canary]:
    """A running canary."""
    with _Server() as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        datagrams.setblocking(False)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield Canary(server, datagrams)
        finally:
            server.shutdown()
