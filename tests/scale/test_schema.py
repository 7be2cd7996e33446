from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from bonmun.errors import SourceError, UnknownName  # noqa: E402
from bonmun.scale import SCHEMA_VERSION, BatchSettings, extract_batch, output_schema  # noqa: E402
from bonmun.scale import schema as schema_module  # noqa: E402

PAGES = pa.schema([("html", pa.binary())])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([("url", pa.string()), ("body", pa.string())], r"no column 'html' \(columns: url, body\)"),
        ([], r"no column 'html' \(columns: none\)"),
        ([("html", pa.list_(pa.int8()))], "column 'html' is list.*; it must be text or bytes"),
        ([("html", pa.binary()), ("url", pa.int64())], "column 'url' is int64; it must be text or bytes"),
        ([("html", pa.binary()), ("html", pa.string())], "2 columns are named 'html'; rename all but one"),
    ],
    ids=["no-pages", "nothing", "lists", "numbers", "twice"],
)
def test_an_input_without_pages_is_refused_by_name(columns: Any, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        output_schema(pa.schema(columns))
    with pytest.raises(SourceError, match=message):
        extract_batch(pa.RecordBatch.from_pylist([], schema=pa.schema(columns)))


def test_the_schema_is_known_beforehand_and_has_its_version() -> None:
    settings = BatchSettings(texts=("markdown", "text"), blocks=True)
    given = pa.schema([("html", pa.binary()), ("digest", pa.string()), ("failure", schema_module.ERROR)])
    batch = pa.RecordBatch.from_pylist([{"html": b"<p>Tea is made of leaves, and of hot water."}], schema=given)
    assert extract_batch(batch, settings).schema.equals(output_schema(given, settings), check_metadata=True)
    assert output_schema(given, settings).metadata == {b"bonmun.schema": str(SCHEMA_VERSION).encode()}


def test_columns_of_the_input_give_way_to_those_of_the_answer() -> None:
    given = pa.schema([("link", pa.string()), ("page", pa.string()), ("url", pa.int8()), ("title", pa.int8())])
    names = output_schema(given, BatchSettings(html="page", url="link")).names
    assert names.count("url") == names.count("title") == 1
    assert not {"page", "link"} & set(names)


def test_carried_columns_of_one_name_are_both_carried() -> None:
    page = pa.array(["<p>Tea is made of leaves, and of hot water."])
    batch = pa.RecordBatch.from_arrays([page, pa.array([1]), pa.array(["x"])], ["html", "more", "more"])
    answer = extract_batch(batch)
    assert [answer.column(place).to_pylist() for place in (1, 2)] == [[1], ["x"]]


def test_the_table_of_the_docstring_names_every_column_in_order() -> None:
    settings = BatchSettings(texts=("text", "markdown", "html"), blocks=True)
    lines = [line.split("|")[1] for line in (schema_module.__doc__ or "").splitlines() if line.startswith("| `")]
    described = [name.strip(" `") for line in lines for name in line.split(",")]
    assert described == output_schema(PAGES, settings).names


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"texts": ("pdf",)}, UnknownName),
        ({"method": "magic"}, UnknownName),
        ({"prefer": "speed"}, UnknownName),
        ({"texts": "text"}, TypeError),
        ({"texts": ("text", "text")}, ValueError),
        ({"html": "url"}, ValueError),
    ],
    ids=["text", "method", "preference", "string", "twice", "column"],
)
def test_wrong_settings_are_refused_at_once(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        BatchSettings(**settings)
