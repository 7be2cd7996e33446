"""HTML that shows the blocks and nothing else: no script, no style, no address that runs."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html  # type: ignore[import-untyped]
from selectolax.lexbor import LexborHTMLParser

from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.write import mathml, shown_blocks
from bonmun.write.html import write
from tests.write.documents import document, markup, real_documents

BARE = (
    "h1 h2 h3 h4 h5 h6 p br ul li blockquote dl dt dd table caption tr pre figure figcaption"
    " strong em code s sub sup mark details summary hr"
)
ATTRIBUTES = {
    **{tag: set[str]() for tag in BARE.split()},
    "article": {"lang"},
    "ol": {"start", "type", "reversed"},
    "input": {"type", "disabled", "checked"},
    "aside": {"role", "class"},
    "div": {"class"},
    "code": {"class"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "a": {"href", "rel", "id"},
    "li": {"id", "value"},
    "section": {"role"},
    "img": {"src", "alt", "loading"},
    **{tag: set(mathml.ATTRIBUTES) for tag in mathml.ELEMENTS},
    "math": {"display"},
    "semantics": set[str](),
    "annotation": {"encoding"},
    "span": {"class"},
}
ADDRESS = re.compile(r"(?:https?://|mailto:|tel:)|(?![a-zA-Z][a-zA-Z0-9+.-]*:)")
BY_PARSER = {"html", "head", "body", "tbody"}

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href='&#1;javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='vbscript:x'>x</a>",
    "<a href='https://a.b/\"onmouseover=\"alert(1)'>x</a>",
    "<a href='mailto:a\"><script>alert(1)</script>'>x</a>",
    "<a href='//a.b\" onclick=\"x'>x</a>",
    "<img src='https://a.b/x.png' alt='\"><script>alert(1)</script>'>",
    "<img src='javascript:alert(1)' alt=x>",
    "<img srcset='javascript:alert(1) 2x, https://a.b/c.png'>",
    "<svg><script>alert(1)</script><a xlink:href='javascript:alert(1)'>x</a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></math>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<style>@import 'javascript:x'</style>",
    "<p style='background:url(javascript:x)' onclick=x class=y id=z>x</p>",
    "<base href='javascript:alert(1)//'><a href='x'>x</a>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<pre>&lt;/code>&lt;/pre>&lt;script>alert(1)&lt;/script></pre>",
    "<p>&lt;script>alert(1)&lt;/script>",
    "<ol start='1\" onclick=\"x'><li>x</ol>",
    "<table><tr><th colspan='2\" onclick=\"x'>a<td rowspan='1e9'>b</table>",
    "<!--><script>alert(1)</script>-->",
    "<xmp><script>alert(1)</script></xmp>",
    "<plaintext><script>alert(1)</script>",
)


def check_safe(written: str) -> None:
    tree = LexborHTMLParser(written)
    for node in tree.root.traverse(include_text=False) if tree.root else ():
        if node.tag not in BY_PARSER:
            assert node.tag in ATTRIBUTES, node.tag
            assert set(node.attributes) <= ATTRIBUTES[node.tag], node.html
        for name in ("href", "src"):
            value = node.attributes.get(name)
            assert value is None or ADDRESS.match(value), value
    for element in lxml_html.fragment_fromstring(written).iter():
        assert element.tag in ATTRIBUTES, element.tag
        assert set(element.attrib) <= ATTRIBUTES[element.tag]


def texts(doc: Document) -> list[str]:
    return [text for block in doc.blocks if (text := " ".join(block.text.split()))]


@settings(max_examples=200, deadline=None)
@given(markup)
def test_any_page_is_written_safely_and_reads_back(html: str) -> None:
    assume(not re.search("<su[bp]", html))  # neighbours are joined, and then another form is written in the text
    doc = document(html)
    written = write(doc)
    check_safe(written)
    assert texts(document(written)) == texts(doc)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(HOSTILE), markup), max_size=4), st.none() | st.just("https://a.b/c"))
def test_no_script_gets_through_in_any_surrounding(parts: list[str], url: str | None) -> None:
    check_safe(write(document("".join(parts), url=url)))


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("around", ["{}", "<p>a{}b", "<ul><li>{}", "<table><tr><th>{}<th>x</table>", "<h1>{}</h1>"])
def test_no_known_trick_gets_through(hostile: str, around: str) -> None:
    check_safe(write(document(around.format(hostile), url=None)))
    check_safe(write(document(around.format(hostile))))


def test_real_pages_are_written_safely_and_read_back() -> None:
    for name, stop, step in (("cjk_dev", None, 3), ("wcxb_dev", 200, 5)):
        for doc in real_documents(name, 0, stop, step):
            written = write(doc)
            check_safe(written)
            expected = (
                block.text or "".join(run.text for run in block.runs if run.media) for block in shown_blocks(doc)
            )
            assert "".join("".join(texts(document(written))).split()) == "".join("".join(expected).split())


def test_blocks_keep_their_structure() -> None:
    html = "<h2>T</h2><p>a<br>b<ol start=3><li>c<ul><li>d</ul><li><p>e<p>f</ol><dl><dt>g<dd>h</dl><pre>i\n  j</pre>"
    assert write(document(html + "<blockquote><p>k</blockquote>")) == (
        "<article>\n<h2>T</h2>\n<p>a<br>b</p>\n"
        '<ol start="3"><li>c<ul><li>d</li></ul></li><li><p>e</p><p>f</p></li></ol>\n'
        "<dl><dt>g</dt><dd>h</dd></dl>\n<pre><code>i\n  j</code></pre>\n<blockquote><p>k</p></blockquote>\n</article>"
    )


def test_tables_keep_captions_headers_and_spans() -> None:
    html = "<table><caption>C<tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d</table>"
    assert write(document(html)) == (
        '<article>\n<table><caption>C</caption><tr><th rowspan="2">a</th><th colspan="2">b</th></tr>'
        "<tr><td>c</td><td>d</td></tr></table>\n</article>"
    )


def test_links_and_images_are_absolute_and_plain() -> None:
    html = "<p><a href='../b?c=1&amp;d=2' target=_blank onclick=x>e <b>f</b></a><figure><img src=g.png alt='\"h\"'>"
    assert write(document(html + "<figcaption>i</figcaption></figure>")) == (
        '<article>\n<p><a href="https://example.org/b?c=1&amp;d=2" rel="nofollow noopener noreferrer">'
        "e <strong>f</strong></a></p>\n"
        '<figure><img src="https://example.org/a/g.png" alt="&quot;h&quot;" loading="lazy">'
        "<figcaption>i</figcaption></figure>\n</article>"
    )


def test_lang_is_written_only_for_a_valid_language() -> None:
    assert write(document("<p>a", metadata=Metadata(language="zh-TW"))).startswith('<article lang="zh-TW">')
    assert write(document("<p>a", metadata=Metadata(language='ko" onclick="x'))).startswith("<article>")


def test_an_empty_document_is_an_empty_article() -> None:
    assert write(document("")) == "<article>\n</article>"


def test_hundreds_of_levels_are_written() -> None:
    doc = document("".join(f"<ul><li>{level}<blockquote>" for level in range(160)))
    assert texts(document(write(doc))) == texts(doc)


def test_no_attribute_of_mathml_links_loads_or_runs() -> None:
    assert not {name for name in mathml.ATTRIBUTES if name.startswith("on") or "href" in name}
    assert mathml.ATTRIBUTES.isdisjoint({"src", "style", "class", "id", "actiontype", "encoding", "definitionurl"})
    assert mathml.ELEMENTS.isdisjoint({"mglyph", "maction", "annotation-xml", "script", "style"})
