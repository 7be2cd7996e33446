"""What an online page may load: from a local server, through the safe fetch."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import bonmun
from tests.browser import require_chromium

PATIENT = 60.0
PIXEL = bytes.fromhex("47494638396120000a0080000000000000000021f90401000000002c00000000010001000002024401003b")
"""A GIF of 32 x 10 pixels."""


class Handler(BaseHTTPRequestHandler):
    """Serves a few files, and notes every request."""

    def do_GET(self):
        path = self.path.partition("?")[0]
        self.server.seen.append(f"{self.command} {self.path}")
        self.server.cookies.append(self.headers.get("Cookie"))
        if path.startswith("/redirect/"):
            self.send_response(302)
            self.send_header("Location", "/" + path.removeprefix("/redirect/"))
            self.end_headers()
            return
        if path == "/away":
            self.send_response(302)
            self.send_header("Location", "file:///etc/hostname")
            self.end_headers()
            return
        content_type, body = self.server.files.get(path, ("", None))
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", content_type)
        self.send_header("Set-Cookie", "tea=green")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_):
        """Write nothing."""


@pytest.fixture(scope="module")
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files = {
        "/wide.css": ("text/css", b"p { width: 321px; margin: 0 } @import url(more.css);"),
        "/more.css": ("text/css", b"p { color: red }"),
        "/pixel.gif": ("image/gif", PIXEL),
        "/tea.js": ("text/javascript", b"document.body.append('by script ')"),
        "/tea.json": ("application/json", b'{"name": "by data "}'),
        "/big.js": ("text/javascript", b"document.body.append('big ');" + b" " * 200_000),
        "/frame.html": ("text/html", b"<p>frame"),
    }
    server.seen, server.cookies = [], []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def home(server):
    server.seen.clear()
    server.cookies.clear()
    return f"http://127.0.0.1:{server.server_port}"


@pytest.fixture(scope="module")
def online():
    require_chromium()
    settings = bonmun.RenderSettings(
        seconds=PATIENT, loading=30, online=True, javascript=True, allow_private=True, wait="networkidle", bytes=150_000
    )
    with bonmun.Renderer(settings) as renderer:
        yield renderer


@pytest.fixture(scope="module")
def public():
    """Online, but private addresses are refused."""
    require_chromium()
    settings = bonmun.RenderSettings(seconds=PATIENT, online=True, javascript=True, requests=5)
    with bonmun.Renderer(settings) as renderer:
        yield renderer


def size(page, name):
    row = next(iter(page.nodes.rows_of(name)))
    return page.layout.width(row), page.layout.height(row)


def words(page):
    return " ".join(" ".join(page.blocks.text).split())


def test_style_sheets_pictures_scripts_and_data_are_loaded(online, server, home):
    page = online.render(
        "<link rel=stylesheet href=wide.css><p>Tea<p><img src=/redirect/pixel.gif></p><script src=tea.js></script>"
        "<script>fetch('tea.json').then(a => a.json()).then(a => document.body.append(a.name))</script>",
        url=f"{home}/page/../tea",
    )
    assert size(page, "p")[0] == 321
    assert size(page, "img") == (32, 10)
    assert words(page) == "Tea by script by data"
    assert page.layout.aborted == 0
    assert {*server.seen} >= {"GET /wide.css", "GET /tea.js", "GET /tea.json", "GET /pixel.gif"}
    assert not any("tea " in line for line in server.seen)  # The page itself is not asked for.
    assert {*server.cookies} == {None}


def test_another_origin_can_be_read(online, home):
    page = online.render(
        f"<p>Tea<script>fetch('{home}/tea.json', {{credentials: 'include'}})"
        ".then(a => a.json()).then(a => document.body.append(a.name))</script>",
        url="http://example.org/",
    )
    assert words(page) == "Tea by data"


def test_only_get_requests_of_known_kinds_are_sent(online, server, home):
    page = online.render(
        "<p>Tea<iframe src=/frame.html></iframe><video src=/video.mp4></video><link rel=prefetch href=/prefetched>"
        "<script>fetch('/posted', {method: 'POST', body: 'x'}).catch(() => 0); navigator.sendBeacon('/beacon', 'x');"
        f"new WebSocket('ws://127.0.0.1:{server.server_port}/socket'); new EventSource('/events');"
        "new Worker('/worker.js')</script>",
        url=f"{home}/tea",
    )
    assert words(page) == "Tea"
    assert server.seen in ([], ["GET /worker.js"])
    assert page.layout.aborted >= 4


def test_a_redirect_out_of_the_web_and_an_error_are_no_answer(online, server, home):
    page = online.render("<p>Tea<script src=/away></script><script src=/missing></script>", url=f"{home}/tea")
    assert words(page) == "Tea"
    assert page.layout.aborted == 2
    assert server.seen == ["GET /away", "GET /missing"] or server.seen == ["GET /missing", "GET /away"]


def test_more_bytes_than_allowed_are_not_loaded(online, home):
    page = online.render("<p>Tea<script src=/big.js></script><script src=/tea.js></script>", url=f"{home}/tea")
    assert words(page) == "Tea by script"
    assert page.layout.aborted == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "127.1"])
def test_private_addresses_are_refused(public, server, home, host):
    address = f"http://{host}:{server.server_port}"
    page = public.render(
        f"<p>Tea<script src={address}/tea.js></script><script>fetch('{address}/tea.json').catch(() => 0);"
        f"new WebSocket('ws://{host}:{server.server_port}/socket')</script>",
        url="http://example.org/",
    )
    assert words(page) == "Tea"
    assert page.layout.aborted in (1, 2)  # the page may be loaded before it fetches
    assert server.seen == []


def test_more_requests_than_allowed_are_not_sent(public, server, home):
    page = public.render("<p>Tea" + "".join(f"<img src={home}/{number}.gif>" for number in range(9)))
    assert page.layout.aborted == 9
    assert server.seen == []


@pytest.mark.parametrize("javascript", [False, True])
def test_offline_nothing_is_sent(server, home, javascript):
    require_chromium()
    port = server.server_port
    html = (
        f"<link rel=preconnect href={home}><link rel=dns-prefetch href={home}><link rel=prefetch href=/prefetched>"
        f"<link rel=stylesheet href=/wide.css><p>Tea<img src={home}/pixel.gif><iframe src=/frame.html></iframe>"
        f"<style>@font-face {{ font-family: T; src: url({home}/t.woff) }} p {{ font-family: T }}</style>"
        f"<script>fetch('/tea.json').catch(() => 0); navigator.sendBeacon('{home}/beacon', 'x');"
        f"new WebSocket('ws://127.0.0.1:{port}/socket'); new EventSource('/events'); new Image().src = '/image';"
        "new Worker(URL.createObjectURL(new Blob(["
        f"`fetch('{home}/worker'); importScripts('{home}/more.js'); new WebSocket('ws://127.0.0.1:{port}/')`])));"
        "</script>"
    )
    settings = bonmun.RenderSettings(seconds=PATIENT, javascript=javascript, allow_private=True)
    with bonmun.Renderer(settings) as renderer:
        page = renderer.render(html, url=f"{home}/tea")
    assert words(page) == "Tea"
    assert page.layout.aborted >= 3
    assert server.seen == []
