"""What a source may hold: pages, compressed pages and containers, told apart by their content."""

import bz2
import gzip
import io
import json
import lzma
import os
import random
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from bonmun.cli.pages import pages_of, read
from bonmun.cli.sources import expand
from bonmun.errors import LimitExceeded, MissingExtra, NotAPage, SourceError
from bonmun.inputs.member import Columns, Reading
from tests.cli.conftest import PAGE

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")  # fastwarc imports its own

MOST = 100_000
HTML = PAGE.format(title="One").encode()


def pages(name, most=MOST, columns=None):
    """All pages of an argument as (name, content, URL); an error in place of the content of one that failed."""
    result = []
    for source in expand(name):
        for page in pages_of(source, Reading(most, columns or Columns())):
            try:
                raw = read(page, most)
                result.append((page.name, raw.content, raw.url))
            except (NotAPage, SourceError, LimitExceeded, MissingExtra) as error:
                result.append((page.name, error, page.url))
    return result


def only(name, **options):
    (page,) = pages(name, **options)
    return page


def refused(content, name="x"):
    Path(name).write_bytes(content)
    error = only(name)[1]
    assert isinstance(error, NotAPage)
    return str(error)


def with_zstd(content):
    return pytest.importorskip("zstandard").ZstdCompressor().compress(content)


def with_brotli(content):
    return pytest.importorskip("brotli").compress(content)


PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": with_zstd, ".br": with_brotli}
BLANKS = b" " * 60_000_000


# ── single pages ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_compressed_page_is_read_and_a_bomb_is_cut_at_the_limit(folder, suffix):
    Path(f"a.html{suffix}").write_bytes(PACKERS[suffix](HTML))
    assert only(f"a.html{suffix}") == (f"a.html{suffix}", HTML, None)
    Path(f"b.html{suffix}").write_bytes(PACKERS[suffix](b"<p>" + bytes(50_000) + BLANKS))
    assert isinstance(only(f"b.html{suffix}")[1], NotAPage)
    Path(f"c.html{suffix}").write_bytes(PACKERS[suffix](b"<p>" + BLANKS))
    assert len(only(f"c.html{suffix}")[1]) == MOST + 1


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_truncated_page_is_an_error(folder, suffix):
    packed = PACKERS[suffix](HTML + bytes(random.Random(1).choices(b"abcdefgh <>", k=9000)))
    Path(f"a.html{suffix}").write_bytes(packed[:-9])
    error = only(f"a.html{suffix}")[1]
    assert isinstance(error, SourceError)
    assert f"cannot read a.html{suffix}: " in str(error)


def test_the_content_decides_and_not_the_suffix(folder):
    Path("a.html").write_bytes(gzip.compress(HTML))
    Path("b.gz").write_bytes(HTML)
    assert only("a.html")[1] == only("b.gz")[1] == HTML


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (random.Random(0).randbytes(5000), "binary data"),
        (b"Tea is made of leaves.", "text without any HTML tag"),
        (b'{\n  "html": "<p>Tea"\n}', "JSON"),
        (b'[{"html": "<p>Tea"}]', "JSON"),
        (b'<?xml version="1.0"?><rss version="2.0"><channel>', "RSS feed"),
        (b"<urlset><url>", "sitemap"),
        (b"%PDF-1.7 <p>", "PDF document"),
        (b"PK\3\4" + bytes(26) + b"[Content_Types].xml", "Microsoft Office document"),
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x--", "without an HTML part"),
    ],
)
def test_anything_else_is_refused_by_name(folder, content, kind):
    assert kind in refused(content)


def test_random_bytes_are_refused_under_the_name_of_a_page(folder):
    assert "binary data" in refused(random.Random(0).randbytes(5000), "a.html")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "iso-2022-jp", "cp949"])
def test_pages_in_any_encoding_are_pages(folder, encoding):
    content = "<p>本文</p>".encode(encoding)
    Path("a").write_bytes(content)
    assert only("a")[1] == content


def test_single_file_and_browsers_note_the_url(folder):
    single = (
        "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://example.org/a \n saved date: x\n-->"
    )
    Path("a.html").write_text(f"{single}<p>Tea")
    Path("b.html").write_text("<!-- saved from url=(0021)https://example.org/b -->\n<html><p>Tea")
    assert [only(name)[2] for name in ("a.html", "b.html")] == ["https://example.org/a", "https://example.org/b"]


