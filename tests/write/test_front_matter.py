"""Front matter reads back as the same strings in any YAML parser; a title is written once."""

import datetime
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.model.metadata import Metadata
from bonmun.write.front_matter import scalar, yaml_front_matter
from bonmun.write.markdown import write
from tests.write.documents import document, texts

# What plain scalars resolve to: https://yaml.org/type/ for YAML 1.1, the core schema for YAML 1.2.
RESOLVED = re.compile(
    r"~|null|y|n|yes|no|on|off|true|false|<<|="
    r"|[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?[0-9][0-9_]*|[-+]?0x[0-9a-f_]+|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"
    r"|[-+]?([0-9][0-9_]*)?\.[0-9_]*(e[-+]?[0-9]+)?|[-+]?[0-9]+e[-+]?[0-9]+|[-+]?\.inf|\.nan"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE,
)
INDICATORS = "-?:,[]{}#&*!|>'\"%@`"
PRINTABLE = re.compile("[ -~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
HARD = [
    *(
        "yes",
        "No",
        "ON",
        "null",
        "~",
        "true",
        "y",
        "123",
        "0x1F",
        "1e3",
        "1_000",
        "12:30",
        "2026-03-14",
        ".inf",
        "=",
        "<<",
    ),
    *(
        "a: b",
        "a #b",
        "- a",
        "? a",
        "a:",
        ": a",
        "[a]",
        "{a: b}",
        "& a",
        "*a",
        "!a",
        "%a",
        "@a",
        "`a`",
        "|",
        ">",
        "'a'",
    ),
    *(
        '"a"',
        'say "no"',
        "back\\slash",
        "two\nlines",
        "a\r\nb",
        "tab\there",
        " padded ",
        "two  spaces",
        "---",
        "...",
        "#",
    ),
    *("\0\x07\x1b\x7f\x85\x9f", "\u2028\u2029\ufeff\ufffe\uffff", "😀 \U0001fffe", "한국어: 제목", "it's", "á̂", "\xa0"),
]


def read_scalar(written: str) -> str:
    """A strict reader of the scalars that are plain in every schema, or JSON."""
    assert PRINTABLE.fullmatch(written) and not re.search("[\u2028\u2029\ufeff]", written)
    if written.startswith('"'):
        value: str = json.loads(written)
        return value
    assert written and written[0] not in INDICATORS and not RESOLVED.fullmatch(written)
    assert ": " not in written and " #" not in written and not written.endswith((":", " "))
    return written


def read(front_matter: str) -> dict[str, Any]:
    first, *lines, last = front_matter.split("\n")
    assert first == last == "---"
    values: dict[str, Any] = {}
    name = ""
    for line in lines:
        if line.startswith("  - "):
            values[name].append(read_scalar(line.removeprefix("  - ")))
        else:
            name, _, value = line.partition(":")
            values[name] = read_scalar(value.removeprefix(" ")) if value else []
    return values


anything = st.one_of(st.text(st.characters(exclude_categories=["Cs"])), texts, st.sampled_from(HARD))


@settings(max_examples=500, deadline=None)
@given(anything)
def test_any_string_reads_back(text: str) -> None:
    assert read_scalar(scalar(text)) == text


@pytest.mark.parametrize("text", HARD)
def test_a_string_that_looks_like_other_yaml_reads_back(text: str) -> None:
    assert read_scalar(scalar(text)) == text


@settings(max_examples=500, deadline=None)
@given(st.lists(anything))
def test_a_yaml_parser_reads_the_same_strings(strings: list[str]) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    written = "\n".join(["tags:", *(f"  - {scalar(text)}" for text in [*strings, *HARD])])
    assert yaml.safe_load(written) == {"tags": [*strings, *HARD]}


def test_ordinary_words_are_not_quoted() -> None:
    for text in ("Maren Holt", "작은 항구에 돌아온 등대지기", "it's a (small) harbour", "zh-TW"):
        assert scalar(text) == text


def test_front_matter_has_the_known_metadata() -> None:
    metadata = Metadata(
        title="Tea: a history",
        author="Maren Holt, Li Wei",
        authors=("Maren Holt", "Li Wei"),
        date=datetime.date(2026, 3, 14),
        published=datetime.datetime(2026, 3, 14, 9, 30, tzinfo=datetime.UTC),
        modified=datetime.datetime(2026, 3, 15),
        language="no",
        site="The Post",
        canonical_url="https://example.org/tea",
        description="One\ntwo",
        image="https://example.org/tea.png",
        tags=("tea", "null"),
    )
    doc = document("<p>Text.", metadata=metadata)
    assert read(yaml_front_matter(doc)) == {
        "title": "Tea: a history",
        "author": "Maren Holt, Li Wei",
        "authors": ["Maren Holt", "Li Wei"],
        "date": "2026-03-14T09:30:00+00:00",
        "modified": "2026-03-15",
        "url": "https://example.org/a/page.html",
        "canonical_url": "https://example.org/tea",
        "site": "The Post",
        "language": "no",
        "description": "One\ntwo",
        "tags": ["tea", "null"],
    }
    assert doc.to_markdown(front_matter=True) == f"{yaml_front_matter(doc)}\n\nText."


def test_no_metadata_gives_no_front_matter() -> None:
    doc = document("<p>Text.", url=None)
    assert doc.to_markdown(front_matter=True, title=True) == "Text."


def test_a_canonical_url_like_the_url_is_written_once() -> None:
    doc = document("<p>Text.", url="https://a.b/", metadata=Metadata(canonical_url="https://a.b/"))
    assert read(yaml_front_matter(doc)) == {"url": "https://a.b/"}


def titled(html: str, title: str) -> str:
    return document(html, metadata=Metadata(title=title)).to_markdown(title=True)


@pytest.mark.parametrize(
    ("html", "title", "written"),
    [
        ("<p>Text.", "A *small* title #", "# A \\*small\\* title \\#\n\nText."),
        ("<p>Text.", "two\n lines", "# two lines\n\nText."),
        ("<p>Text.", "\ud800", "# \ufffd\n\nText."),
        ("<p>Text.", " ", "Text."),
        ("", "Tea", "# Tea"),
        ("<p>Tea is made of leaves.", "Tea", "# Tea\n\nTea is made of leaves."),
    ],
)
def test_a_missing_title_becomes_the_first_heading(html: str, title: str, written: str) -> None:
    assert titled(html, title) == written


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Tea, and water</h1><p>Text.",
        "<h3>TEA\u00a0and\u3000ｗａｔｅｒ!</h3><p>Text.",
        "<p>Tea and water<p>Text.",
        "<h1>Tea and water: an introduction</h1><p>Text.",
        "<p>Kitchen<p>14 March 2026<h1>Tea and water</h1><p>Text.",
        "<img src=/a.png><h1>Tea and water</h1><p>Text.",
    ],
)
def test_a_title_that_the_text_begins_with_is_not_repeated(html: str) -> None:
    assert titled(html, "Tea and water") == write(document(html))


def test_a_heading_like_the_title_further_down_stays() -> None:
    html = "<p>A first paragraph that is long enough to be the body of a text.<h2>Tea</h2><p>More."
    assert titled(html, "Tea") == f"# Tea\n\n{write(document(html))}"


def test_markdown_is_the_same_without_options() -> None:
    doc = document("<p>Text.", metadata=Metadata(title="Tea"))
    assert doc.markdown == doc.to_markdown() == "Text."
