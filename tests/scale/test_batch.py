import copy
import mmap
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import bonmun  # noqa: E402
from bonmun.model.page import Page  # noqa: E402
from bonmun.model.verdict import Verdicts  # noqa: E402
from bonmun.scale import BatchSettings, extract_batch  # noqa: E402
from bonmun.scale.rows import page_row  # noqa: E402
from bonmun.scale.schema import ERROR  # noqa: E402
from tests.corpora import pages as corpus  # noqa: E402

TEA = "<title>Té</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
TEXT = "Tea is made of leaves, and of water that has just boiled."
LATIN = TEA.encode("latin-1")
STEADY = BatchSettings(timings=False)


def batch_of(*pages: bytes | str | None, kind: Any = None, **columns: Any) -> Any:
    return pa.RecordBatch.from_pydict({"html": pa.array(pages, kind), **columns})


TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view()]
BINARY_TYPES = [pa.binary(), pa.large_binary(), pa.binary_view()]
ALL_TYPES = [kind for plain in TEXT_TYPES + BINARY_TYPES for kind in (plain, pa.dictionary(pa.int32(), plain))]


@pytest.mark.parametrize(
    "kind", [kind for kind in ALL_TYPES if "view" not in str(kind) or "dict" not in str(kind)], ids=str
)
def test_pages_and_urls_may_have_any_layout_of_text_or_bytes(kind: Any) -> None:
    url = "https://example.org/té"
    batch = pa.RecordBatch.from_arrays(
        [pa.array([url, None, url], kind), pa.array([TEA, None, TEA], kind)], ["url", "html"]
    )
    rows = extract_batch(batch, STEADY)
    assert rows.column("url").to_pylist() == [url, None, url]
    assert rows.column("status").to_pylist() == ["ok", "failed", "ok"]
    assert rows.column("title").to_pylist() == ["Té", None, "Té"]
    assert rows.slice(2).equals(extract_batch(batch.slice(2), STEADY))


def test_text_that_is_not_utf_8_is_decoded_as_bytes_are() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([LATIN], pa.binary()).view(pa.string())], ["html"])
    assert extract_batch(batch).column("title").to_pylist() == ["Té"]


def test_a_url_that_is_not_utf_8_loses_its_bad_bytes_alone() -> None:
    url = pa.array([b"https://example.org/\xff\xed\xa0\x80"], pa.binary()).view(pa.string())
    (row,) = extract_batch(batch_of(TEA, url=url)).to_pylist()
    assert row["url"].startswith("https://example.org/\ufffd")
    assert row["status"] == "ok"


def test_the_charset_of_the_header_decodes_a_page() -> None:
    page = "<title>차</title><p>차는 잎과 물로 만든다. 물은 막 끓은 것이어야 한다.</p>".encode("euc-kr")
    rows = extract_batch(batch_of(page, page, charset=["euc-kr", None])).to_pylist()
    assert rows[0]["title"] == "차"
    assert "charset" not in rows[0]


def test_a_batch_without_rows_has_an_answer_without_rows() -> None:
    rows = extract_batch(batch_of(kind=pa.binary(), digest=pa.array([], pa.string())))
    assert rows.num_rows == 0
    assert rows.schema.names[:3] == ["url", "digest", "status"]


def test_a_page_over_the_limit_is_refused_before_it_is_copied() -> None:
    offsets = pa.array([0, 200_000_000, 200_000_000 + len(LATIN)], pa.int64()).buffers()[1]
    content = mmap.mmap(-1, 200_000_000 + len(LATIN))
    content[200_000_000:] = LATIN
    huge = pa.Array.from_buffers(pa.large_binary(), 2, [None, offsets, pa.py_buffer(content)])
    before = pa.total_allocated_bytes()
    failed, ok = extract_batch(pa.RecordBatch.from_arrays([huge], ["html"])).to_pylist()
    assert failed["error"]["type"] == "LimitExceeded"
    assert failed["error"]["message"] == "the page has 200,000,000 bytes; the limit is 20,000,000 (Limits.bytes)"
    assert ok["status"] == "ok"
    assert pa.total_allocated_bytes() - before < 1_000_000


def test_a_page_that_could_not_be_read_is_a_failed_row_with_its_error() -> None:
    failure = pa.array([None, {"type": "SourceError", "message": "line 7: no JSON"}], ERROR)
    answer = extract_batch(batch_of(TEA, None, failure=failure, digest=[1, 2]))
    assert answer.schema.names[:3] == ["url", "digest", "status"]
    assert "failure" not in answer.schema.names
    assert answer.column("status").to_pylist() == ["ok", "failed"]
    assert answer.column("error").to_pylist() == [None, {"type": "SourceError", "message": "line 7: no JSON"}]
    assert answer.column("digest").to_pylist() == [1, 2]


