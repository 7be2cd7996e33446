"""A local web server: a page that answers, one that waits, one that is missing, one that is no page."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "examples" / "pages"
ENGLISH = (EXAMPLES / "en-harbour.html").read_text("utf-8")
KOREAN = (EXAMPLES / "ko-harbour.html").read_text("utf-8")


@dataclass
class PageServer:
    """A running server."""

    address: str
    asked: list[str] = field(default_factory=list)
    """The paths that were asked for."""
    goes_on: threading.Event = field(default_factory=threading.Event)
    """Until it is set, `/slow` does not answer."""


def _answer(server: PageServer, path: str) -> tuple[int, str, bytes]:
    if path == "/slow":
        server.goes_on.wait(60)
    if path in ("/article", "/slow"):
        return 200, "text/html; charset=utf-8", ENGLISH.encode()
    if path == "/picture":
        return 200, "image/png", b"\x89PNG\r\n\x1a\n" + bytes(64)
    if path.startswith("/link?"):
        target = path.removeprefix("/link?")
        return 200, "text/html", f'<title>Elsewhere</title><a href="{target}">go</a>'.encode()
    return 404, "text/html", b"<p>nothing here"


@contextmanager
def page_server() -> Iterator[PageServer]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            running.asked.append(self.path)
            status, media_type, content = _answer(running, self.path)
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with suppress(OSError):  # the client left
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        running = PageServer(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield running
        finally:
            running.goes_on.set()
            server.shutdown()
            thread.join()
