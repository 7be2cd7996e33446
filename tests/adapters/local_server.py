"""A server on the loopback interface for the tests of adapters."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Response = tuple[int, dict[str, str], bytes]
"""Status, headers, body."""


class Answering(BaseHTTPRequestHandler):
    """A handler that writes whole answers, and no log."""

    def response(self) -> Response:
        """Return what `path` is answered with."""
        raise NotImplementedError

    def do_GET(self) -> None:
        status, headers, body = self.response()
        self.send_response(status)
        for header in headers.items():
            self.send_header(*header)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(handler: type[Answering]) -> Iterator[str]:
    """Run a server in a thread; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