def test_a_column_named_failure_of_another_type_is_carried_over() -> None:
    assert extract_batch(batch_of(TEA, failure=["none"])).column("failure").to_pylist() == ["none"]


def test_blocks_are_a_nested_column_that_parquet_keeps(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow has no Parquet")
    settings = BatchSettings(texts=("text", "markdown", "html"), blocks=True, timings=False)
    rows = extract_batch(batch_of("<h2>Tea</h2>" + TEA, b"%PDF-1.7"), settings)
    parquet.write_table(pa.Table.from_batches([rows]), tmp_path / "rows.parquet")
    read = parquet.read_table(tmp_path / "rows.parquet")
    assert read.to_pylist() == rows.to_pylist()
    assert read.schema.metadata[b"bonmun.schema"] == b"1"
    heading, text = read.column("blocks").to_pylist()[0]
    assert (heading["kind"], heading["level"], heading["text"]) == ("heading", 2, "Tea")
    assert text["xpath"].endswith("/p[1]")
    assert read.column("blocks").to_pylist()[1] is None


class Odd:
    """A method whose verdicts do not fit the columns."""

    name = "odd"

    def judge(self, page: Page) -> Verdicts:
        verdicts = bonmun.extract(page, method="xpath").verdicts
        warnings = tuple(word for word in ("\ud800",) if "surrogate" in page.blocks.text[0])
        changed = copy.copy(verdicts)
        object.__setattr__(changed, "warnings", warnings)
        return changed


def test_values_that_do_not_fit_their_columns_fail_their_row_alone() -> None:
    pages = [TEA, TEA.replace("leaves", "a surrogate"), TEA]
    rows = extract_batch(batch_of(*pages), BatchSettings(method=Odd())).to_pylist()
    assert [row["status"] for row in rows] == ["ok", "failed", "ok"]
    assert rows[1]["error"]["type"] == "UnicodeEncodeError"


def test_settings_travel_with_the_sites_they_know(tmp_path: Path) -> None:
    page = "<div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}, as all of us know.</div>"
    words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    library = bonmun.SiteLibrary(tmp_path)
    library.add(bonmun.Site.learn([page.format(*pair) for pair in words], host="example.org"))
    settings = BatchSettings(sites=library, timings=False)
    batch = batch_of(*(page.format(*pair) for pair in words), "<p>Nothing like it", url=["https://example.org/1"] * 4)
    rows = extract_batch(batch, settings)
    assert rows.column("text").to_pylist()[0] == "Tea is made of leaves and hot water, as all of us know."
    assert extract_batch(batch, pickle.loads(pickle.dumps(settings))).equals(rows)  # noqa: S301


def test_a_site_learns_nothing_from_a_batch(tmp_path: Path) -> None:
    page = "<div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}, as all of us know.</div>"
    words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    site = bonmun.Site.learn([page.format(*pair) for pair in words], host="example.org")
    before = site.to_json()
    strange = [f"<table><tr><td>Row {number}<td>of a page of another kind</table>" for number in range(40)]
    for prefer in ("balance", "recall"):
        extract_batch(batch_of(*strange), BatchSettings(sites=site, prefer=prefer))
    assert site.to_json() == before


@pytest.mark.parametrize("write", [str.encode, str], ids=["bytes", "text"])
def test_rows_of_real_pages_are_the_documents_of_extract(write: Callable[[str], Any]) -> None:
    records = [record for record, _ in zip(corpus("cjk_dev"), range(8), strict=False)]
    pages, urls = [write(record["html"]) for record in records], [record["url"] for record in records]
    settings = BatchSettings(texts=("text", "markdown"), timings=False)
    rows = extract_batch(batch_of(*pages, url=pa.array(urls, pa.string())), settings).to_pylist()
    for row, page, url in zip(rows, pages, urls, strict=True):
        document = bonmun.extract(page, url=url)
        assert (row["text"], row["markdown"]) == (document.text, document.markdown)
        assert (row["title"], row["date"], row["authors"]) == (document.title, document.date, list(document.authors))
    assert extract_batch(batch_of(*pages, url=pa.array(urls, pa.string())), settings).to_pylist() == rows


def test_the_time_limit_holds_for_reading_too() -> None:
    row = page_row(TEA, settings=BatchSettings(limits=bonmun.Limits(seconds=0)))
    assert row["error"]["type"] == "LimitExceeded"


def test_timings_are_there_on_request() -> None:
    (timed,) = extract_batch(batch_of(TEA)).to_pylist()
    assert set(timed["timings"]) == {"read", "judge", "write"}
    assert all(seconds > 0 for seconds in timed["timings"].values())
    (plain,) = extract_batch(batch_of(TEA), STEADY).to_pylist()
    assert plain["timings"] is None
