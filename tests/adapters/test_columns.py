"""pandas and Polars, each with its real package."""

import logging
from dataclasses import replace
from importlib import import_module

import pytest

from bonmun.adapters.columns import DEFAULT_COLUMNS, column_names, rows_of
from bonmun.errors import SourceError
from tests.adapters.pages import EMPTY, PICTURE, TEA, TEXT, URL

COLUMN = [TEA, None, PICTURE, EMPTY.encode()]
STATUSES = ["ok", "failed", "failed", "empty"]
WIDE = replace(DEFAULT_COLUMNS, texts=("text", "markdown"), blocks=True, timings=True)


@pytest.mark.parametrize("settings", [DEFAULT_COLUMNS, WIDE], ids=["default", "wide"])
def test_columns_are_those_of_a_batch(settings: object) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from bonmun.scale.schema import own_fields

    names = [field.name for field in own_fields(settings)]
    assert [name for name in names if name != "timings" or settings.timings] == column_names(settings)


def test_worker_processes_give_the_same_rows() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    lying = TEA.replace("<head>", "<head><meta charset=euc-kr>").replace("leaves", "잎 \ud800")
    pages = [*COLUMN, TEA.encode("utf-16"), lying] * 6
    urls, charsets = [URL, None] * 18, [None, None, None, None, "utf-16", None] * 6
    here, there = (rows_of(pages, urls, charsets, jobs=jobs, settings=DEFAULT_COLUMNS) for jobs in (1, 2))
    names = [name for name in column_names(DEFAULT_COLUMNS) if name != "confidence"]  # a float32 on its way
    assert [[row.get(name) for name in names] for row in here] == [[row.get(name) for name in names] for row in there]
    assert [row["status"] for row in there[:6]] == [*STATUSES, "ok", "ok"]


def test_pandas_keeps_the_index_and_nulls(caplog: pytest.LogCaptureFixture) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    import_module("bonmun.adapters.pandas")

    frame = pandas.DataFrame({"html": COLUMN, "url": [URL] * 4}, index=["a", "b", "b", "c"])
    with caplog.at_level(logging.WARNING):
        texts = frame["html"].bonmun.text()
    assert "1 of 4 pages failed, the first by NotAPage" in caplog.text
    assert list(texts.index) == ["a", "b", "b", "c"]
    assert texts.name == "html"
    assert TEXT in texts["a"]
    assert texts.isna().tolist() == [False, True, True, False]
    assert f"]({URL}kettle)" in frame["html"].bonmun.markdown(url=frame["url"]).iloc[0]


def test_pandas_extracts_a_frame_of_typed_columns() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    import_module("bonmun.adapters.pandas")

    column = pandas.Series(COLUMN, index=[4, 3, 2, 1])
    rows = column.bonmun.extract(settings=WIDE)
    assert list(rows.columns) == column_names(WIDE)
    assert list(rows.index) == [4, 3, 2, 1]
    assert rows["status"].tolist() == STATUSES
    assert rows.loc[4, "date"] == pandas.Timestamp("2026-03-14")
    assert rows.loc[4, "authors"] == ["Ada Leaf"]
    assert rows.loc[2, "error"]["type"] == "NotAPage"
    assert rows["confidence"].dtype == "float64"
    assert rows["date"].dtype == "datetime64[s]"
    assert rows["confidence"].isna().tolist() == [False, True, True, False]
    assert rows.loc[4, "blocks"][0]["kind"] == "heading"
    nothing = pandas.Series([], dtype="object").bonmun.extract(jobs=2)
    assert (list(nothing.columns), len(nothing)) == (column_names(DEFAULT_COLUMNS), 0)


def test_pandas_takes_columns_of_arrow() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import_module("bonmun.adapters.pandas")

    for kind, pages in ((pyarrow.binary(), [TEA.encode(), None]), (pyarrow.large_string(), [TEA, None])):
        texts = pandas.Series(pages, dtype=pandas.ArrowDtype(kind)).bonmun.text()
        assert TEXT in texts[0]
        assert texts.isna().tolist() == [False, True]


def test_pandas_refuses_columns_that_are_no_pages() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    import_module("bonmun.adapters.pandas")

    with pytest.raises(AttributeError, match="not int64"):
        _ = pandas.Series([1, 2]).bonmun
    with pytest.raises(SourceError, match="row 1: a page is text or bytes, not int"):
        pandas.Series([TEA, 5]).bonmun.text()
    with pytest.raises(SourceError, match="another index"):
        pandas.Series([TEA]).bonmun.text(url=pandas.Series([URL], index=[9], name="url"))
    with pytest.raises(SourceError, match="2 values for 1 pages"):
        pandas.Series([TEA]).bonmun.text(url=[URL, URL])


@pytest.mark.parametrize("lazy", [False, True], ids=["eager", "lazy"])
def test_polars_extracts_structs_in_expressions(lazy: bool) -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed")
    adapter = import_module("bonmun.adapters.polars")

    pages = [page.encode() if isinstance(page, str) else page for page in COLUMN]
    frame = pl.DataFrame({"page": pages, "url": [URL] * 4})
    expression = pl.col("page").bonmun.extract(url="url", settings=WIDE)
    query = (frame.lazy() if lazy else frame).select("url", expression)
    rows = (query.collect() if lazy else query).unnest("page")
    assert rows.columns == ["url", *column_names(WIDE)]
    assert rows["status"].to_list() == STATUSES
    assert (str(rows["date"][0]), rows["authors"][0].to_list()) == ("2026-03-14", ["Ada Leaf"])
    assert f"]({URL}kettle)" in rows["markdown"][0]
    assert rows["error"][2]["type"] == "NotAPage"
    if lazy:
        assert query.collect_schema()["page"] == adapter.struct_type(WIDE)


def test_polars_texts_of_series_expressions_and_streams() -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed")
    import_module("bonmun.adapters.polars")

    column = pl.Series("html", [TEA, None, "<p>Tea"])
    texts = column.bonmun.text()
    assert (texts.name, texts.null_count()) == ("html", 1)
    assert TEXT in texts[0]
    frame = pl.LazyFrame({"html": [TEA, None] * 20, "n": range(40)})
    streamed = frame.select("n", pl.col("html").bonmun.markdown(url=pl.lit(URL))).collect(engine="streaming")
    assert streamed["html"].null_count() == 20
    assert f"]({URL}kettle)" in streamed["html"][0]
    with pytest.raises(SourceError, match="String or Binary, not Int64"):
        pl.Series("n", [1]).bonmun.text()
    with pytest.raises(SourceError, match="one column of pages at a time: 'html', not also 'other'"):
        pl.DataFrame({"html": [TEA], "other": [TEA]}).select(pl.col("html", "other").bonmun.text())
    with pytest.raises(SourceError, match="1 values for 3 pages"):
        column.bonmun.text(pl.Series("url", [URL]))


def test_polars_types_are_those_of_a_batch() -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed")
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from bonmun.adapters.polars import struct_type
    from bonmun.scale.schema import own_fields

    batch = pyarrow.schema(own_fields(WIDE)).empty_table()
    assert pl.Struct(pl.from_arrow(batch).schema) == struct_type(WIDE)
