"""Shards to page batches: rows, damages, counts, and memory that stays flat."""

import bz2
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("zstandard", reason="zstandard is not installed")

from pyarrow import parquet  # noqa: E402

from bonmun.errors import MissingExtra  # noqa: E402
from bonmun.inputs.member import Columns  # noqa: E402
from bonmun.scale import extract_batch  # noqa: E402
from bonmun.scale.reading import BATCH_BYTES, BATCH_ROWS, PAGE_SCHEMA, Damage, Reading, read_shard  # noqa: E402
from bonmun.scale.shards import Shard, gather  # noqa: E402
from tests.warcs import DATE, HTTP, PACKS, record, response, zstd  # noqa: E402

PAGE = b"<p>Tea is made of leaves, and of water that has just boiled."
DIGEST = "sha1:IKHN7G4LDWFN45GV5H2WN2W33QIMGIJ6"
TREE = str(Path(__file__).parents[2])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(*sources, **options):
    """The rows of all shards, and the damages."""
    rows, damages = [], []
    for shard in gather(sources):
        for part in read_shard(shard, Reading(**options)):
            if isinstance(part, Damage):
                damages.append(part)
            else:
                assert part.schema == PAGE_SCHEMA
                part.validate(full=True)
                rows += part.to_pylist()
    return rows, damages


def whole(*sources, **options):
    rows, damages = read(*sources, **options)
    assert damages == []
    return rows


def crawl(*bodies, pack=gzip.compress, **headers):
    return b"".join(pack(response(f"https://example.org/{n}", body, **headers)) for n, body in enumerate(bodies))


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("pack", PACKS)
def test_a_page_of_a_web_archive_has_all_columns(folder, pack):
    Path("crawl.warc").write_bytes(crawl(PAGE, pack=PACKS[pack], WARC_Payload_Digest="sha1:TEA"))
    assert whole("crawl.warc") == [
        {
            "url": "https://example.org/0",
            "html": PAGE,
            "charset": "utf-8",
            "source": "crawl.warc: https://example.org/0",
            "digest": "sha1:TEA",
            "fetched": DATE,
            "failure": None,
        }
    ]


def test_a_page_without_a_recorded_digest_gets_one_of_its_bytes(folder):
    Path("a.html").write_bytes(PAGE)
    Path("a.warc").write_bytes(crawl(PAGE, pack=bytes))
    one, two = whole("a.warc", "a.html")
    assert one["digest"] == two["digest"] == DIGEST
    assert (two["source"], two["url"], two["charset"], two["fetched"]) == ("a.html", None, None, None)


def as_json_lines(content):
    return json.dumps({"html": content.decode(), "url": "https://example.org/0"}).encode() + b"\n"