MHTML = b"""From: <Saved by Blink>
Snapshot-Content-Location: https://example.org/tea
Subject: Tea
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="cut"

--cut
Content-Type: text/html; charset=euc-kr
Content-Transfer-Encoding: quoted-printable
Content-Location: https://example.org/tea

<p>=C2=F7</p>
--cut
Content-Type: image/gif
Content-Transfer-Encoding: base64
Content-Location: https://example.org/dot.gif

R0lGODlhAQABAAAAACw=
--cut--
"""


@pytest.mark.parametrize("line_break", [b"\n", b"\r\n"])
def test_the_main_part_of_mhtml_is_the_page(folder, line_break):
    Path("a.mhtml").write_bytes(MHTML.replace(b"\n", line_break))
    (source,) = expand("a.mhtml")
    raw = read(source, MOST)
    assert (raw.content.strip(), raw.url, raw.content_type) == (b"<p>\xc2\xf7</p>", "https://example.org/tea", "euc-kr")


# ── containers ────────────────────────────────────────────────────────────────────────────────────────────────────


def warc(*addresses, compress=True, kind="text/html"):
    from fastwarc.warc import WarcRecord, WarcRecordType

    out = io.BytesIO()
    for address in addresses:
        record = WarcRecord()
        record.init_headers(record_type=WarcRecordType.response)
        record.headers["WARC-Target-URI"] = address
        record.headers["Content-Type"] = "application/http; msgtype=response"
        http = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\n\r\n".encode()
        record.set_bytes_content(http + PAGE.format(title=address).encode())
        one = io.BytesIO()
        record.write(one)
        out.write(gzip.compress(one.getvalue()) if compress else one.getvalue())
    return out.getvalue()


ADDRESSES = [f"https://example.org/{number}" for number in range(3)]


@pytest.mark.parametrize("compress", [True, False])
def test_a_web_archive_gives_its_html_responses(folder, compress):
    Path("crawl").write_bytes(
        warc(*ADDRESSES, compress=compress) + warc(ADDRESSES[0], compress=compress, kind="image/png")
    )
    found = pages("crawl")
    assert [(name, url) for name, _, url in found] == [(f"crawl: {url}", url) for url in ADDRESSES]
    assert found[2][1] == PAGE.format(title=ADDRESSES[2]).encode()


def test_a_truncated_web_archive_gives_its_whole_pages_and_an_error(folder):
    content = warc(*ADDRESSES)
    Path("crawl.warc.gz").write_bytes(content[: len(content) - 100])
    *good, bad = pages("crawl.warc.gz")
    assert [url for _, _, url in good][:2] == ADDRESSES[:2]
    assert isinstance(bad[1], SourceError)


def test_the_web_archives_of_a_wacz_are_read(folder):
    with zipfile.ZipFile("crawl.wacz", "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/one.warc.gz", warc(*ADDRESSES[:2]))
        archive.writestr("archive/two.warc.gz", warc(*ADDRESSES[2:]))
        archive.writestr("pages/index.html", "<p>not a page of the crawl")
    assert [url for _, _, url in pages("crawl.wacz")] == ADDRESSES


def zipped(name, **files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)


def test_the_pages_of_a_zip_are_read_in_order(folder):
    files = {
        "b/two.html": HTML,
        "a/one.htm": b"<p>1",
        "../../up.html": b"<p>up",
        "notes.txt": b"no",
        ".hidden.html": b"no",
    }
    zipped("site.zip", **files, **{"__MACOSX/x.html": b"no", "big.html": b"<p>" * MOST})
    names, contents, _ = zip(*pages("site.zip"), strict=True)
    assert names == ("site.zip: b/two.html", "site.zip: a/one.htm", "site.zip: ../../up.html", "site.zip: big.html")
    assert contents[:3] == (HTML, b"<p>1", b"<p>up")
    assert len(contents[3]) == MOST + 1
    assert [path.name for path in folder.iterdir()] == ["site.zip"]


