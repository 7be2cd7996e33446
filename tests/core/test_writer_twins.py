"""The writers of the compiled core and their Python twins write the same bytes."""

from array import array
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

import bonmun
from bonmun.core import core
from bonmun.model.document import Document
from bonmun.model.pictures import picture_address
from bonmun.write import html, markdown, text
from bonmun.write.compiled_markup import compiled_markdown
from bonmun.write.compiled_text import compiled_text
from fuzz.page_mutations import mutated, sources
from tests.corpora import pages
from tests.golden_cases import GOLDEN
from tests.write.documents import document, markup, real_documents

CONSTRUCTS = {
    "lines": "<p>One<br>two ~a~<br>- three<br>4. four<br>===<br>$5<p>five ~~<h2>a<br>b</h2><h3>C #</h3>",
    "lists": "<ul><li>a<li>b<ul><li>c<p>d</p><ol start=7><li>e<li>f</ol></ul><li><pre>x\n\ny</pre></ul><ul><li>g</ul>",
    "numbers": "<ol reversed><li>a<li>b<li>c</ol><ol><li value=3>a<li>b<li value=3>c</ol><ol start=-1><li>a</ol>",
    "stray items": "<li>a</li>text<li>b<div><ul>t<li>c<ul><li>d</ul><ul><ul><li>e</ul></ul></ul></div><dd>f",
    "tasks": "<ul><li><input type=checkbox disabled>a<li><input type=CHECKBOX disabled checked>b<li>c</ul>",
    "empty items": "<ol><li><img src=a.png><li>b<li><img><li>c</ol><ul><li><hr></ul>",
    "quotes": "<blockquote>a<br>b<blockquote><p>c<pre>d\n\n\ne</pre></blockquote>f<hr>g</blockquote><hr><p>h<hr>",
    "definitions": "<dl><dt>a<dd>b<p>c</p><ul><li>d</ul><dt>e<dt>f <b>g</b><dd><dl><dt>h<dd>i</dl></dl>",
    "tables": "<table><caption>C</caption><tr><th>a<th>b|c<tr><td>d<p>e ~ f<td>~<tr><td colspan=2>g<td>h</table>",
    "spans": "<table><tr><th rowspan=3>a<th colspan=2>b<tr><td>c<tr><td colspan=0>d<td rowspan=9>e<tr><td>f</table>"
    "<table><tr><th>x<th>y" + "<tr><td rowspan=99 colspan=999>z<td>1" * 30 + "</table>",
    "split rows": "<table><tr><th>a<th>b<tr><td>c<td>d</td>stray<td>e<tr>f<td>g<tr><td>h</table>",
    "tables in tables": "<table><tr><th>a<th>b<tr><td>c<td><table><tr><th>d<th>e<tr><td>f<td>g</table></table>",
    "code": "<pre class=language-python>def f():\n    ```\n</pre><p>a <code>`b`</code><table><tr><th><pre>a</pre><th>b"
    "<tr><td><pre>c\nd</pre><td>e</table>",
    "languages": "".join(
        f"<{tag} {attribute}><pre>x\r\ny\rz</pre></{tag}><pre><code {attribute}>a ```` b</code></pre>"
        for tag in ("div", "figure", "div role=table")
        for attribute in (
            *"data-lang=c data-language=none data-lang='c d' class=language-c++ class=lang-1c class=lang-".split(),
            *"class=highlight-source class=highlight-source- class=language-x-basic class=language--basic".split(),
            *("class='highlight js'", "class='a highlight js'", "class='hljs line lang-c d'", "class=sourceCode"),
            *("class='brush: c;'", "class='xbrush:c brush:  d'", "class='äbrush:c'", "class='brush:; brush:e'"),
            *("class='lang-ä x'", "class='lang-none lang-c'", "class=LANGUAGE-c", "class='\u3000hljs\u2003c'"),
        )
    )
    + "<table><tr><td><pre>1</pre><td class=lang-c><pre>x</pre></table><pre class=lang-c>x<img src=a.png></pre>"
    "<div class=lang-d><div><div><div><pre>x</pre></div></div></div></div><code class=lang-c><pre>x</pre></code>",
    "boxes": "<div class='admonition note'><p class=admonition-title>Note<p>a</div><aside class='callout tip'>b"
    "<ul><li>c</ul></aside><div class='alert alert-danger'><h4>Do not!</h4><p>=</div><details><summary>s</summary>t"
    "</details><details><summary>only</summary></details>",
    "footnotes": "<p>a<sup><a href='#fn1' id=r1>1</a></sup> b<ol class=footnotes><li id=fn1>c <a href='#r1'>↩</a></ol>",
    "pictures": "<p>a<p><img src=a.png alt='x ] [ y'><p>b<figure><img src='/b(1).jpg'><figcaption>C</figcaption>"
    "</figure><p>c <a href=/d><img src=//e.org/f.png> g</a> h <img src=blank.gif data-src=/i.png> j"
    "<p><img src=spacer.gif><p><iframe src=https://www.youtube.com/embed/1></iframe><p>k",
    "links": "".join(
        f"<p>a <a href='{href}'>b</a>"
        for href in "https://example.org http://EXAMPLE.org/a https://a.b/c?d=e'f#g /h/../i /j k/l #m ?n //o.org/p"
        " https://q.org/%2e%2e/r tel:+1-2 mailto:a@b.c javascript:s https://1.2/t /u(v) /w;x /&amp;copy; a:b"
        " https://x--y.org/ https://a.b:80/ https://ü.de/ /ä".split()
    )
    + "".join(
        f"<p>a <a href='{href}'>b</a><img src='{href}'>"
        for href in (
            "../a",
            "../../../a?b#c",
            "./a",
            ".././b/",
            "../",
            "..",
            "..//a",
            "../.a",
            "../?a",
            "./#a",
            " /a\t",
            "../a b",
        )
    )
    + "<p><a href=/a>b</a><a href='https://example.org/a'>c</a>",
    "captions": "<p>a<figure><img src=a.png><img src=b.png><figcaption>c</figcaption><figcaption>d</figcaption>"
    "</figure>"
    "<p>e<figure><figcaption>f</figcaption></figure><figure><img src=g.png></figure><figcaption>h</figcaption><p>i",
    "marks": "<h2>a<span style='display:block'>b</span> <i>c</i></h2><p>x<sup>2</sup> <b>a</b><i>b</i> <mark>c</mark>"
    " <s>d</s>",
    "starts": "<p>[!NOTE]<p>[x] a<p>[a]: b<p># a<p>-<p>1) a<p>* a<p>>a<p>+<p>123456789. a<p>[!tıp]<p>| a |",
    "dollars": "<p>$5 and $6<p>$a$ b<p>$$ c<p>a $1<br>b $2<p><b>$</b>a$<table><tr><th>$x$<th>$1 $2<tr><td>a</table>",
    "dollars in runs": "".join(
        f"<{tag}>{text}</{tag}>"
        for tag in ("p", "h2", "table><tr><th>a<tr><td")
        for text in (
            *(
                "<b>$</b>5 $<i>a</i>",
                "<b>$5</b> to $6",
                "$<b>a b</b>$ c",
                "$a+b$ $c$",
                "$x_1$ <i>y</i>",
                "$a b$c$ d",
                "$ a$",
            ),
            *(
                "<i>$$</i> a",
                " <i>a</i>$$",
                "$$<i>a</i>",
                "<img src=a.png>$$ a<i>b</i>",
                "$\\x$ <i>b</i>",
                "$ab$ <code>$</code>",
            ),
            *(
                "a $1<br>b $2<br>$c$",
                "<img src=a.png><br>$$ a",
                "a $b<br>c$ d",
                "http://a_*b*.c $d e$ <i>f</i>",
                "$5$<b>6</b>",
            ),
            *(
                "a <img src=a.png alt='$'> $b$",
                "<a href=/b>$a b$</a> $",
                "$é$ <b>c</b>",
                "${{a}}, 1$ <b>c</b>",
                "$a,b <b>$</b>",
            ),
            *("$a$b$ c d$", "$a$ $b c$", "$a$ $1$ b", "$\\x y$ $a$", "$\\x$ $a\\$ b", "$\\x[$ a", "${a}+ {12}$ $a +$"),
        )
    ),
    "roles": "<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>"
    "<div role=heading aria-level=3>c</div>",
    "rules": "<p>a<hr><hr><p>b<ul><li>c<hr>d</ul><hr>",
}
OUTPUTS = (
    bonmun.Output(),
    bonmun.Output(title=True, front_matter=True, comments=True),
    bonmun.Output(links=False),
    bonmun.Output(images=False),
    bonmun.Output(tables=False, captions=False, references=False),
)


