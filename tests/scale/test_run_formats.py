"""The formats of parts: read back, and equal for equal rows however they were batched."""

import io
import json
from datetime import date

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa
import pyarrow.parquet
import zstandard

from bonmun.scale.run import writers
from bonmun.scale.run.durable import DurableFile
from bonmun.scale.run.settings import SUFFIXES
from bonmun.scale.schema import output_schema
from bonmun.scale.settings import BatchSettings
from bonmun.scale.shards import Shard

pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader:DeprecationWarning")  # fastwarc imports its own
GIVEN = pa.schema([(name, pa.string()) for name in ("url", "html", "source", "digest", "fetched")])
SCHEMA = output_schema(GIVEN, BatchSettings(blocks=True))
BLOCK = {"kind": "paragraph", "level": None, "text": "차를 끓이다", "xpath": "/html/body/p[1]", "score": 0.1}
ROWS = [
    {
        "url": f"https://example.org/{number}",
        "source": f"a.warc.gz: https://example.org/{number}",
        "digest": "sha1:AAAA",
        "fetched": "2026-01-02T03:04:05Z",
        "status": "ok",
        "title": "Tea",
        "authors": ["Kim"],
        "date": date(2026, 1, 2),
        "language": "ko",
        "text": f"차를 끓이다 {number}\n\nand drink it",
        "blocks": [BLOCK],
        "confidence": 0.87,
        "warnings": [],
    }
    for number in range(50)
]
FAILED = {"url": "https://example.org/bad", "status": "failed", "error": {"type": "NotAPage", "message": "a PDF"}}


def written(folder, format, rows, *, size, shard="a.warc.gz"):
    """The bytes of a part, with the count of its writer; the rows come in batches of a size."""
    folder.mkdir(exist_ok=True)
    file = DurableFile(folder / f"part-00000{SUFFIXES[format]}")
    writer = writers.part_writer(format, file, SCHEMA, Shard(shard, folder, 1, 1_700_000_000_123_456_789))
    for start in range(0, len(rows), size):
        writer.write(pa.RecordBatch.from_pylist(rows[start : start + size], SCHEMA))
    count = writer.finish()
    file.commit()
    content = file.path.read_bytes()
    assert file.size == len(content)
    return content, count


@pytest.mark.parametrize("format", SUFFIXES)
def test_equal_rows_give_equal_bytes_however_they_are_batched(tmp_path, format):
    rows = [*ROWS, FAILED]
    one, count = written(tmp_path / "one", format, rows, size=7)
    assert count == (50 if format == "wet" else 51)
    assert written(tmp_path / "two", format, rows, size=51) == (one, count)


@pytest.mark.parametrize("limit", ["_GROUP_ROWS", "_GROUP_BYTES"])
def test_row_groups_end_by_rows_and_by_bytes(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(writers, limit, 20 if limit == "_GROUP_ROWS" else 4000)
    one, _ = written(tmp_path / "one", "parquet", ROWS, size=7)
    file = pyarrow.parquet.ParquetFile(io.BytesIO(one))
    assert file.num_row_groups > 2
    assert file.read().select(["url"]).to_pylist() == [{"url": row["url"]} for row in ROWS]
    if limit == "_GROUP_ROWS":
        assert [file.metadata.row_group(group).num_rows for group in range(3)] == [20, 20, 10]
        assert written(tmp_path / "two", "parquet", ROWS, size=33)[0] == one


def test_parquet_is_packed_with_zstd_and_has_the_version_of_the_schema(tmp_path):
    content, _ = written(tmp_path, "parquet", [*ROWS, FAILED], size=64)
    file = pyarrow.parquet.ParquetFile(io.BytesIO(content))
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    assert file.schema_arrow.metadata[b"bonmun.schema"].isdigit()
    rows = file.read().to_pylist()
    assert rows[0]["blocks"][0]["text"] == "차를 끓이다"
    assert rows[50]["error"]["type"] == "NotAPage"


@pytest.mark.parametrize("format", ["jsonl", "jsonl.zst"])
def test_json_lines_have_the_columns_of_the_schema(tmp_path, format):
    content, _ = written(tmp_path, format, [*ROWS, FAILED], size=64)
    if format == "jsonl.zst":
        content = zstandard.ZstdDecompressor().decompressobj().decompress(content)
    rows = [json.loads(line) for line in content.decode().splitlines()]
    assert list(rows[0]) == SCHEMA.names
    assert (rows[0]["date"], rows[0]["confidence"], rows[0]["blocks"]) == ("2026-01-02", 0.87, [BLOCK])
    assert rows[50]["error"] == FAILED["error"]


def records_of(content):
    """The records of an archive: kind, headers, text, and whether the digest is right."""
    from fastwarc.warc import ArchiveIterator

    return [
        (record.headers["WARC-Type"], dict(record.headers), record.verify_block_digest(), record.reader.read().decode())
        for record in ArchiveIterator(io.BytesIO(content), parse_http=False)
    ]


def test_wet_has_a_conversion_record_for_every_text(tmp_path):
    content, _ = written(tmp_path, "wet", [ROWS[0], FAILED, ROWS[1], ROWS[1]], size=64)
    info, *records = records_of(content)
    assert info[0] == "warcinfo"
    assert all(right for _, _, right, _ in (info, *records))
    assert [text for _, _, _, text in records] == [ROWS[0]["text"], ROWS[1]["text"], ROWS[1]["text"]]
    headers = records[0][1]
    assert headers["WARC-Target-URI"] == "https://example.org/0"
    assert headers["WARC-Date"] == "2026-01-02T03:04:05Z"
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert headers["WARC-Identified-Content-Language"] == "ko"
    assert len({headers["WARC-Record-ID"] for _, headers, _, _ in (info, *records)}) == 4


def test_a_wet_record_without_url_and_date_has_its_source_and_the_date_of_the_file(tmp_path):
    row = {**ROWS[0], "url": None, "fetched": None, "source": "pages/차 one.html"}
    content, _ = written(tmp_path, "wet", [row], size=1)
    _, (_, headers, _, _) = records_of(content)
    assert headers["WARC-Target-URI"] == "file:pages/%EC%B0%A8%20one.html"
    assert headers["WARC-Date"] == "2023-11-14T22:13:20Z"


def test_an_address_cannot_add_headers_to_a_wet_record(tmp_path):
    row = {**ROWS[0], "url": "https://example.org/\r\nWARC-Type: warcinfo\r\n\r\n", "language": "en\r\nX: y"}
    content, _ = written(tmp_path, "wet", [row], size=1, shard="a\r\nb.warc")
    assert [kind for kind, _, _, _ in records_of(content)] == ["warcinfo", "conversion"]


def test_a_file_that_is_not_committed_leaves_nothing(tmp_path):
    file = DurableFile(tmp_path / "part-00000.parquet")
    file.write(b"half")
    file.discard()
    file.write(b"what a writer still has")
    assert list(tmp_path.iterdir()) == []