def as_zip(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.html", content)
    return stream.getvalue()


def as_wacz(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/0.warc.gz", crawl(content))
    return stream.getvalue()


def as_tar(content):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        entry = tarfile.TarInfo("0.html")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def as_parquet(content):
    stream = io.BytesIO()
    parquet.write_table(pa.table({"html": [content.decode()], "url": ["https://example.org/0"], "x": [1]}), stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "make", "label"),
    [
        ("a.jsonl", as_json_lines, ", line 1"),
        ("a.jsonl.zst", lambda content: zstd(as_json_lines(content)), ", line 1"),
        ("a.ndjson.bz2", lambda content: bz2.compress(as_json_lines(content)), ", line 1"),
        ("a.zip", as_zip, ": 0.html"),
        ("a.wacz", as_wacz, ": https://example.org/0"),
        ("a.tar.gz", as_tar, ": 0.html"),
        ("a.parquet", as_parquet, ", row 1"),
        ("a.warc.gz", crawl, ": https://example.org/0"),
        ("a.html.zst", zstd, ""),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("a.") else "",
)
def test_every_kind_of_source_gives_the_same_page(folder, name, make, label):
    Path(name).write_bytes(make(PAGE))
    [row] = whole(name)
    assert (row["source"], row["html"], row["digest"]) == (name + label, PAGE, DIGEST)


def test_the_columns_of_a_table_are_chosen_by_name_and_pages_may_be_text_or_bytes(folder):
    coded = pa.dictionary(pa.int32(), pa.string())
    for number, kind in enumerate([pa.binary(), pa.large_binary(), pa.string(), pa.large_string(), coded]):
        table = pa.table({"page": pa.array([PAGE.decode()], kind), "link": ["https://example.org/"]})
        parquet.write_table(table, f"{number}.parquet")
    rows = whole("*.parquet", columns=Columns("page", "link"))
    assert [(row["html"], row["url"], row["charset"]) for row in rows] == [
        *[(PAGE, "https://example.org/", None)] * 2,
        *[(PAGE, "https://example.org/", "utf-8")] * 3,
    ]


def test_text_of_a_table_that_is_not_utf8_is_a_page_like_another(folder):
    broken = pa.array([PAGE, b"<p>\xb3\xaf", None]).view(pa.string())
    parquet.write_table(
        pa.table({"html": broken, "url": pa.array([b"u", b"\xff", b""]).view(pa.string())}), "a.parquet"
    )
    one, two, three = whole("a.parquet")
    assert (one["html"], one["url"], two["html"], two["url"]) == (PAGE, "u", b"<p>\xb3\xaf", "\ufffd")
    assert (three["url"], three["failure"]["message"]) == (None, "no text in the column 'html'")


def test_a_page_that_cannot_be_read_is_a_row_with_its_failure(folder):
    Path("a.jsonl").write_bytes(as_json_lines(PAGE) + b"{\n" + as_json_lines(b"<p>" * 1000) + as_json_lines(PAGE))
    Path("b.html").write_bytes(b"%PDF-1.7")
    Path("c.html").symlink_to("c.html")
    rows = whole("a.jsonl", "*.html", most=1000)
    assert [row["failure"] and row["failure"]["type"] for row in rows] == [
        *(None, "SourceError", "LimitExceeded", None, "NotAPage", "SourceError")
    ]
    assert all((row["html"] is None) == (row["failure"] is not None) == (row["digest"] is None) for row in rows)
    assert rows[1]["source"] == "a.jsonl, line 2"
    assert "levels of symbolic links" in rows[5]["failure"]["message"]


def test_text_that_utf8_cannot_hold_is_replaced(folder):
    Path("a.jsonl").write_text('{"html": "<p>\\ud800", "url": "https://example.org/\\ud800"}\n')
    name = os.fsdecode(b"d/\xff.html")
    Path("d").mkdir()
    Path(name).write_bytes(PAGE)
    one, two = whole("a.jsonl", "d")
    assert (one["url"], one["html"], two["source"]) == ("https://example.org/?", b"<p>?", "d/?.html")


def test_the_batches_are_what_extract_batch_takes(folder):
    Path("a.warc.gz").write_bytes(crawl(PAGE))
    (shard,) = gather(["a.warc.gz"])
    [batch] = read_shard(shard)
    [row] = extract_batch(batch).to_pylist()
    assert (row["status"], row["url"], row["fetched"]) == ("ok", "https://example.org/0", DATE)


# ── batches and counts ────────────────────────────────────────────────────────────────────────────────────────────


def test_batches_are_cut_by_rows_and_bytes_always_alike(folder):
    large = b"<p>" + b"x" * (BATCH_BYTES // 3)
    bodies = [PAGE] * 100 + [large] * 5 + [large * 4] + [PAGE] * 3
    Path("a.warc.gz").write_bytes(crawl(*bodies))
    (shard,) = gather(["a.warc.gz"])
    batches = list(read_shard(shard))
    assert [batch.num_rows for batch in batches] == [BATCH_ROWS, 100 - BATCH_ROWS + 2, 2, 1, 1, 3]
    assert [batch.num_rows for batch in read_shard(shard)] == [batch.num_rows for batch in batches]
    assert all(batch.nbytes < 1.1 * BATCH_BYTES or batch.num_rows == 1 for batch in batches)


def test_records_that_are_no_pages_are_counted_and_cut_pages_too(folder):
    archive = [
        record(b"GET / HTTP/1.1\r\n\r\n", "request"),
        record(b"", "revisit"),
        record(b"", "revisit"),
        response("https://example.org/1", PAGE, "HTTP/1.1 301 Moved\r\n"),
        response("https://example.org/2", b"x", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"),
        response("https://example.org/3", PAGE, WARC_Truncated="length"),
        response("https://example.org/4", b"\x1f\x8bno", f"{HTTP}Content-Encoding: gzip\r\n"),
    ]
    Path("a.warc").write_bytes(b"".join(archive))
    (shard,) = gather(["a.warc"])
    pages = read_shard(shard)
    [batch] = pages
    assert batch["html"].to_pylist() == [PAGE, None]
    assert (pages.pages, pages.truncated) == (2, 1)
    assert pages.skipped == {"revisit": 2, "not 2xx": 1, "not HTML": 1}


# ── damage ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_corrupt_row_group_is_one_damage_with_its_rows_and_the_others_are_read(folder):
    rows = 400
    pages = pa.table(
        {"html": [f"<p>{os.urandom(40).hex()}" for _ in range(rows)], "url": [f"u{n}" for n in range(rows)]}
    )
    parquet.write_table(
        pages, "a.parquet", row_group_size=100, compression="zstd", write_page_checksum=True, use_dictionary=False
    )
    chunk = parquet.ParquetFile("a.parquet").metadata.row_group(1).column(0)
    content = bytearray(Path("a.parquet").read_bytes())
    middle = chunk.data_page_offset + chunk.total_compressed_size // 2
    content[middle : middle + 8] = bytes(byte ^ 0xFF for byte in content[middle : middle + 8])
    Path("a.parquet").write_bytes(content)
    found, [damage] = read("a.parquet")
    assert [row["url"] for row in found] == [f"u{n}" for n in range(rows) if not 100 <= n < 200]
    assert found[100]["source"] == "a.parquet, row 201"
    assert (damage.where, damage.pages) == ("a.parquet, row group 2", 100)
    assert "checksum" in damage.what or "CRC" in damage.what


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.parquet", b"PAR1" + bytes(100), "Parquet"),
        ("b.parquet", as_parquet(PAGE).replace(b"html", b"page"), "no column 'html' .*; name it with --html-field"),
        ("c.zip", as_zip(PAGE)[:-30], "zip"),
        ("d.tar.gz", as_tar(PAGE)[:-30], "end"),
        ("e.warc.gz", crawl(PAGE)[:-30], "the rest is lost"),
        ("f.jsonl.gz", gzip.compress(as_json_lines(PAGE))[:-20], "end"),
        ("g.jsonl", b"\x89PNG\r\n\x1a\n", "not a web page: PNG"),
        ("h.warc", record(b"Tea", "conversion", Content_Type="text/plain"), "a WET archive"),
        ("i.warc", None, "No such file"),
    ],
    ids=lambda value: value if isinstance(value, str) and value[1:2] == "." else "",
)
def test_a_shard_that_cannot_be_read_is_a_damage_and_the_others_are_read(folder, name, content, message):
    Path("z.jsonl").write_bytes(as_json_lines(PAGE))
    if content is not None:
        Path(name).write_bytes(content)
    Path("list").write_text(f"{name}\nz.jsonl\n")
    rows, [damage] = read("@list")
    assert [row["source"] for row in rows if row["source"].startswith("z")] == ["z.jsonl, line 1"]
    assert damage.where.startswith(name)
    assert re.search(message, damage.what)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_damage(folder):
    Path("a.warc").write_bytes(crawl(PAGE))
    Path("a.warc").chmod(0)
    rows, [damage] = read("a.warc")
    assert (rows, damage) == ([], Damage("a.warc", "Permission denied"))


def test_a_damage_stands_between_the_batches_around_it(folder):
    records = [gzip.compress(response(f"https://example.org/{n}", PAGE)) for n in range(5)]
    records[2] = records[2][:40] + bytes(20) + records[2][60:]
    Path("a.warc.gz").write_bytes(b"".join(records))
    (shard,) = gather(["a.warc.gz"])
    parts = [part if isinstance(part, Damage) else part["url"].to_pylist() for part in read_shard(shard)]
    assert [parts[0], parts[2]] == [[f"https://example.org/{n}" for n in pair] for pair in ((0, 1), (3, 4))]
    assert parts[1].where == f"a.warc.gz, byte {len(records[0]) + len(records[1]):,}"


def test_a_missing_package_is_raised_once_and_not_a_damage_of_every_shard(folder, monkeypatch):
    Path("a.jsonl.zst").write_bytes(zstd(as_json_lines(PAGE)))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match="bonmun\\[files\\]"):
        list(read_shard(Shard("a.jsonl.zst", Path("a.jsonl.zst"), 0, 0)))


# ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────────

needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
MEASURE = """
import sys
from pathlib import Path
import fastwarc.warc
from bonmun.scale.reading import read_shard
from bonmun.scale.shards import gather
def peak():
    status = Path("/proc/self/status").read_text()  # ru_maxrss would begin with that of the parent
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024
shards = gather(sys.argv[1:])
peaks, rows, failed = [peak()], 0, 0
for shard in shards:
    for batch in read_shard(shard):
        rows += batch.num_rows
        failed += batch["failure"].is_valid().sum().as_py()
        peaks.append(peak())
print(rows, failed, peaks[0], peaks[len(peaks) // 4], peaks[-1])
"""


def measured(*sources):
    """Rows, failed rows, and the peak memory in MB before reading, after a quarter of the batches and after all."""
    command = [sys.executable, "-W", "ignore", "-c", MEASURE, *sources]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONPATH": TREE})
    assert done.returncode == 0, done.stderr.decode()
    return [int(number) for number in done.stdout.split()]


@needs_proc
def test_memory_stays_flat_over_a_shard_of_thousands_of_pages(folder):
    one = gzip.compress(response("https://example.org/", b"<p>" + os.urandom(20_000).hex().encode()))
    Path("a.warc.gz").write_bytes(one * 2500)
    rows, failed, _, quarter, last = measured("a.warc.gz")
    assert (rows, failed) == (2500, 0)
    assert last < quarter + 12  # the archive has 100 MB of pages


@needs_proc
@pytest.mark.parametrize("pack", ["plain", "gzip"])
def test_a_page_of_200_mb_is_refused_and_never_in_memory(folder, pack):
    size = 200_000_000
    head = response("https://example.org/large", b"", length=len(HTTP) + 2 + size)[:-4]
    with Path("a.warc").open("wb") as file:
        file.write(PACKS[pack](response("https://example.org/1", PAGE)))
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) if pack == "gzip" else nullcontext(file) as record:
            for piece in (head, *[bytes(size // 100)] * 100, b"\r\n\r\n"):
                record.write(piece)
        file.write(PACKS[pack](response("https://example.org/2", PAGE)))
    with Path("large.html").open("wb") as file:
        file.write(b"<p>")
        file.truncate(size)
    rows, failed, first, _, last = measured("a.warc", "large.html")
    assert (rows, failed) == (4, 2)
    assert last < first + 60
