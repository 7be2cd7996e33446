"""The feature table of the compiled twin is that of the Python one, number by number."""

import random
from array import array
from collections.abc import Callable
from itertools import islice
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.features.columns import COLUMNS
from bonmun.features.hashing import BUCKETS
from bonmun.features.matrix import BlockFeatures
from bonmun.features.table import WordWeights, features
from bonmun.limits import Limits
from bonmun.model.page import Page
from bonmun.read.page import read_page
from tests.corpora import pages
from tests.without_core import without_core

WIDTH = len(COLUMNS)
NEAR = 1e-5  # of the number, or of 1: sums are taken in another order here and there, and stored as 32-bit floats

needs_core = pytest.mark.skipif(core() is None, reason="the compiled twin is not built")


def weights() -> WordWeights:
    dice = random.Random(5)
    terms, names = ([dice.gauss(0, 1) for _ in range(count)] for count in (BUCKETS, 3 * BUCKETS))
    return WordWeights(memoryview(array("f", terms)), memoryview(array("f", names)))


WEIGHTS = weights()


def feature_matrix(page: Page, weights: WordWeights) -> bytes:
    return b"".join(tile for _, tile in BlockFeatures(page, weights).tiles())


def assert_twins_agree(page: Page) -> None:
    table = features(page, WEIGHTS)
    cells = memoryview(feature_matrix(page, WEIGHTS)).cast("f")
    assert tuple(table) == COLUMNS
    assert len(cells) == WIDTH * len(page.blocks)
    for number, (name, column) in enumerate(table.items()):
        for at, (ours, theirs) in enumerate(zip(cells[number::WIDTH], column, strict=True)):
            assert abs(ours - theirs) <= NEAR * max(1, abs(theirs)), f"{name} of block {at}: {ours} is not {theirs}"


