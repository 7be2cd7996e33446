"""The drawn page: every block is on it, and nothing on it loads, runs or navigates."""

import io
import json
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import lxml.html  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.pipeline import extract
from bonmun.write.explain import _LISTED, write

DATA = Path(__file__).parents[3] / "shared" / "data"
LONG = "A sentence that is long enough to be kept by the method of these tests, since it goes on for a while."


class KeepLong:
    """Keep blocks of more than 80 characters."""

    name = "long"

    def __init__(self, parts: dict[int, tuple[int, ...]] | None = None) -> None:
        self.parts = parts or {}

    def judge(self, page: Page) -> Verdicts:
        keep = [int(len(text) > 80) for text in page.blocks.text]
        reasons = [(Reason("long" if kept else "short", '<i>&"quoted"'),) for kept in keep]
        return Verdicts(keep, [0.75 if kept else 0.1 for kept in keep], reasons, 0.5, self.parts, (Reason("a-note"),))


def explained(html: str) -> tuple[Document, LexborHTMLParser]:
    document = extract(html, method=KeepLong())
    return document, LexborHTMLParser(write(document))


def one(tree: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    matches = tree.css(selector)
    assert matches, selector
    return matches[0]


def shown(tree: LexborHTMLParser) -> LexborNode:
    return one(tree, ".bm-page")


def block_texts(tree: LexborHTMLParser) -> list[str]:
    """The text of every block as it is drawn."""
    texts: list[str] = []
    for mark in shown(tree).css("bm-text, bm-image"):
        texts += [""] * ("id" in mark.attributes)
        texts[-1] += mark.text() if mark.tag == "bm-text" else ""
    return [" ".join(text.split()) for text in texts]


def test_every_block_has_its_place_on_the_page_and_its_line_in_the_panel() -> None:
    document, tree = explained(f"<h1>Title</h1><p>{LONG}<p>One <b>two</b> <a href=/x>three</a><br>four<ul><li>five")
    count = len(document.all_blocks)
    assert [node.attributes["id"] for node in tree.css("bm-text[id]")] == [f"b{at}" for at in range(count)]
    assert [node.attributes["id"] for node in tree.css(".bm-list > a")] == [f"r{at}" for at in range(count)]
    assert [node.attributes["href"] for node in tree.css(".bm-list > a")] == [f"#b{at}" for at in range(count)]
    assert block_texts(tree) == list(document.page.blocks.text)


def test_verdict_score_and_reasons_are_drawn_on_the_block() -> None:
    _, tree = explained(f"<p>{LONG}<p>No.")
    kept, dropped = tree.css("bm-text")
    assert kept.attributes["class"] == "bm-keep" and kept.attributes["style"] == "--score:.75"
    assert kept.attributes["title"] == '0 kept · paragraph · .75 — long: <i>&"quoted"'
    assert dropped.attributes["class"] == "bm-drop"
    assert dropped.attributes["title"] == '1 dropped · paragraph · .10 — short: <i>&"quoted"'
    assert [badge.attributes["data-score"] for badge in tree.css(".bm-badge")] == [".75", ".10"]


def test_the_rows_of_a_block_kept_in_part_differ() -> None:
    html = f"<p>{LONG}<b>not this</b>"
    last = len(extract(html, method=KeepLong()).page.nodes) - 1
    document = extract(html, method=KeepLong({0: (last - 2,)}))
    tree = LexborHTMLParser(write(document))
    assert [(mark.attributes["class"], mark.text()) for mark in tree.css("bm-text")] == [
        ("bm-keep", LONG),
        ("bm-drop", "not this"),
    ]
    assert one(tree, ".bm-list b").text() == "±"


def test_hidden_content_can_be_unfolded() -> None:
    _, tree = explained(f'<div hidden><p>menu</div><p>{LONG}<div style="display:none"><p>{LONG}')
    closed, opened = shown(tree).css("details.bm-hidden")
    assert one(closed, "bm-text").text() == "menu" and "open" not in closed.attributes
    assert one(opened, "bm-text").text() == LONG and "open" in opened.attributes


def test_hidden_text_inside_a_shown_block_is_not_drawn() -> None:
    _, tree = explained(f"<p>{LONG}<span hidden>secret</span> and more.<p><span hidden>first</span>shown")
    assert block_texts(tree) == [f"{LONG} and more.", "shown"]
    assert "secret" not in shown(tree).text() and "first" not in shown(tree).text()


def test_an_image_becomes_a_box_with_its_words_and_size() -> None:
    _, tree = explained("<img src=https://example.org/a.jpg alt='A  cat' width=640 height=480px><p>text")
    box = one(tree, "bm-image")
    assert box.attributes["id"] == "b0" and box.text() == "A cat 640×480"
    assert tree.css_first("img") is None and "example.org/a.jpg" not in write(
        extract("<img src=https://example.org/a.jpg>")
    )


def test_an_empty_element_still_separates_the_text_around_it() -> None:
    _, tree = explained("<div>one<div class=ad><span></span></div>two</div>")
    assert re.search(r"one</bm-text><div></div><bm-text[^>]*>.*two", shown(tree).html or "")


def test_parts_without_kept_text_are_set_small_once() -> None:
    _, tree = explained(f"<nav><ul><li>Home<li>News</ul></nav><article><p>{LONG}</p><p>No.</p></article>")
    assert [node.tag for node in tree.css(".bm-small")] == ["nav", "p"]


def test_nothing_is_set_small_if_nothing_was_kept() -> None:
    document, tree = explained("<nav>Home</nav><p>News")
    assert document.status == "empty" and tree.css(".bm-small") == []


def test_code_keeps_its_white_space() -> None:
    _, tree = explained("<pre>\n\n  if x:\n\ty()\n</pre>")
    assert one(tree, "pre bm-text").text() == "\n  if x:\n\ty()\n"


def test_tables_keep_their_spans_and_lists_their_numbers() -> None:
    _, tree = explained("<table><tr><th colspan=2 rowspan='x'>a<tr><td>b<td>c</table><ol start=4><li value=7>d")
    assert one(tree, "th").attributes == {"colspan": "2"}
    assert (one(tree, "ol").attributes, one(tree, "li").attributes) == ({"start": "4"}, {"value": "7"})


def test_attributes_with_character_references_are_drawn() -> None:
    _, tree = explained("<ol start='&#52;'><li style='text-align&colon;center' dir='&#114;tl'>a</ol>")
    assert one(tree, "ol").attributes == {"start": "4"}
    assert one(tree, "li").attributes == {"style": "text-align:center", "dir": "rtl"}


def test_a_page_without_text_says_so() -> None:
    document, tree = explained("")
    assert len(document.all_blocks) == 0 and shown(tree).text(strip=True) == "There is no text on this page."


def test_the_panel_summarises_the_page() -> None:
    document = extract(
        f"<title>Tea &amp; cake</title><p>{LONG}".encode(), url="https://example.org/", method=KeepLong()
    )
    panel = one(LexborHTMLParser(write(document)), ".bm-panel").text()
    for fact in (
        "ok",
        "long",
        "Tea & cake",
        "https://example.org/",
        "a-note",
        "1 of 1 blocks kept",
        *document.warnings,
    ):
        assert fact in panel


def test_the_page_keeps_its_language_and_direction() -> None:
    _, tree = explained('<html lang="ko" dir="rtl"><p>본문')
    assert (shown(tree).attributes["lang"], shown(tree).attributes["dir"]) == ("ko", "rtl")


def test_a_page_of_many_blocks_lists_only_the_kept_ones() -> None:
    tags = "p div section article main center address".split()  # no run of like blocks
    short = "".join(f"<{tag}>short</{tag}>" for tag in islice(cycle(tags), _LISTED + 1))
    _, tree = explained(f"{short}<p>{LONG}")
    assert len(tree.css("bm-text[id]")) == _LISTED + 2
    assert [node.attributes["id"] for node in tree.css(".bm-list > a")] == [f"r{_LISTED + 1}"]


def test_deep_nesting_needs_no_recursion() -> None:
    document = extract("<div><span>" * 2000 + LONG, method=KeepLong(), limits=Limits(depth=10_000))
    assert write(document).count("</div>") > 2000


HOSTILE = f"""<!-- --><title>x</title><script>alert(1)</script>--></title></style></template>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<meta http-equiv="Content-Security-Policy" content="default-src *"><link rel=stylesheet href=//evil.example/a.css>
<style>@import "https://evil.example/b.css"; p{{background:url(https://evil.example/c.png)}} </style>
<body onload="alert(2)" style="position:fixed;z-index:99;background:u\\72l(https://evil.example/d)" background=//evil/e>
<p onclick=alert(3) style="position:fixed;top:0;text-align:center;width:expression(alert(4))">{LONG}</p>
<p style="font-weight:url('javascript:alert(5)');text-align:var(--x)">{LONG}</p>
<p>&lt;/template&gt;&lt;/style&gt;&lt;script&gt;alert(6)&lt;/script&gt;&lt;img src=x onerror=alert(7)&gt; {LONG}</p>
<p title='"><script>alert(8)</script>' lang='"><img src=x onerror=alert(9)>' dir='"onfocus=alert(1) autofocus="'>here
<img src=x onerror=alert(10)> <img src=https://evil.example/f.png srcset="https://evil.example/g.png 2x"
 alt='</bm-image><script>alert(11)</script>' width='1"onload="alert(12)'><picture><source srcset=//evil/h></picture>
<a href="javascript:alert(13)" ping=//evil/i target=_top>click</a> <a href=" java&#10;script:alert(14)">me</a>
<a href="https://evil.example/j">away</a><area href="https://evil.example/k"><svg><style><img src=x onerror=alert(15)>
</style><script>alert(16)</script><a xlink:href="javascript:alert(17)"><text>t</text></a>
<foreignObject><iframe src="javascript:alert(18)"></iframe></foreignObject></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(19)&gt;"></table></mtext>
<mi xlink:href="javascript:alert(20)">m</mi><annotation-xml encoding=text/html><script>alert(21)</script>
</annotation-xml></math><iframe srcdoc="<script>parent.alert(22)</script>" src=//evil.example/l></iframe>
<object data=//evil.example/m></object><embed src=//evil.example/n><audio src=//evil.example/q></audio>
<video src=//evil.example/o poster=//evil.example/p autoplay></video>
<form action="https://evil.example/r"><input autofocus onfocus=alert(23) name=q><input type=image src=//evil/s>
<button formaction="javascript:alert(24)">Send</button><textarea></textarea><script>alert(25)</script></textarea>
<select onchange=alert(26)><option>a</select><keygen><isindex action=//evil.example/t></form>
<noscript><p title="</noscript><img src=x onerror=alert(27)>"></noscript>
<template><script>alert(28)</script></template>
<div><template shadowrootmode=open><style>:host{{position:fixed}}</style><p onclick=alert(29)>shadow</template></div>
<details open ontoggle=alert(30)><summary>more</summary>here</details><marquee onstart=alert(31)>m</marquee>
<x-y onclick=alert(32) is=z>custom</x-y><x"onmouseover="alert(33)">odd</x><plaintext></plaintext></div></html>
<script>alert(34)</script> the end, and this text is long enough to be kept by the method of the tests: it goes on."""

INERT_TAGS = frozenset(
    "html head body meta title link style details summary b span p a dl dt dd label input div small i u bm-text"
    " bm-image article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main search hr pre"
    " blockquote ol ul li figure figcaption em strong s cite q dfn abbr ruby rb data time code var samp kbd sub"
    " sup mark bdi bdo br wbr ins del table caption tbody thead tfoot tr td th".split()
)
INERT_ATTRIBUTES = frozenset("id class style title href data-score colspan rowspan start value dir lang open".split())
OURS = {
    ("html", "lang"): {"en"},
    ("meta", "charset"): {"utf-8"},
    ("meta", "name"): {"viewport"},
    ("meta", "http-equiv"): {"Content-Security-Policy"},
    ("link", "rel"): {"icon"},
    ("input", "type"): {"radio"},
    ("input", "name"): {"bm-show"},
    ("input", "checked"): {"", "checked"},
}
HARMLESS_STYLE = re.compile(
    r"--score:[.\d]+|(?:[a-z-]+:[a-z0-9 -]+;?)+|background:(?:none|linear-gradient\(90deg,[\w().%, -]+\))"
)


def faults(elements: Iterator[tuple[str, dict[str, str]]]) -> Iterator[str]:
    """Everything that could load, run or navigate."""
    for tag, attributes in elements:
        if tag not in INERT_TAGS:
            yield f"<{tag}>"
        for name, value in attributes.items():
            if tag == "meta" and name == "content":
                continue
            if (tag, name) in OURS:
                if value not in OURS[tag, name]:
                    yield f"<{tag} {name}={value}>"
            elif name not in INERT_ATTRIBUTES:
                yield f"<{tag} {name}>"
            elif name == "href" and not re.fullmatch(r"#[br]\d+" if tag == "a" else "data:,", value):
                yield f"<{tag} href={value}>"
            elif name == "style" and not HARMLESS_STYLE.fullmatch(value):
                yield f"<{tag} style={value}>"


def assert_inert(html: str) -> None:
    tree = LexborHTMLParser(html)
    modern = ((node.tag or "", {key: value or "" for key, value in node.attributes.items()}) for node in tree.css("*"))
    assert list(faults(modern)) == []
    old = (node for node in lxml.html.document_fromstring(html.encode()).iter() if isinstance(node.tag, str))
    assert list(faults((str(node.tag), {str(key): value for key, value in node.attrib.items()}) for node in old)) == []
    assert len(tree.css("meta[http-equiv]")) == len(tree.css("style")) == 1
    assert one(tree, "style").text().strip() == files("bonmun.write").joinpath("explain.css").read_text("utf-8").strip()


def test_our_own_style_sheet_loads_nothing() -> None:
    style = files("bonmun.write").joinpath("explain.css").read_text("utf-8").lower()
    assert not any(word in style for word in ("url(", "@import", "image-set", "src(", "@font-face", "<"))


def test_a_hostile_page_becomes_inert() -> None:
    document = extract(HOSTILE, url="https://evil.example/", method=KeepLong())
    html = write(document)
    assert_inert(html)
    assert block_texts(LexborHTMLParser(html)) == list(document.page.blocks.text)


def test_hostile_reasons_and_metadata_become_inert() -> None:
    class Hostile(KeepLong):
        name = "<script>alert(1)</script>"

    document = extract(
        f"<title>\"&gt;&lt;/title&gt;&lt;script&gt;alert(1)</title><html lang='\"><script>' dir='\"><script>'>{LONG}",
        url='javascript:"</style><script>alert(1)</script>',
        method=Hostile(),
    )
    assert_inert(write(document))


PIECES = [
    *(f"<{tag}>" for tag in "p div span a b li ul table tr td form button select option textarea pre svg math".split()),
    *(f"</{tag}>" for tag in "p div span a b li ul table tr td form button select textarea pre svg math".split()),
    *("<style>", "</style>", "<script>", "</script>", "<template>", "<template shadowrootmode=open>", "</template>"),
    *(
        "<div hidden>",
        "<tr hidden>",
        "<img src=/x onerror=alert(1)>",
        "<br>",
        "<hr>",
        "<title>",
        "</title>",
        "<!--",
        "-->",
    ),
    *("<a href=javascript:alert(1)>", "<p style='position:fixed;color:red'>", "&lt;script&gt;", "one", " two ", LONG),
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_mixture_of_markup_becomes_inert_and_keeps_every_block(pieces: list[str]) -> None:
    document = extract("<body>" + "".join(pieces), method=KeepLong())
    html = write(document)
    assert_inert(html)
    places = [node.attributes["id"] or "" for node in shown(LexborHTMLParser(html)).css("[id]")]
    assert sorted(places) == sorted(f"b{block.index}" for block in document.all_blocks)


@pytest.mark.parametrize("name", ["wcxb_dev", "cjk_dev"])
def test_real_pages_become_inert_and_keep_every_block(name: str) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = DATA / f"{name}.jsonl.zst"
    if not path.exists():
        pytest.skip("the real pages are not here")
    with path.open("rb") as file:
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8")
        pages = [json.loads(line) for line, _ in zip(lines, range(12), strict=False)]
    for page in pages:
        document = extract(page["html"], url=page["url"], method=KeepLong())
        html = write(document)
        assert_inert(html)
        assert len(shown(LexborHTMLParser(html)).css("[id]")) == len(document.all_blocks)


def test_in_a_browser_nothing_runs_or_loads_and_every_block_can_be_reached(tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("needs chromium")
    document = extract(HOSTILE + "<div hidden><p>unfold me</div>", method=KeepLong())
    file = tmp_path / "explained.html"
    file.write_text(write(document), "utf-8")
    seen: list[str] = []

    def dismiss(dialog: Any) -> None:
        seen.append(f"dialog {dialog.message}")
        dialog.dismiss()

    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.on("dialog", dismiss)
        page.on("console", lambda message: seen.append(f"console {message.text}"))
        page.on("request", lambda request: seen.append(f"request {request.url}"))
        page.goto(file.as_uri(), wait_until="load")
        page.wait_for_timeout(200)
        assert seen == [f"request {file.as_uri()}"]
        ids = json.loads(
            page.evaluate("JSON.stringify([...document.querySelectorAll('.bm-page [id]')].map(e => e.id))")
        )
        assert sorted(ids) == sorted(f"b{block.index}" for block in document.all_blocks)
        for index in (0, len(document.all_blocks) - 1):  # the last one is hidden
            page.click(f'.bm-list a[href="#b{index}"]')
            assert page.eval_on_selector(":target", "e => e.checkVisibility() && e.id") == f"b{index}"
        over = page.evaluate(
            "document.elementFromPoint(innerWidth - 100, innerHeight / 2).closest('.bm-panel') !== null"
        )
        assert over
        browser.close()
