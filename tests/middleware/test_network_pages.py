"""The network manager's pages: content, facts, redirects, headers, connections."""

import dataclasses
import gzip
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest
import zstandard

from bonmun.errors import FetchError
from bonmun.middleware.exchange import Network, Request
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from tests.middleware.local_server import PAGE, answer, chunked, redirect, serving
from tests.middleware.network_server import KeepAliveServer, all_of, failure, get, settings


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        yield running


def test_a_page_has_its_content_type_as_sent_and_the_facts_of_its_fetch(server: KeepAliveServer) -> None:
    url = server.serve(answer(Content_Type='text/HTML; charset="euc-kr"'), "/a?b=%ED")
    with NetworkManager(settings()) as manager:
        network: Network = manager
        page = network.fetch(Request(url, "a feed"))
    assert (page.url, page.content, page.content_type, page.source) == (
        url,
        PAGE,
        'text/HTML; charset="euc-kr"',
        "a feed",
    )
    facts = page.network
    assert facts is not None
    assert (facts.requested_url, facts.status, facts.http_version, facts.redirects) == (url, 200, "HTTP/1.1", ())
    assert (facts.attempts, facts.from_cache, facts.received_bytes) == (1, False, len(PAGE))
    assert 0 < facts.seconds < 5
    assert facts.fetched_at.utcoffset() is not None


def test_a_content_type_that_is_not_ascii_is_kept(server: KeepAliveServer) -> None:
    for cache in (None, ":memory:"):
        url = server.serve(answer(Content_Type="text/html; charset=\N{LATIN SMALL LETTER E WITH ACUTE}"))
        assert get(url, cache=cache).content_type == "text/html; charset=Ã©"


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE[:4]) + gzip.compress(PAGE[4:])),
        ("deflate", zlib.compress(PAGE)),
        ("br", brotli.compress(PAGE)),
        ("zstd", zstandard.compress(PAGE)),
        ("zstd", zstandard.compress(PAGE[:4]) + zstandard.compress(PAGE[4:])),
        ("zstd", zstandard.compress(PAGE) + b"stray"),
        ("br", b"".join((brotli.compress(PAGE), b""))),
    ],
)
def test_a_compressed_page_is_unpacked(server: KeepAliveServer, encoding: str, packed: bytes) -> None:
    page = get(server.serve(answer(packed, Content_Encoding=encoding)))
    assert page.content == PAGE
    assert page.network is not None
    assert page.network.received_bytes == len(packed)


@pytest.mark.parametrize(
    ("encoding", "pack"), [("br", brotli.compress), ("zstd", zstandard.compress), ("gzip", gzip.compress)]
)
def test_a_large_compressed_page_comes_whole(server: KeepAliveServer, encoding: str, pack: type) -> None:
    body = bytes(range(256)) * 4000
    assert get(server.serve(answer(pack(body), Content_Encoding=encoding))).content == body


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE)[:-6]),
        ("deflate", b"\xff" * 40),
        ("br", brotli.compress(PAGE)[:-2]),
        ("br", b"\xff" * 40),
        ("zstd", zstandard.compress(PAGE)[:-2]),
        ("zstd", PAGE),
        ("gzip, gzip", gzip.compress(gzip.compress(PAGE))),
        ("compress", PAGE),
    ],
)
def test_damaged_and_unsupported_compression_is_a_fetch_error(
    server: KeepAliveServer, encoding: str, packed: bytes
) -> None:
    assert type(failure(server.serve(answer(packed, Content_Encoding=encoding)), retries=0)) is FetchError


def test_a_chunked_response_is_joined(server: KeepAliveServer) -> None:
    url = server.serve(chunked(b"3\r\nabc\r\n", b"2;x=y\r\nde\r\n", b"0\r\nTrailer: 1\r\n\r\n"))
    assert get(url).content == b"abcde"


def test_redirects_are_followed_and_noted(server: KeepAliveServer) -> None:
    server.serve(redirect("/b", "301 Moved"), "/a")
    server.serve(redirect("c?x#y", "308 Permanent"), "/b")
    end = server.serve(answer(), "/c?x")
    start = end.replace("c?x", "a")
    page = get(start)
    assert page.url == f"{end}#y"
    assert page.network is not None
    assert page.network.redirects == (start, start.replace("/a", "/b"))


