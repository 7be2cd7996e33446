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


def texts(nodes: Nodes) -> list[tuple[str, ...]]:
    return [segment(nodes).text, segment_by_reference(nodes).text]


@pytest.mark.parametrize(("html", "text"), CASES)
def test_words_of_adjacent_elements(html: str, text: str) -> None:
    assert texts(parse(f"<p>{html}</p>")) == [(text,), (text,)]


@pytest.mark.parametrize(("html", "text"), CASES)
def test_runs_have_the_gaps_of_the_text(html: str, text: str) -> None:
    (block,) = extract(f"<p>{html}</p>").all_blocks
    assert "".join(run.text for run in block.runs) == text


def test_code_is_unchanged() -> None:
    assert texts(parse("<pre><span>let</span><span>go</span></pre>")) == [("letgo",), ("letgo",)]


def test_both_segmenters_agree_on_real_pages() -> None:
    for record in islice(pages("wcxb_dev"), 0, None, 90):
        ours, reference = texts(parse(record["html"]))
        assert ours == reference, record["id"]
