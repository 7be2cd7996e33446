"""Words of elements side by side are words apart, in the text, in Markdown, and in both segmenters."""

from itertools import islice

import pytest

from bonmun.model.nodes import Nodes
from bonmun.pipeline import extract
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from bonmun.read.segment_reference import segment_by_reference
from tests.corpora import pages

CASES = [
    ("<span>amount</span><span>integer</span>", "amount integer"),
    ("<a href=/a>Home</a><a href=/b>News</a>", "Home News"),
    ("<span>Łódź</span><span>żużel</span>", "Łódź żużel"),
    ("<span>Ответить</span><b>ещё раз</b>", "Ответить ещё раз"),
    ("<span>v</span><span>2024</span>", "v2024"),
    ("<span>T</span><span>he ferry</span>", "The ferry"),
    ("<span>fer</span>ry", "ferry"),
    ("fer<span>ry</span>", "ferry"),
    ("<b>fer</b><i>ry</i>", "ferry"),
    ("<span>本文</span><span>抽取</span>", "本文抽取"),
    ("<span>super</span><wbr><span>market</span>", "supermarket"),
    ("<code><span>print</span><span>ln</span></code>", "println"),
    ("<span>Tw</span><sub>max</sub>", "Twmax"),
    ("<span>one,</span><span>two</span>", "one,two"),
    ("<span>one </span><span>two</span>", "one two"),
]


HEADINGS = [
    ("<span>Topline</span>\n<span>Headline</span>", "Topline Headline"),
    ("<span>Topline:</span><br><span>Headline</span>", "Topline: Headline"),
    ("<div>Why?</div><div>Because</div>", "Why? Because"),
    ("Why?<div>Because</div>", "Why? Because"),
    ("<div>Why?</div>Because", "Why? Because"),
    ('<span style="DISPLAY: block">Why?</span><span>Because</span>', "Why? Because"),
    ('Why?<b><span style="color:red;display:block">Because</span></b>', "Why? Because"),
    ('<div><span style="display:block">A!</span><span>B</span></div>', "A! B"),
    ("Don<span>'</span>t", "Don't"),
    ('Don<span style="display:inline-block">\'</span>t', "Don't"),
    ("<b>W</b>ater", "Water"),
    ("<div>A<div hidden>B</div></div><div>C</div>", "A C"),
]


def texts(nodes: Nodes) -> list[tuple[str, ...]]:
    return [segment(nodes).text, segment_by_reference(nodes).text]


@pytest.mark.parametrize(("html", "text"), CASES)
def test_words_of_adjacent_elements(html: str, text: str) -> None:
    assert texts(parse(f"<p>{html}</p>")) == [(text,), (text,)]


@pytest.mark.parametrize(("html", "text"), CASES)
def test_runs_have_the_gaps_of_the_text(html: str, text: str) -> None:
    (block,) = extract(f"<p>{html}</p>").all_blocks
    assert "".join(run.text for run in block.runs) == text


@pytest.mark.parametrize(("html", "text"), HEADINGS)
def test_lines_of_a_heading_are_words_apart(html: str, text: str) -> None:
    page = f"<h1>{html}</h1>"
    assert texts(parse(page)) == [(text,), (text,)]
    document = extract(page)
    (block,) = document.all_blocks
    assert "".join(run.text for run in block.runs) == text
    assert document.title == text


@pytest.mark.parametrize(
    "inside",
    [
        "<div>One</div><ul><li>Two</ul>",
        "<div>One<img src=/a.png></div><div>Two</div>",
        f"<div>One</div><div>{'Two ' * 40}</div>",
        "<div>One</div><div>Two</div>" + "<i></i>" * 40,
    ],
)
def test_a_heading_around_more_than_lines_stays_in_blocks(inside: str) -> None:
    ours, reference = texts(parse(f"<h2>{inside}</h2>"))
    assert ours == reference
    assert len(ours) > 1


def test_a_gap_has_the_link_and_marks_of_both_sides() -> None:
    html = "<p>See <a href=/a><b><span>one</span><i>two</i></b></a><a href=/b><span>three</span></a>"
    (block,) = extract(html, url="https://example.org/").all_blocks
    assert [(run.text, run.marks, run.href) for run in block.runs][1:] == [
        ("one ", ("strong",), "https://example.org/a"),
        ("two", ("strong", "em"), "https://example.org/a"),
        (" ", (), None),
        ("three", (), "https://example.org/b"),
    ]


def test_code_is_unchanged() -> None:
    assert texts(parse("<pre><span>let</span><span>go</span></pre>")) == [("letgo",), ("letgo",)]


def test_both_segmenters_agree_on_real_pages() -> None:
    for record in islice(pages("wcxb_dev"), 0, None, 90):
        ours, reference = texts(parse(record["html"]))
        assert ours == reference, record["id"]
