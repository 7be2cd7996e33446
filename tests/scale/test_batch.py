import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from bonmun.scale import BatchSettings, extract_batch, output_schema  # noqa: E402
from bonmun.scale.schema import ERROR  # noqa: E402

TEA = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"


def test_a_page_that_could_not_be_read_is_a_failed_row_with_its_error() -> None:
    failure = pa.array([None, {"type": "SourceError", "message": "line 7: no JSON"}], ERROR)
    batch = pa.RecordBatch.from_pydict({"url": ["u", None], "html": [TEA, None], "failure": failure, "digest": [1, 2]})
    answer = extract_batch(batch)
    assert answer.schema.names[:3] == ["url", "digest", "status"]
    assert "failure" not in answer.schema.names
    assert answer.column("status").to_pylist() == ["ok", "failed"]
    assert answer.column("error").to_pylist() == [None, {"type": "SourceError", "message": "line 7: no JSON"}]
    assert answer.column("digest").to_pylist() == [1, 2]


def test_a_column_named_failure_of_another_type_is_carried_over() -> None:
    batch = pa.RecordBatch.from_pydict({"html": [TEA], "failure": ["none"]})
    assert extract_batch(batch).column("failure").to_pylist() == ["none"]
    other = BatchSettings(failure="damage")
    assert "damage" in output_schema(pa.schema([("html", pa.binary()), ("damage", pa.int8())]), other).names
