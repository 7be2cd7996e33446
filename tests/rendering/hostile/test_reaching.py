"""Nothing that a page does reaches a server on this machine; a browser without defence reaches it."""

import socket
import time
from collections.abc import Iterator

import pytest

import bonmun
from bonmun.rendering.settings import RenderSettings
from tests.browser import chromium, require_chromium
from tests.rendering.hostile.canary import Canary, canary
from tests.rendering.hostile.reaching import MARKUP, SCRIPTS, UNSEEN_MARKUP, UNSEEN_SCRIPTS, page_of

PARTS = {"markup": (MARKUP, UNSEEN_MARKUP), "scripts": (SCRIPTS, UNSEEN_SCRIPTS)}


@pytest.fixture(scope="module")
def server() -> Iterator[Canary]:
    with canary() as server:
        yield server


def page_for(server: Canary, kind: str) -> str:
    return page_of(PARTS[kind][0], server.host, server.udp, scripts=kind == "scripts")


@pytest.mark.parametrize("kind", PARTS)
def test_a_browser_without_defence_reaches_it(server: Canary, kind: str) -> None:
    parts, unseen = PARTS[kind]
    server.serve(page_for(server, kind))
    server.forget()
    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"http://{server.host}/page", wait_until="domcontentloaded")
        end = time.monotonic() + 30
        while not server.reached >= parts.keys() - unseen and time.monotonic() < end:
            page.wait_for_timeout(100)
        assert parts.keys() - unseen - server.reached == set()
        assert server.datagrams or kind == "markup"


def test_a_connection_without_a_request_is_noticed(server: Canary) -> None:
    host, _, port = server.host.partition(":")
    server.forget()
    socket.create_connection((host, int(port)), timeout=10).close()
    end = time.monotonic() + 10
    while not server.connections and time.monotonic() < end:
        time.sleep(0.01)
    assert (server.connections, server.reached) == (1, set())


@pytest.mark.parametrize("online", [False, True], ids=["offline", "online"])
@pytest.mark.parametrize("javascript", [False, True], ids=["without scripts", "with scripts"])
def test_nothing_reaches_it(server: Canary, online: bool, javascript: bool) -> None:
    require_chromium()
    settings = RenderSettings(javascript=javascript, online=online, seconds=15)
    server.forget()
    with bonmun.Renderer(settings) as renderer:
        for kind in PARTS:
            page = renderer.render(page_for(server, kind), url=f"http://{server.host}/page")
            assert "Tea is made of leaves." in page.blocks.text
            assert page.layout is not None and (page.layout.aborted or (kind, javascript) == ("scripts", False))
    assert (server.connections, server.reached) == (0, set())
