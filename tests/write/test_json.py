"""JSON matches its schema, whatever the page."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from bonmun.model.metadata import Metadata
from bonmun.model.output import Output
from bonmun.write import shown_blocks
from bonmun.write.json import write
from tests.write.documents import document, markup, real_documents

SCHEMA: dict[str, Any] = json.loads((files("bonmun.write") / "document.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

FULL = Metadata(
    title='Tea "time"',
    author="김",
    authors=("김",),
    published=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    modified=datetime(2026, 1, 3),
    hostname="example.org",
    date=date(2026, 1, 2),
    language="ko",
    site="Site",
    canonical_url="https://example.org/",
    description="\x00\ud800\U0001f600",
    image="https://example.org/a.png",
    tags=("a", "b"),
)


def read(written: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(written.encode("utf-8"))
    VALIDATOR.validate(data)
    return data


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects(value)


def test_the_schema_is_valid_and_allows_no_unknown_keys() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert all(each["additionalProperties"] is False for each in objects(SCHEMA))


@settings(max_examples=150, deadline=None)
@given(markup)
def test_any_page_matches_the_schema_and_loses_nothing(html: str) -> None:
    doc = document(html)
    data = read(write(doc))
    assert [block["text"] for block in data["blocks"]] == [block.text for block in shown_blocks(doc)]
    for block in data["blocks"]:
        if "runs" in block and not any({"sup", "sub"} & {*run.get("marks", ())} for run in block["runs"]):
            joined = "".join(run["text"] for run in block["runs"] if "src" not in run)
            if any("src" in run for run in block["runs"]) and block["kind"] != "code":
                joined = " ".join(joined.split())
            assert joined == block["text"]


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(), max_size=20))
def test_any_character_in_metadata_can_be_encoded(text: str) -> None:
    assert read(write(document("<p>a", metadata=Metadata(title=text, tags=(text,)))))


def test_real_pages_match_the_schema() -> None:
    for name, stop, step in (("cjk_dev", None, 8), ("wcxb_dev", 200, 20)):
        for doc in real_documents(name, 0, stop, step):
            assert len(read(write(doc))["blocks"]) == len(shown_blocks(doc))


def test_a_document_is_written_in_full() -> None:
    doc = document("<p>one <b>two</b><ol start=2><li>three</ol>", metadata=FULL)
    data = read(write(doc.with_output(Output(reasons=True))))
    blocks = data.pop("blocks")
    assert data == {
        "format": "bonmun/document",
        "version": 1,
        "status": "ok",
        "reasons": [],
        "method": "everything",
        "confidence": 0.6667,
        "page_type": None,
        "url": "https://example.org/a/page.html",
        "encoding": None,
        "warnings": [],
        "metadata": {
            "title": 'Tea "time"',
            "author": "김",
            "authors": ["김"],
            "date": "2026-01-02",
            "published": "2026-01-02T03:04:05+00:00",
            "modified": "2026-01-03",
            "language": "ko",
            "site": "Site",
            "hostname": "example.org",
            "canonical_url": "https://example.org/",
            "description": "\ufffd\U0001f600",
            "image": "https://example.org/a.png",
            "tags": ["a", "b"],
        },
        "text": "one two\n\n2. three",
    }
    reasons = [{"name": "kept-by-test", "detail": "all < of it"}, {"name": "no-detail", "detail": ""}]
    assert blocks == [
        {
            "kind": "paragraph",
            "level": 0,
            "text": "one two",
            "xpath": "/html/body/p[1]",
            "score": 0.1235,
            "reasons": reasons,
            "runs": [{"text": "one "}, {"text": "two", "marks": ["strong"]}],
        },
        {
            "kind": "item",
            "level": 1,
            "text": "three",
            "xpath": "/html/body/ol[1]/li[1]",
            "score": 0.1235,
            "reasons": reasons,
            "within": [{"role": "list", "id": 1, "start": 2}, {"role": "item", "id": 2}],
        },
    ]


def test_blocks_have_reasons_only_on_request() -> None:
    doc = document("<p>one <img src=a.png alt=b> two<video src=/v.mp4></video><p>three")
    without, with_reasons = read(write(doc)), read(write(doc.with_output(Output(reasons=True))))
    assert not any("reasons" in block for block in without["blocks"])
    assert all(block.pop("reasons") for block in with_reasons["blocks"])
    assert with_reasons == without


def test_the_text_is_the_plain_text() -> None:
    for html in (
        "<p>one<ul><li>two<li>three<ul><li>four</ul></ul><dl><dt>a<dd>b</dl>",
        "<p>one<hr><p>two<details><summary>three</summary>four</details>",
        "<p>one<p><img src=a.png><p>two<ul><li>three</ul>",
        "<p>one<br>drop<br>two<p>three",
        "<p>one<br>drop<br>two<h2>three</h2>",
    ):
        doc = document(html, drop=("drop",))
        assert read(write(doc))["text"] == doc.text


def test_cells_have_their_row_and_column() -> None:
    html = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>drop<td>d</table>"
    blocks = read(write(document(html, drop=("drop",))))["blocks"]
    assert [block["within"][-1] for block in blocks] == [
        {"role": "cell", "id": 2, "row": 0, "column": 0, "header": True, "rows": 2},
        {"role": "cell", "id": 3, "row": 0, "column": 1, "header": True, "columns": 2},
        {"role": "cell", "id": 4, "row": 1, "column": 2},
    ]


def test_links_images_lines_and_languages_are_written_if_present() -> None:
    html = "<p>a<br><a href=b>c</a><p><img src=d alt=e><pre class=language-c>f</pre>"
    first, second, image, code = read(write(document(html)))["blocks"]
    assert "continues" not in first
    assert second["continues"] is True
    assert second["runs"] == [{"text": "c", "href": "https://example.org/a/b"}]
    assert (image["kind"], image["runs"]) == ("image", [{"text": "e", "src": "https://example.org/a/d"}])
    assert code["language"] == "c"
    assert "runs" not in code


def test_the_same_document_gives_the_same_bytes_on_one_line() -> None:
    html = "<h1>제목</h1><ul><li>a<li>b</ul>"
    assert write(document(html)) == write(document(html))
    assert "제목" in write(document(html))
    assert "\n" not in write(document(html))


@pytest.mark.parametrize("html", ["", "<p>a"])
def test_an_empty_document_says_why(html: str) -> None:
    data = read(write(document(html, drop=("a",))))
    assert (data["status"], data["reasons"]) == ("empty", [{"name": "no-text", "detail": ""}])
    assert (data["text"], data["blocks"]) == ("", [])


def test_hundreds_of_levels_are_cut() -> None:
    written = write(document("".join(f"<ul><li>{level}" for level in range(240))))
    assert max(len(block["within"]) for block in read(written)["blocks"]) <= 32
