import gzip
import io
import os
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonmun.errors import SourceError, UnknownName
from bonmun.middleware.exchange import Network, Request, SourcePage
from bonmun.middleware.sources import Crawl, Feed, Files, Sitemap, Urls, Warc, WatchedFolder, source_of
from tests.middleware.sources.local_network import LocalNetwork, until_error

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")  # fastwarc imports its own

PAGE = "<p>녹차는 잎으로 만든다.".encode()


def names(items: Iterator[SourcePage]) -> list[str]:
    return [item.url.rpartition("/")[2] for item in items]


class TestUrls:
    def test_a_list_has_comments_and_every_page_once(self, tmp_path: Path, network: LocalNetwork) -> None:
        path = tmp_path / "list.txt"
        lines = ["\ufeff# pages", "", " https://example.org/1#top ", "http://www.example.org/1/?utm_source=x"]
        path.write_text("\n".join([*lines, "https://example.org/2?b=1&a=2  # second", "https://example.org/2?a=2&b=1"]))
        items = list(Urls(path).items(network))
        assert items == [
            Request("https://example.org/1#top", f"urls:{path}"),
            Request("https://example.org/2?b=1&a=2", f"urls:{path}"),
        ]

    def test_what_is_no_url_is_named_at_the_end(self, network: LocalNetwork) -> None:
        urls, error = until_error(Urls(["tea", "https://example.org/", "ftp://example.org/"]).items(network))
        assert urls == ["https://example.org/"]
        assert isinstance(error, SourceError)
        assert "line 1: 'tea' is not a URL" in str(error)

    def test_any_iterable_is_taken_lazily(self, network: LocalNetwork) -> None:
        endless = (f"https://example.org/{number}" for number in iter(int, 1))
        assert next(Urls(endless).items(network)).url == "https://example.org/0"
        assert [item.url for item in Urls("https://example.org/").items(network)] == ["https://example.org/"]

    def test_a_missing_list_is_a_source_error(self, tmp_path: Path, network: LocalNetwork) -> None:
        _, error = until_error(Urls(tmp_path / "no.txt").items(network))
        assert isinstance(error, SourceError)