LONG = "The sea was calm that morning, and nobody on the pier spoke of the storm; it was 1998. They all waited."
LONG_NAMES = [
    *("a" * size + f" main {'Nav' * 30} {'x1 ' * 40}" for size in range(60, 67)),
    *(f"{'card ' * 20}{'b' * size}Footer" for size in range(60, 68)),
    *("side-" * size + "comments" for size in range(10, 14)),
]
# Behind words of 50 to 69 letters, these lie across the bytes that the compiled twin reads together.
ENDS = ["2024.", "(1999)! 19990", "10:30", "1/2", "Tea.”", "Tea… é.", "A,b;C", "éa1文b", "3年 x", "a.b", "Z"]
PAGES = {
    "nothing": "<html></html>",
    "one block": "<p>Tea</p>",
    "no title": f"<h1>Tea</h1><p>{LONG}</p>",
    "words of the title": f"<title>The sea &amp; the 3 piers</title><h1>The sea</h1><p>{LONG}</p><p>{LONG} Piers!</p>",
    "a title in pieces": "<svg><title>Te<b>a t</b>ime</title></svg><p>tea time</p><p>Te a time</p>",
    "headings": f"<p>before</p><h1>One</h1><p>{LONG}</p><h2><a href=/>Two</a></h2><p>x<h3>Three</h3><h1>Four</h1>",
    "copies": f"<p>{LONG}</p><p>One</p><img src=a><p>two</p><p>{LONG}</p><p>one</p><img src=b><p>Two</p><p>Two</p>",
    "hidden": f"<div hidden><p>{LONG}</p></div><p style='display:none'>gone</p><p>{LONG}</p>",
    "controls": "<form><button>Send</button><select><option>One<option>Two</select><textarea>x</textarea><p>y</form>",
    "a table": "<table><caption>Prices</caption><tr><th>Tea<th>Price<tr><td>Green<td>$4.50<tr><td>Black<td>€3</table>",
    "Chinese and Japanese": "<title>本文</title><h1>本文抽取</h1><p>2024年5月3日，价格是30元。“真的吗？”</p>"
    "<p>茶を「飲む」。（100円）</p>",
    "Korean": "<p>2024년 5월 3일, 가격은 3,000원이다. 정말? 본문 추출!</p><p>ㄱㄴㄷ ᄀᄂ ꥠ</p>",
    "other scripts": "<p>Привет, мир… Да!</p><p>ما هذا؟ نعم،</p><p>यह क्या है।</p><p>Ελλάδα «ναι» ꙮ ⷠ</p>",
    "marks": "<p>(a) [b] 【c】 « d » “e” 10:30, 1/2/2020 1.5.6 19990 v1999x; A: B： £5 ¥6 ₩7 ₹8 ￥9 ｡</p>"
    "<p>End…</p><p>End.’</p>",
    "nested lists": "<ul><li>a<ul><li>b<ol><li>c<li>d</ol><li>e</ul><li>f</ul><dl><dt>t<dd>d</dl>",
    "pictures": "<img src=a.png><p><img src=b.png></p><figure><img src=c.png><figcaption>See</figcaption></figure>",
    "the same again": "<p>Read more</p><p>READ MORE</p><p>Page 1 of 20</p><p>Page 22 of 3</p><p>Page one</p>" * 2,
    "code and quotes": "<pre>\n  if x:\u1680y\n\treturn 1\n</pre><blockquote>q<blockquote>r</blockquote></blockquote>",
    "lines": "one<br>two<br><br>three<br>" * 30,
    "unknown tags": "<x-card><my-text>word</my-text><x-a><x-b>more</x-b></x-a></x-card>" * 3,
    "names": "<body class='Home siteNav'><div id=main-content_2 class='postBody HTMLText 42'><nav role=navigation>"
    "<a href=/ class=''>x</a></nav><p itemprop=articleBody class='é-ü big'>y</p><p class>z</p></div>",
    "names that differ little": "<div class=top><p class=top8>a</p><p class='top8x to'>b</p></div><p class=to8>c</p>",
    "long names": "".join(f"<div class='{name}'><p>x</p></div>" for name in LONG_NAMES),
    "long texts": "".join(f"<p>{'a' * size} {text}</p>" for size in range(50, 70) for text in ENDS),
    "far names": "<footer class=modal>" + "<div>" * 30 + "<p>deep</p>",
    "half and half": f"<div><p>{LONG}</p></div><div><p>{LONG}</p></div>",
    "links": f"<p><a href=/>{LONG}</a></p><p>A <a href=/>b</a> c</p><p>{LONG}</p>" * 3,
    "no script": f"<p>Loading</p><noscript><p>{LONG}</p><p>{LONG}</p></noscript>",
    "text of the wild": "<p>\x00\ufeff\xad&#x1F600;&#x20000;&#xFFFF;\u2028x\u0085</p><p>&nbsp;</p>",
}


@needs_core
@pytest.mark.parametrize("name", PAGES)
def test_the_twins_agree_on(name: str) -> None:
    assert_twins_agree(read_page(PAGES[name]))


PART = 64 * 1024
"""Bytes of a text whose terms the compiled twin lists at once."""


