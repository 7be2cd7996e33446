"""A public server cannot lead an online page to a private address by a redirect."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

import bonmun
from bonmun.rendering.settings import RenderSettings
from tests.browser import require_chromium
from tests.rendering.hostile.canary import canary

ROUTE = """
import socket

lookup, connect = socket.getaddrinfo, socket.create_connection


def getaddrinfo(host, *arguments, **options):
    return lookup("93.184.216.34" if host == "public.example" else host, *arguments, **options)


def create_connection(address, *arguments, **options):
    return connect(("127.0.0.1", PORT) if address[0] == "93.184.216.34" else address, *arguments, **options)


socket.getaddrinfo, socket.create_connection = getaddrinfo, create_connection
"""
"""In the browser's process, public.example has a public address, and a route to a server of this test."""


class Public(BaseHTTPRequestHandler):
    """Sends everything but a style sheet to the address that stands in its path."""

    paths: list[str]

    def do_GET(self) -> None:
        self.paths.append(self.path)
        is_style = self.path == "/style.css"
        body = b"p { width: 321px }" if is_style else b""
        self.send_response(200 if is_style else 302)
        if not is_style:
            self.send_header("Location", f"http://{self.path.strip('/')}")
        self.send_header("Content-Type", "text/css")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def public(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The paths that were asked of public.example."""
    paths: list[str] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Public,), {"paths": paths})) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        (tmp_path / "sitecustomize.py").write_text(ROUTE.replace("PORT", str(server.server_address[1])))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        yield paths
        server.shutdown()


def test_a_redirect_to_a_private_address_is_not_followed(public: list[str]) -> None:
    require_chromium()
    with canary() as private:
        port = private.host.rpartition(":")[2]
        targets = [
            f"{private.host}/a.svg",
            f"localhost:{port}/b.svg",
            f"0x7f000001:{port}/c.svg",
            "169.254.169.254/d.svg",
        ]
        pictures = "".join(f"<img src='http://public.example/{target}'>" for target in targets)
        html = f"<link rel=stylesheet href='http://public.example/style.css'><body>{pictures}<p>Tea</p>"
        with bonmun.Renderer(RenderSettings(online=True, seconds=30)) as renderer:
            page = renderer.render(html, url="http://public.example/")
        assert page.layout is not None and page.layout.width(page.nodes.rows_of("p")[0]) == 321
        assert {*public} == {"/style.css", *(f"/{target}" for target in targets)}
        assert page.layout.aborted == len(targets) and private.connections == 0