class TestFiles:
    def test_a_folder_is_searched_for_pages(self, tmp_path: Path, network: LocalNetwork) -> None:
        (tmp_path / "b").mkdir()
        (tmp_path / ".git").mkdir()
        for name in ("a.html", "b/c.HTM", "notes.txt", ".hidden.html", ".git/d.html"):
            (tmp_path / name).write_bytes(PAGE)
        (tmp_path / "z.html.gz").write_bytes(gzip.compress(PAGE))
        pages = list(Files(tmp_path).items(network))
        assert names(iter(pages)) == ["a.html", "z.html.gz", "c.HTM"]
        assert {(page.content, page.source) for page in pages} == {(PAGE, f"files:{tmp_path}")}
        assert pages[0].url == (tmp_path / "a.html").as_uri()

    def test_a_pattern_takes_any_suffix(self, tmp_path: Path, network: LocalNetwork) -> None:
        for name in ("1.php", "2.php", "3.html"):
            (tmp_path / name).write_bytes(PAGE)
        assert names(Files(f"{tmp_path}/*.php").items(network)) == ["1.php", "2.php"]
        assert names(Files(f"{tmp_path.parent}/**/{tmp_path.name}/3.*").items(network)) == ["3.html"]

    def test_a_saved_page_has_the_url_that_it_names(self, tmp_path: Path, network: LocalNetwork) -> None:
        path = tmp_path / "a.html"
        path.write_bytes(b"<!-- saved from url=(0023)https://example.org/tea -->" + PAGE)
        assert [page.url for page in Files(path).items(network)] == ["https://example.org/tea"]

    def test_a_named_container_yields_its_pages(self, tmp_path: Path, network: LocalNetwork) -> None:
        path = tmp_path / "pages.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("1.html", PAGE)
            archive.writestr("../2.html", PAGE)
        assert [page.url for page in Files(path).items(network)] == [f"{path.as_uri()}#1", f"{path.as_uri()}#2"]

    def test_links_and_pipes_are_not_followed_in_a_search(self, tmp_path: Path, network: LocalNetwork) -> None:
        (tmp_path / "real.html").write_bytes(PAGE)
        (tmp_path / "link.html").symlink_to(tmp_path / "real.html")
        (tmp_path / "circle").symlink_to(tmp_path)
        (tmp_path / "broken.html").symlink_to(tmp_path / "missing")
        os.mkfifo(tmp_path / "pipe.html")
        assert names(Files(tmp_path).items(network)) == ["real.html"]
        assert names(Files(f"{tmp_path}/**/*.html").items(network)) == ["real.html"]
        _, error = until_error(Files(f"{tmp_path}/*/real.html").items(network))
        assert isinstance(error, SourceError)
        assert names(Files(tmp_path / "link.html").items(network)) == ["link.html"]
        _, error = until_error(Files(tmp_path / "pipe.html").items(network))
        assert "not a regular file" in str(error)

    def test_an_unreadable_page_does_not_stop_the_others(self, tmp_path: Path, network: LocalNetwork) -> None:
        (tmp_path / "1.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
        (tmp_path / "2.html.gz").write_bytes(gzip.compress(os.urandom(1000).hex().encode() + PAGE)[:-20])
        (tmp_path / "3.html").write_bytes(PAGE * 10)
        (tmp_path / "4.html").write_bytes(PAGE)
        urls, error = until_error(Files(tmp_path, most=100).items(network))
        assert urls == [(tmp_path / "4.html").as_uri()]
        assert isinstance(error, SourceError)
        assert "3 errors" in str(error)

    @pytest.mark.parametrize("path", ["no.html", "no/*.html", "."])
    def test_nothing_to_read_is_a_source_error(
        self, path: str, tmp_path: Path, network: LocalNetwork, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        urls, error = until_error(Files(path).items(network))
        assert (urls, type(error)) == ([], SourceError)


def record(url: str, body: bytes, kind: str = "text/html; charset=euc-kr", status: str = "200 OK") -> bytes:
    http = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:0>\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"


RECORDS = [
    record("https://example.org/1", PAGE),
    record("https://example.org/logo", b"PNG", "image/png"),
    record("https://example.org/missing", PAGE, status="404 Not Found"),
    record("https://example.org/2", "<p>녹차".encode("cp949") * 500),
    record("https://example.org/3", PAGE * 100),
]


class TestWarc:
    @pytest.mark.parametrize("suffix", [".warc", ".warc.gz", ".wacz"])
    def test_the_pages_of_an_archive(self, suffix: str, tmp_path: Path, network: LocalNetwork) -> None:
        path = tmp_path / f"crawl{suffix}"
        content = b"".join(gzip.compress(one) for one in RECORDS) if suffix == ".warc.gz" else b"".join(RECORDS)
        if suffix == ".wacz":
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as archive:
                archive.writestr("datapackage.json", "{}")
                archive.writestr("archive/data.warc", content)
            content = buffer.getvalue()
        path.write_bytes(content)
        pages = list(Warc(tmp_path).items(network))
        assert [page.url for page in pages] == [f"https://example.org/{number}" for number in (1, 2, 3)]
        assert pages[0].content == PAGE
        assert "euc-kr" in (pages[1].content_type or "").lower()
        assert {page.source for page in pages} == {f"warc:{tmp_path}"}

    @pytest.mark.parametrize("packed", [False, True])
    @pytest.mark.parametrize("cut", [30, -100, -20])
    def test_a_truncated_archive_yields_what_it_has_and_then_an_error(
        self, cut: int, packed: bool, tmp_path: Path, network: LocalNetwork
    ) -> None:
        records = [gzip.compress(one) for one in RECORDS] if packed else RECORDS
        path = tmp_path / "crawl.warc"
        path.write_bytes(b"".join(records[:-1]) + records[-1][:-cut])  # a negative cut leaves so many bytes
        urls, error = until_error(Warc(path).items(network))
        assert urls == ["https://example.org/1", "https://example.org/2"]
        assert isinstance(error, SourceError)
        assert str(path) in str(error)

    def test_a_damaged_archive_does_not_stop_the_others(self, tmp_path: Path, network: LocalNetwork) -> None:
        (tmp_path / "1.warc.gz").write_bytes(b"\x1f\x8b\x08 nonsense")
        (tmp_path / "2.warc").write_bytes(RECORDS[0])
        urls, error = until_error(Warc(tmp_path).items(network))
        assert urls == ["https://example.org/1"]
        assert "1.warc.gz" in str(error)


class Watcher:
    """Reads a watched folder in a thread."""

    def __init__(self, source: WatchedFolder, network: Network) -> None:
        self.source, self.pages, self.error = source, list[SourcePage](), ""
        self._thread = threading.Thread(target=self._read, args=(network,))

    def _read(self, network: Network) -> None:
        try:
            for page in self.source.items(network):
                self.pages.append(page)
        except SourceError as error:
            self.error = str(error)

    def __enter__(self) -> "Watcher":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.source.stop()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def wait(self, count: int) -> list[str]:
        end = time.monotonic() + 60
        while len(self.pages) < count and time.monotonic() < end:
            time.sleep(0.005)
        return [page.content.decode() for page in self.pages]


class TestWatchedFolder:
    def test_files_that_are_there_appear_and_change(self, tmp_path: Path, network: LocalNetwork) -> None:
        (tmp_path / "1.html").write_text("<p>1")
        with Watcher(WatchedFolder(tmp_path, 0.01), network) as watcher:
            assert watcher.wait(1) == ["<p>1"]
            (tmp_path / "below").mkdir()
            (tmp_path / "below" / "2.html").write_text("<p>2")
            assert watcher.wait(2) == ["<p>1", "<p>2"]
            (tmp_path / "notes.txt").write_text("no page")
            (tmp_path / "1.html").write_text("<p>changed")
            assert watcher.wait(3) == ["<p>1", "<p>2", "<p>changed"]
            (tmp_path / "1.html").unlink()
        assert len(watcher.pages) == 3

    def test_files_that_are_there_can_be_left_out(self, tmp_path: Path, network: LocalNetwork) -> None:
        (tmp_path / "1.html").write_text("<p>1")
        watched = WatchedFolder(tmp_path, 0.01, existing=False)
        with Watcher(watched, network) as watcher:
            for number in range(1000):  # until the first round is over: before that, the file counts as there
                if watcher.pages:
                    break
                (tmp_path / "2.html").write_text(f"<p>2{number}")
                time.sleep(0.1)
        assert watcher.pages
        assert all(page.content.startswith(b"<p>2") for page in watcher.pages)

    @pytest.mark.timed
    def test_a_file_that_grows_is_read_when_it_is_whole(self, tmp_path: Path, network: LocalNetwork) -> None:
        with Watcher(WatchedFolder(tmp_path, 0.2), network) as watcher, (tmp_path / "1.html").open("w") as file:
            for number in range(40):
                file.write(f"<p>{number}")
                file.flush()
                time.sleep(0.02)
            assert [text[-5:] for text in watcher.wait(1)] == ["<p>39"]

    def test_an_unreadable_file_is_named_at_the_end(self, tmp_path: Path, network: LocalNetwork) -> None:
        (tmp_path / "1.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
        (tmp_path / "2.html").write_text("<p>2")
        with Watcher(WatchedFolder(tmp_path, 0.01), network) as watcher:
            assert watcher.wait(1) == ["<p>2"]
        assert "1.html" in watcher.error

    def test_a_missing_folder_is_a_source_error(self, tmp_path: Path, network: LocalNetwork) -> None:
        _, error = until_error(WatchedFolder(tmp_path / "no").items(network))
        assert isinstance(error, SourceError)

    @pytest.mark.timed
    def test_it_stops_without_waiting_for_the_next_round(self, tmp_path: Path, network: LocalNetwork) -> None:
        start = time.monotonic()
        with Watcher(WatchedFolder(tmp_path, 60), network):
            pass
        assert time.monotonic() - start < 5


class TestSourceOf:
    @pytest.mark.parametrize(
        ("text", "kind", "name"),
        [
            ("https://example.org/tea", Urls, "urls"),
            ("feed:https://example.org/rss", Feed, "feed:https://example.org/rss"),
            (" sitemap: https://example.org/sitemap.xml", Sitemap, "sitemap:https://example.org/sitemap.xml"),
            ("site:http://example.org", Crawl, "site:http://example.org"),
            ("warc:crawl.warc.gz", Warc, "warc:crawl.warc.gz"),
            ("watch:inbox", WatchedFolder, "watch:inbox"),
            ("urls:list.txt", Urls, "urls:list.txt"),
            ("files:pages", Files, "files:pages"),
            ("pages/*.html", Files, "files:pages/*.html"),
            ("page.html", Files, "files:page.html"),
            ("a:b.html", Files, "files:a:b.html"),
            ("news:b.html", Files, "files:news:b.html"),
            ("list.txt", Urls, "urls:list.txt"),
            (".", Files, "files:."),
        ],
    )
    def test_the_forms(self, text: str, kind: type, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        for file in ("page.html", "a:b.html", "news:b.html", "list.txt"):
            Path(file).write_bytes(PAGE)
        source = source_of(text)
        assert (type(source), source.name) == (kind, name)

    def test_a_plug_in_adds_a_form(self) -> None:
        class Mail:
            def __init__(self, text: str) -> None:
                self.name = f"mail:{text}"

            def items(self, network: Network) -> Iterator[Request]:
                yield Request("https://example.org/")

        assert source_of("mail:inbox", {"mail": Mail}).name == "mail:inbox"
        with pytest.raises(UnknownName, match="mail"):
            source_of("male:inbox", {"mail": Mail})

    @pytest.mark.parametrize(
        "text", ["", "no-such-file.html", "example.org/feed", "feed:", "feed:tea", "site:ftp://x/"]
    )
    def test_what_is_no_source_is_a_source_error(self, text: str) -> None:
        with pytest.raises(SourceError):
            source_of(text)

    def test_an_unknown_form_names_the_known_ones(self) -> None:
        with pytest.raises(UnknownName, match=r"'gopher'; there are: feed, files, .* watch"):
            source_of("gopher://example.org")
