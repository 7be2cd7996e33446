"""Hostile servers behind a whole run: every case ends in a typed failure in the store, and nothing hangs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bonmun.run.plan import plan
from bonmun.run.process import run
from bonmun.store import open_store
from tests.middleware.hostile_server import HEAD, bomb, reset
from tests.middleware.local_server import answer, forever, redirect, serving
from tests.middleware.network_server import KeepAliveServer

GOOD = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>".encode("cp949")
BOMB = '<!DOCTYPE rss [<!ENTITY a "tea"><!ENTITY b "&a;&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>'
LOOP = (
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{}</loc></sitemap></sitemapindex>'
)
PAGES = {
    "/drip": (forever(HEAD + b"\r\n", b"y", 0.05), "FetchTimeout"),
    "/endless": (forever(HEAD + b"\r\n", bytes(50_000)), "LimitExceeded"),
    "/loop": (redirect("/loop"), "TooManyRedirects"),
    "/gzip": (answer(bomb("gzip", 20_000_000), Content_Encoding="gzip"), "LimitExceeded"),
    "/br": (answer(bomb("br", 20_000_000), Content_Encoding="br"), "LimitExceeded"),
    "/zstd": (answer(bomb("zstd", 20_000_000), Content_Encoding="zstd"), "LimitExceeded"),
    "/length": (lambda connection: connection.sendall(answer(GOOD, Content_Length="999")), "FetchError"),
    "/reset": (reset, "FetchError"),
    "/500": (answer(b"", "500 Oops"), "BadStatus"),
    "/429": (answer(b"", "429 Slow", Retry_After="1000"), "BadStatus"),
    "/private/page": (answer(GOOD), "RobotsDisallowed"),
    "/pdf": (answer(b"%PDF-1.7"), "NotAPage"),
}
CONFIG = """\
sources = ["urls:list.txt", "feed:{base}/feed", "sitemap:{base}/sitemap.xml"]
[network]
allow_private = {private}
delay = 0
per_host = 4
seconds = 1
max_bytes = 1_000_000
max_wait = 0.05
retries = 1
redirects = 2
[extract]
workers = 1
"""


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        running.serve(answer(b"User-agent: *\nDisallow: /private\n", Content_Type="text/plain"), "/robots.txt")
        yield running


def failures(folder: Path) -> dict[str, str]:
    with open_store(folder / "news.db") as store:
        assert store.pending() == 0
        return {failure.url: failure.error for failure in store.failures()}


def test_every_hostile_answer_is_a_typed_failure_in_the_store(tmp_path: Path, server: KeepAliveServer) -> None:
    expected = {server.serve(script, path): error for path, (script, error) in PAGES.items()}
    good = server.serve(answer(GOOD, Content_Type="text/html; charset=iso-2022-jp"), "/good")
    base = good.removesuffix("/good")
    server.serve(answer(BOMB.encode(), Content_Type="application/rss+xml"), "/feed")
    server.serve(answer(LOOP.format(f"{base}/sitemap.xml").encode(), Content_Type="application/xml"), "/sitemap.xml")
    (tmp_path / "list.txt").write_text("\n".join([*expected, good]))
    (tmp_path / "config.toml").write_text(CONFIG.format(base=base, private="true"))
    result = run(plan(tmp_path / "config.toml"))
    sources = {f"feed:{base}/feed": "SourceError", f"sitemap:{base}/sitemap.xml": "SourceError"}
    assert failures(tmp_path) == expected | sources
    assert (result.exit_code, result.counts.counts["analysed"]) == (1, 1)


def test_addresses_that_are_not_public_are_refused(tmp_path: Path, server: KeepAliveServer) -> None:
    base = server.serve(answer(GOOD)).removesuffix("/")
    urls = [f"{base}/a", f"http://localhost:{server.port}/b", f"http://0x7f.1:{server.port}/c"]
    (tmp_path / "list.txt").write_text("\n".join(urls))
    (tmp_path / "config.toml").write_text(CONFIG.format(base=base, private="false"))
    run(plan(tmp_path / "config.toml"))
    refused = dict.fromkeys((f"{base}/a", urls[1], f"{base}/c", f"feed:{base}/feed"), "AddressRefused")
    assert failures(tmp_path) == refused | {f"sitemap:{base}/sitemap.xml": "AddressRefused"}
    assert server.seen == []