@pytest.mark.parametrize("cache", [None, ":memory:"])
@pytest.mark.parametrize("charset", ["utf-8", "cp949"])
def test_raw_bytes_in_a_location_are_sent_back_as_they_came(
    server: KeepAliveServer, charset: str, cache: str | None
) -> None:
    word = "가나".encode(charset)
    quoted = "".join(f"%{byte:02X}" for byte in word)
    end = server.serve(answer(), f"/{quoted}")
    server.serve(b"HTTP/1.1 302 Found\r\nLocation: /" + word + b"\r\nContent-Length: 0\r\n\r\n")
    assert get(end.replace(quoted, ""), cache=cache).url == end


def test_headers_are_configured_and_nothing_comes_from_the_environment(
    server: KeepAliveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    server.serve(answer(b"", "302 Found", Location="/page", Set_Cookie="id=1"))
    url = server.serve(answer(), "/page").replace("/page", "/")
    get(url, user_agent="tea/1", headers={"accept-language": "ko", "Accept": "text/html"})
    asked = server.requests[-1]
    assert asked.startswith("GET /page HTTP/1.1\n")
    for line in (f"Host: 127.0.0.1:{server.port}", "accept-language: ko", "Accept: text/html"):
        assert f"\n{line}\n" in asked
    assert "Accept-Encoding: gzip, deflate, br, zstd\n" in asked
    assert "\nUser-Agent: tea/1\n" in asked
    assert not any(name in asked for name in ("Cookie", "Authorization", "Referer"))


@pytest.mark.parametrize(
    "changes",
    [
        *({"per_host": 0}, {"delay": -1.0}, {"seconds": float("nan")}, {"proxy": "socks5://h"}, {"proxy": "h:1"}),
        *({"headers": {"Host": "x"}}, {"headers": {"X": "a\r\nY: b"}}, {"concurrency": 0}),
    ],
)
def test_settings_that_make_no_sense_are_a_value_error(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"NetworkSettings\."):
        settings(**changes)


def test_one_connection_serves_many_pages_redirects_and_errors(server: KeepAliveServer) -> None:
    urls = [server.serve(answer(), f"/{number}") for number in range(20)]
    urls.append(server.serve(answer(b"gone", "404 Not Found"), "/gone"))
    urls.append(server.serve(redirect("/0"), "/moved"))
    with NetworkManager(settings()) as network:
        assert len(all_of(network, urls)) == 22
        network.fetch(Request(urls[0]))
    assert len(server.seen) == 24
    assert len({port for _, _, port in server.seen}) == 1


def test_a_korean_path_reaches_the_server_escaped(server: KeepAliveServer) -> None:
    url = server.serve(answer(), "/%EA%B0%80|'?%EB%82%98=1")
    assert get(f"http://127.0.0.1:{server.port}/가|'?나=1").url == url


def test_a_closed_manager_refuses(server: KeepAliveServer) -> None:
    network = NetworkManager(settings())
    network.close()
    with pytest.raises(FetchError, match="closed"):
        network.fetch(Request(server.serve(answer())))


def test_a_missing_package_names_the_extra() -> None:
    script = (
        "import sys; sys.modules['httpx2'] = None\n"
        "from bonmun.errors import MissingExtra\n"
        "from bonmun.middleware.network_manager import NetworkManager\n"
        "try: NetworkManager()\n"
        "except MissingExtra as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "the network manager's packages need an extra: pip install 'bonmun[crawl]'\n"


def test_a_host_that_cannot_be_reached_needs_no_turns() -> None:
    urls = [f"http://127.0.0.1/{number}" for number in range(100)]
    with NetworkManager(settings(allow_private=False, delay=60.0)) as network:
        assert len(all_of(network, urls)) == 100


def test_the_documentation_lists_every_setting() -> None:
    text = (Path(__file__).parents[2] / "docs/network.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert listed == [field.name for field in dataclasses.fields(NetworkSettings)]