@needs_core
@pytest.mark.parametrize("words", ["a1b22 Tea ", "茶1杯 文", "x", "é, "])
def test_the_twins_agree_on_texts_of_several_parts(words: str) -> None:
    """The ends of parts are in the middle of a term, at its end and between two."""
    text = words * (PART // len(words.encode()) + 8)
    texts = [text[:80] + text, *("." * start + text for start in range(5)), f"{'a ' * (PART // 2 - 1)}{words * 9}"]
    assert_twins_agree(read_page(f"<title>{text}</title><p>" + "<p>".join(texts)))


@needs_core
def test_the_twins_agree_on_a_page_of_very_many_blocks() -> None:
    part = f"<div class=item><p>{LONG}</p><p>Tea: $4.50, 2020</p><a href=/>More</a></div>"
    page = read_page(part * 1_500)
    assert len(page.blocks) > 4_096  # counts of characters are not kept
    assert_twins_agree(page)


TAGS = "div p ul li a span h1 h2 table tr td nav article section br img pre blockquote x-y form button select b".split()
WORDS = st.text("aZz09 .,!?:;()[]\"'-/$€«»。、「」元年本文가나ёق।…\u1680\u3000\n\xa0\U00020000", max_size=30)
NAMES = st.sampled_from(
    [
        "main-menu",
        "siteNav",
        "post_42 Body",
        "",
        "article",
        "comment-list sidebar",
        "é12",
        "sc-bdVaJa",
        "css-1dbjc4n",
        "title__3xK9d",
        "kYtZpQ a1 1a a1b a",
        "adBox toTopBtn aBcDeF9 12",
    ]
)


@st.composite
def markup(draw: st.DrawFn) -> str:
    """Tags that are opened and closed at random, some of them named, with words between them."""
    parts = ["<title>", draw(WORDS), "</title>"] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(0, 25))):
        tag = draw(st.sampled_from(TAGS))
        attribute = draw(st.sampled_from(["", " hidden", " href=/", " src=a"]))
        name = draw(st.sampled_from(["", " class", " id", " role"]))
        named = f'{name}="{draw(NAMES)}"' if name else ""
        parts += [f"</{tag}>"] if draw(st.integers(0, 3)) == 0 else [f"<{tag}{named}{attribute}>"]
        parts.append(draw(WORDS))
    return "".join(parts)


@needs_core
@settings(max_examples=150, deadline=None)
@given(markup())
def test_the_twins_agree_on_random_markup(html: str) -> None:
    assert_twins_agree(read_page(html))


@needs_core
@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("abXY19é-", max_size=150), min_size=1, max_size=8))
def test_the_twins_agree_on_random_names(names: list[str]) -> None:
    assert_twins_agree(read_page("".join(f'<div class="{name}"><p>x</p></div>' for name in names)))


@needs_core
@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev", "daniel_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    for record in islice(pages(corpus), 3, 60, 11):
        assert_twins_agree(read_page(record["html"]))


def test_without_the_compiled_twin_the_table_is_that_of_python() -> None:
    page = read_page(PAGES["headings"])
    table = features(page, WEIGHTS)
    assert tuple(table) == COLUMNS
    by_row = list(zip(*table.values(), strict=True))
    with without_core():
        assert feature_matrix(page, WEIGHTS) == array("f", [number for row in by_row for number in row]).tobytes()


DEEP = Limits(depth=200_000, nodes=5_000_000)
HOSTILE: dict[str, Callable[[int], str]] = {
    "a deep page": lambda size: "<div>" * size + "<p>x</p>",
    "a deep page with a block at each level": lambda size: "<center>x" * size,
    "deep names": lambda size: "<div class='main-menu a'>x" * size,
    "many blocks": lambda size: "<p>x" * size,
    "many kinds of names": lambda size: "".join(f"<p class=n{number}>t{number}" for number in range(size // 2)),
    "much in one block": lambda size: "<p>" + "word 本文 12 " * size,
}


@pytest.mark.cpu_timed
@needs_core
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_is_measured_in_linear_time(name: str) -> None:
    def seconds(size: int) -> float:
        page = read_page(HOSTILE[name](size), limits=DEEP)
        started = process_time()
        feature_matrix(page, WEIGHTS)
        return process_time() - started

    few, many = min(seconds(5_000) for _ in range(3)), seconds(40_000)
    assert many < 0.25 or many < 24 * few  # 8 is linear, 64 quadratic


@needs_core
def test_blocks_of_another_page_are_refused() -> None:
    page, other = read_page("<p>x"), read_page("<p>x</p>" * 50)
    with pytest.raises(ValueError, match="blocks"):
        feature_matrix(Page(page.nodes, other.blocks), WEIGHTS)


@needs_core
def test_weights_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="lengths"):
        feature_matrix(read_page("<p>x"), WordWeights(WEIGHTS.terms[1:], WEIGHTS.names))
