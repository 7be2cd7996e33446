"""The real command, a temporary working directory, and a local server."""

import gzip
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

SENTENCE = "The river rose in the night, and by morning the lower road was gone under brown water."
PAGE = f"<html><head><title>{{title}}</title></head><body><h1>{{title}}</h1><p>{SENTENCE} {{title}}.</p></body></html>"
_TREE = str(Path(__file__).parents[2])
"""Tests run the code beside them, whatever is installed or just being installed."""
BOMB = gzip.compress(bytes(100_000_000), 9)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def page(folder):
    """Write a page whose text ends with its title."""

    def write(name, title="One"):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(title=title), encoding="utf-8")
        return str(name)

    return write


@pytest.fixture
def bonmun(folder):
    """Run the command; return both streams as text, and standard output as bytes."""

    def run(*arguments, stdin=b"", **environment):
        done = subprocess.run(
            [sys.executable, "-m", "bonmun", *arguments],
            input=stdin,
            capture_output=True,
            timeout=300,
            env={**os.environ, "PYTHONPATH": _TREE, **environment},
        )
        return SimpleNamespace(
            code=done.returncode, out=done.stdout.decode(), err=done.stderr.decode(), bytes=done.stdout
        )

    return run


class _Site(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/slow":
            self.server.asked.set()
            self.server.over.wait(30)
        elif self.path == "/moved":
            self._answer(302, b"", Location="/news/page.html")
        elif self.path == "/bomb":
            self._answer(200, BOMB, **{"Content-Encoding": "gzip"})
        elif self.path == "/korean":
            text = "본문은 읽으러 온 사람을 위한 글이고 나머지는 모두 장식일 뿐이다. 그래서 우리는 본문만 남긴다."
            self._answer(200, f"<p>{text}</p>".encode("cp949"), **{"Content-Type": "text/html; charset=euc-kr"})
        elif self.path.endswith(".html"):
            link = f'<p>{SENTENCE} <a href="other.html">The other road</a> held.</p>'
            self._answer(200, (PAGE.format(title="Web") + link).encode())
        else:
            self._answer(404, b"<p>no")

    def _answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    """A server on the loopback address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    server.asked, server.over = threading.Event(), threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield SimpleNamespace(url=f"http://127.0.0.1:{server.server_port}", asked=server.asked)
    server.over.set()
    server.shutdown()
    thread.join()
    server.server_close()