def compared(doc: Document) -> None:
    """Compare the writers with their twins."""
    assert text.body(doc) == text.body_by_reference(doc)
    assert markdown.write(doc) == markdown.write_by_reference(doc)
    assert html.write(doc) == html.write_by_reference(doc)


def with_some_dropped(doc: Document, random: Random) -> Document:
    """The document without some of its blocks."""
    keep = bytearray(bool(kept) and random.random() < 0.8 for kept in doc.verdicts.keep)
    return Document(doc.page, replace(doc.verdicts, keep=keep), doc.method, doc.metadata, doc.output)


@pytest.mark.parametrize("name", CONSTRUCTS)
@pytest.mark.parametrize("url", [None, "https://example.org/a//b/page.html", "https://example.org", "http://[::1"])
def test_the_twins_agree_on_constructs(name: str, url: str | None) -> None:
    doc = document(CONSTRUCTS[name], url=url)
    for output in OUTPUTS:
        compared(doc.with_output(output))
    for seed in range(5):
        compared(with_some_dropped(doc, Random(seed)))


def test_the_twins_agree_on_constructs_inside_others() -> None:
    around = (
        "<ul><li>{}</ul>",
        "<blockquote>{}</blockquote>",
        "<table><tr><td>{}<td>x</table>",
        "<dl><dt>a<dd>{}</dl>",
    )
    for outer in around:
        for inner in around:
            for construct in CONSTRUCTS.values():
                compared(document(outer.format(inner.format(construct))))