def test_a_damaged_entry_of_a_zip_fails_alone(folder):
    zipped("site.zip", **{"a.html": HTML, "b.html": HTML})
    content = bytearray(Path("site.zip").read_bytes())
    content[45] ^= 0xFF
    Path("site.zip").write_bytes(content)
    (_, first, _), (_, second, _) = pages("site.zip")
    assert isinstance(first, SourceError)
    assert second == HTML


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_the_pages_of_a_tar_are_read_as_a_stream(folder, mode):
    with tarfile.open("site.tar", mode) as archive:
        for name, content in {"a.html": HTML, "photo.png": b"\x89PNG", "b.html": b"<p>2"}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        link = tarfile.TarInfo("link.html")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert pages("site.tar") == [("site.tar: a.html", HTML, None), ("site.tar: b.html", b"<p>2", None)]


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, with_zstd])
def test_json_lines_with_named_fields_are_read_and_bad_lines_fail_alone(folder, pack):
    good = {"body": "<p>차", "link": "https://example.org/"}
    content = (
        lines(good, {"html": "x"}, [1], {"body": "plain text"})
        + b'{"body": \n\n'
        + lines({"body": "x" * 5 * MOST}, good)
    )
    Path("pages.jsonl").write_bytes(pack(content))
    found = pages("pages.jsonl", columns=Columns("body", "link"))
    assert found[0] == ("pages.jsonl, line 1", "<p>차".encode(), "https://example.org/")
    assert "no text in the field 'body' (fields: html)" in str(found[1][1])
    assert "not a JSON object" in str(found[2][1])
    assert found[3][1] == b"plain text"
    assert "not JSON" in str(found[4][1])
    assert isinstance(found[5][1], LimitExceeded)
    assert found[6] == ("pages.jsonl, line 8", "<p>차".encode(), "https://example.org/")


def test_a_parquet_file_with_a_named_column_is_read(folder):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = {"page": ["<p>1", None, "<p>3"], "url": ["https://example.org/1", None, None], "other": [1, 2, 3]}
    parquet.write_table(pyarrow.table(rows), "pages.parquet")
    one, two, three = pages("pages.parquet", columns=Columns("page"))
    assert one == ("pages.parquet, row 1", b"<p>1", "https://example.org/1")
    assert "no text in the column 'page'" in str(two[1])
    assert three == ("pages.parquet, row 3", b"<p>3", None)
    assert "no column 'html' (columns: page, url, other)" in str(only("pages.parquet")[1])


def test_parquet_without_pyarrow_names_the_extra(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    Path("pages.parquet").write_bytes(b"PAR1" + bytes(20))
    assert "pip install 'bonmun[scale]'" in str(only("pages.parquet")[1])


@pytest.mark.parametrize(("module", "suffix"), [("zstandard", ".zst"), ("brotli", ".br")])
def test_a_missing_decompressor_names_the_extra(folder, monkeypatch, module, suffix):
    monkeypatch.setitem(sys.modules, module, None)
    Path(f"a.html{suffix}").write_bytes(b"\x28\xb5\x2f\xfd" if suffix == ".zst" else b"\x0b\x02\x80Tea\x03")
    assert "pip install 'bonmun[files]'" in str(only(f"a.html{suffix}")[1])


@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz", "x.warc.gz", "x.jsonl.gz"])
def test_a_damaged_container_is_one_error(folder, name):
    magic = {"x.zip": b"PK\3\4"}.get(name, b"\x1f\x8b\x08")
    Path(name).write_bytes(magic + random.Random(2).randbytes(400))
    assert isinstance(only(name)[1], SourceError)


def test_a_container_without_pages_is_an_error(folder):
    zipped("site.zip", **{"notes.txt": b"no"})
    assert "no web page in this ZIP file" in str(only("site.zip")[1])


def test_a_container_is_read_as_far_as_its_pages_are_asked_for(folder):
    def endless():
        while True:
            yield lines({"html": "<p>Tea"})

    reading, writing = os.pipe()
    os.write(writing, b"".join(next(endless()) for _ in range(500)))
    (source,) = expand(f"/dev/fd/{reading}")
    stream = pages_of(source, Reading(MOST))
    assert [next(stream).number for _ in range(3)] == [1, 2, 3]
    stream.close()
    os.close(writing)
    os.close(reading)


def test_a_list_of_urls_or_files_is_a_list_and_a_note_is_not(folder):
    Path("a.html").write_bytes(HTML)
    Path("list.txt").write_text("# pages\nhttps://example.org/\n\na.html\n*.nothing\n")
    Path("note.txt").write_text("Buy tea.\n")
    assert [source.name for source in expand("list.txt")] == ["https://example.org/", "a.html", "list.txt, line 5"]
    assert isinstance(only("note.txt")[1], NotAPage)
