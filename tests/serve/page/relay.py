"""A relay in front of a service, whose connections can be cut."""

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator


class Relay(socketserver.ThreadingTCPServer):
    """Passes bytes between clients and a server."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passage)
        self.target = ("127.0.0.1", port)
        self.open: set[socket.socket] = set()
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def cut(self) -> None:
        """End all connections."""
        for end in list(self.open):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class _Passage(socketserver.BaseRequestHandler):
    server: Relay

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as other:
            ends = (self.request, other)
            self.server.open.update(ends)
            back = threading.Thread(target=_pass, args=(other, self.request), daemon=True)
            back.start()
            _pass(self.request, other)
            back.join()
            self.server.open.difference_update(ends)


def _pass(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def relaying(address: str) -> Iterator[Relay]:
    """A relay in front of the service at an address."""
    with Relay(int(address.rpartition(":")[2])) as relay:
        thread = threading.Thread(target=relay.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield relay
        finally:
            relay.shutdown()
            relay.cut()
            thread.join()