def picture(random: Random) -> str:
    """A picture whose addresses are placeholders, or nearly."""
    words = "blank spacer loading load trans transparent grey img image 1x1 2X x 7 tea - _ . / = .gif .PNG .jpeg .webp"
    parts = (*words.split(), *"?a #b data: About: // //: # { https://a.org/ \u00e4 \u017f ; %".split())
    names = [name for name in ("src", "data-src", "data-lazy-src", "nitro-lazy-src", "srcset") if random.random() < 0.5]
    values = ("".join(random.choice(parts) for _ in range(random.randint(1, 6))) for _ in names)
    written = (f'{name}="{value}"' for name, value in zip(names, values, strict=True))
    return f"<p><img {' '.join(written)}></p>"


def test_the_twins_agree_on_the_addresses_of_pictures() -> None:
    random, compiled, known = Random(20), core(), 0
    for _ in range(60):
        doc = document("<p>a" + "".join(picture(random) for _ in range(40)), url="https://example.org/a/b.html")
        compared(doc)
        page = doc.page
        pictures = [index for index, kind in enumerate(page.blocks.kind) if kind == "image"]
        arguments = array("i", pictures), (0, 0), b"", b"", b"caption\0", page.address_bases
        given = compiled.shown_signs(page.writer_page, *arguments)[3] if compiled else b""
        for index, answer in zip(pictures, given, strict=bool(compiled)):
            address = picture_address(page.nodes, page.blocks.first[index], page.base_url)
            assert answer == 2 or answer == (address is not None)
        known += sum(answer < 2 for answer in given)
    assert known > 200 or compiled is None


