"""A local HTTP server of many pages, on several loopback addresses."""

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class PageServer(ThreadingHTTPServer):
    """Serves page N at `/N`, where `/to/N` leads, and remembers how often each was asked for."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, pages: Sequence[bytes], address: str = "127.0.0.1") -> None:
        super().__init__((address, 0), _Handler)
        self.pages = pages
        self.served: Counter[int] = Counter()
        self.changed = threading.Condition()

    def urls(self, hosts: Sequence[str] = ("127.0.0.1",)) -> list[str]:
        """The URLs of all pages, the hosts by turns; a server at 0.0.0.0 answers on every loopback address."""
        port = self.server_address[1]
        return [f"http://{hosts[number % len(hosts)]}:{port}/{number}" for number in range(len(self.pages))]

    def wait_for(self, count: int, seconds: float) -> bool:
        """Wait until that many different pages were asked for."""
        with self.changed:
            return self.changed.wait_for(lambda: len(self.served) >= count, seconds)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that were killed."""


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.strip("/")
        if name.startswith("to/"):
            self.send_response(302)
            self.send_header("Location", f"/{name[3:]}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if not name.isdigit() or int(name) >= len(self.server.pages):
            self.send_error(404)
            return
        body = self.server.pages[int(name)]
        with self.server.changed:
            self.server.served[int(name)] += 1
            self.server.changed.notify_all()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(pages: Sequence[bytes], address: str = "127.0.0.1") -> Iterator[PageServer]:
    """Serve pages while the block runs."""
    server = PageServer(pages, address)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