def test_malformed_signs_are_refused() -> None:
    compiled, page = core(), document("<p>Tea <img src=a.png><p>b").page
    if compiled is None:
        pytest.skip("the compiled core is not there")
    good = array("i", [0]), (0, 2), b"", b"", b"caption\0", None
    assert compiled.shown_signs(page.writer_page, *good)
    malformed = {
        0: (array("i", [9]), array("i", [-1]), array("i", [0, 0])),
        1: ((2, 1), (-1, 2), (0, 99)),
        4: (b"", b"x"),
    }
    for place, values in malformed.items():
        for value in values:
            with pytest.raises(ValueError, match="must"):
                compiled.shown_signs(page.writer_page, *good[:place], value, *good[place + 1 :])


@pytest.mark.parametrize("case", sorted(GOLDEN.glob("*/*/*.html")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_twins_agree_on_golden_pages(case: Path) -> None:
    compared(document(case.read_text(encoding="utf-8")))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(markup)
def test_the_twins_agree_on_markup(page: str) -> None:
    doc = document(page)
    compared(doc)
    compared(with_some_dropped(doc, Random(len(page))))


def test_the_twins_agree_on_mutated_pages() -> None:
    known = sources(2)
    for number in range(300):
        page, url = mutated(known, 5, number)
        try:
            doc = bonmun.extract(page, url=url)
        except (bonmun.BonmunError, UnicodeError):
            continue
        everything = replace(doc.verdicts, keep=bytearray(b"\1" * len(doc.page.blocks)), parts={})
        compared(doc)
        compared(Document(doc.page, everything, doc.method))


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev", "news_dev", "forums_dev", "recipes_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    for doc in real_documents(corpus, 0, 200, 10):
        compared(doc)


@pytest.mark.parametrize("method", ["auto", "xpath"])
def test_the_twins_agree_on_extracted_pages(method: str) -> None:
    for page in islice(pages("wcxb_dev"), 5, 300, 25):
        compared(bonmun.extract(page["html"], url=page["url"] or None, method=method))


def test_groups_deeper_than_the_limit_are_flattened_alike() -> None:
    for page in ("<ul><li>a" * 60, "<blockquote>a" * 60, "<dl><dd>a" * 60, "<div role=list><div role=listitem>a" * 60):
        compared(document(page))
    compared(document("<table><tr><th>a<th>b<tr><td>c<td>" * 40))


def test_the_core_writes_most_documents() -> None:
    doc = document("<h1>Tea</h1><p>Tea is <b>made</b> of <a href=/leaves>leaves</a>.<ul><li>a<li>b</ul>")
    written = "# Tea\n\nTea is **made** of [leaves](https://example.org/leaves).\n\n- a\n- b"
    assert compiled_text(doc) == "Tea\n\nTea is made of leaves.\n\n- a\n- b"
    assert compiled_markdown(doc, markdown.NESTING, markdown.answers) == written


def test_a_page_is_copied_without_the_view_of_the_core() -> None:
    doc = document("<p>Tea is made of leaves.")
    assert doc.text and deepcopy(doc.page) == doc.page


def test_wrong_columns_are_errors() -> None:
    compiled, page = core(), document("<p>a").page
    assert compiled is not None
    none, start = array("i"), array("i", [0])
    for shown, nesting, places in (([1], 32, []), ([-9], 32, []), ([0], 33, []), ([0], 32, [0])):
        with pytest.raises(ValueError, match="must be"):
            compiled.write_text(page.writer_page, array("i", shown), nesting, array("i", places), start, b"")
    with pytest.raises(ValueError, match="must be"):
        compiled.write_markdown(page.writer_page, array("i", [0]), b"", 16, (none, none, none), none, None)
