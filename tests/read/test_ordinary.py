"""Ordinary pages are read in one call; whatever needs a further step is left to the steps of `read.page`."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.errors import LimitExceeded, NotAPage
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.read.ordinary import Ordinary, begin, begin_utf8, ordinary
from bonmun.read.page import _as_shown, _decoded, _markup, read_page
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from bonmun.read.streamed import has_places
from tests.core.tag_soup import tag_soup
from tests.core.tree_cases import CASES
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is missing or disabled")

ORDINARY = (
    "<p>Tea is made of leaves.",
    " \n\t<!doctype html><meta charset=utf-8><p>차는 잎으로 만든다.",
    "<meta charset=' UTF8 '><p>naïve",
    "<META HTTP-EQUIV='Content-Type' CONTENT='text/html; Charset = UTF-8 ; x'><p>naïve",
    "<meta http-equiv=content-type><meta http-equiv=content-type content=text/html><p>naïve",
    "<meta http-equiv=refresh content='charset=latin1'><p>naïve",
    "<p>Tea &amp; biscuits<br><button>Save</button><p>Press <b>OK</b>",
    "<div role=list><div role=listitem>Tea</div></div><div role=Heading>Tea</div><div role=main>Tea</div>",
    "<div role=tablist><p role=rowgroup>Tea</p><p>Press <button>Save</button></p><p>Tea <button>Buy</button><b>now</b>",
    "<template id=A:0></template><img src=/pictures/tea.jpg class=wide><p class=text>Tea",
    "<pre><b>x</b> = 1</pre><pre class=inline>y</pre><span class=line>z</span>",
    "<table><tr><td class=gutter>1</table><pre>x</pre>",
    "<p>Tea <img src=/texture.png?x&amp;y alt=x><img class='text-center mathx' src=/math.png alt=y> is green",
    "<!-- " + "x" * 20_000 + " --><p>Tea",
)
FURTHER = (
    "<p>Press <button>Save</button> now.",
    "<p>She said <q>no</q>.",
    "<pre><b> </b>x = 1</pre>",
    "<pre><b class='a\u3000lineno'>1</b> x = 1</pre>",
    "<pre><span class=line>x = 1</span><span class=line>y = 2</span></pre>",
    "<pre><b data-line-number=1>1</b>x</pre>",
    "<table><tr><td class='a gutter'>1<td><table><tr><td><pre>x</pre></table></table>",
    "<p>Let <math><mi>x</mi></math> be even.",
    "<p class=katex>x",
    "<p>Let <img src='https://example.org/latex.php?latex=x&amp;y' alt=x> be",
    "<p>Let <img src=/text.png class='a\u3000latex b' alt=x> be",
    "<p>Let <img class=mwe-math-fallback-image-inline alt=x> be<img src=/texture.png>",
    "<p>te&#1;a",
    "<p title='te&#1;a'>tea",
    "<main><template id='B:0'></template></main><div hidden id='S:0'><p>Tea</div>",
    "<div role=table><div role=row><div role=cell>a</div><div role=cell>b</div></div></div>",
    "<div role=' Row'>Tea</div>",
    "<div role='row\u3000'>Tea</div>",
    "<div role=GridCell>Tea</div>",
)
OTHER = (
    b"Tea & biscuits",
    b"",
    b"<",
    b"< p>1 < 2",
    b"\xef\xbb\xbf<p>Tea",
    b"\xff\xfe<\x00p\x00>\x00",
    b"<p>caf\xe9",
    b"<p>te\x00a",
    b"<p>te\x01a",
    "<p>te\ufffea".encode(),
    b"<meta charset=latin1><p>tea",
    b"<meta charset=klingon><meta charset=utf-8><p>tea",
    b"<meta http-equiv=content-type content='text/html; charset=latin1'><p>tea",
    b"<meta http-equiv=content-type content='charset charset=latin1'><p>tea",
    b"<meta http-equiv=content-type content='charset=\"utf-8\"'><p>tea",
    b"<?xml version='1.0' encoding='latin1'?><p>tea",
    b" " * 64 + b"<p>tea",
)


def read_ordinary(source: bytes, charset: str | None, limits: Limits, *, is_decoded: bool) -> Ordinary | None:
    """The page that one call reads; `None` if it is not ordinary."""
    return ordinary(begin_utf8(source, limits) if is_decoded else begin(source, charset, limits), limits)


def assert_reads_alike(source: bytes) -> None:
    """One call, if it answers, and the steps agree; so does the page."""
    read = read_ordinary(source, None, DEFAULT_LIMITS, is_decoded=False)
    utf8, encoding, warnings, has_forbidden = _decoded(source, None)
    utf8 = _markup(utf8, None)
    nodes = _as_shown(parse(utf8), None if has_forbidden else utf8)
    page = read_page(source)
    assert page.encoding == encoding
    if read:
        assert (utf8, encoding, warnings, has_forbidden) == (source, "utf-8", (), False)
        assert read[0] == parse(utf8)
        if read[1] is not None:
            assert read[0] == nodes
            assert read[1] == segment(nodes)
            assert not has_places(nodes)
    if page.text_source == "markup" and not has_places(nodes):
        assert (page.nodes, page.blocks) == (nodes, segment(nodes))


@pytest.mark.parametrize("html", ORDINARY)
def test_an_ordinary_page_is_read_in_one_call(html: str) -> None:
    read = read_ordinary(html.encode(), None, DEFAULT_LIMITS, is_decoded=False)
    assert read
    assert read[1] is not None
    assert_reads_alike(html.encode())


@pytest.mark.parametrize("html", FURTHER)
def test_a_page_that_needs_a_further_step_has_no_blocks_yet(html: str) -> None:
    read = read_ordinary(html.encode(), None, DEFAULT_LIMITS, is_decoded=False)
    assert read
    assert read[1] is None
    assert_reads_alike(html.encode())


@pytest.mark.parametrize("source", OTHER)
def test_any_other_source_is_left_to_the_steps(source: bytes) -> None:
    assert read_ordinary(source, None, DEFAULT_LIMITS, is_decoded=False) is None
    assert_reads_alike(source)


def test_a_declaration_does_not_matter_for_text() -> None:
    source = b"<meta charset=latin1><p>tea"
    assert read_ordinary(source, None, DEFAULT_LIMITS, is_decoded=True)
    assert read_page(source.decode()).encoding is None


@pytest.mark.parametrize("charset", ["utf-8", "text/html; charset=UTF-8", "text/html", ""])
def test_a_charset_that_names_no_other_encoding_is_ordinary(charset: str) -> None:
    assert read_ordinary(b"<p>tea", charset, DEFAULT_LIMITS, is_decoded=False)


@pytest.mark.parametrize("charset", ["latin1", "text/html; charset=euc-kr", "klingon"])
def test_a_charset_of_another_encoding_is_left_to_the_steps(charset: str) -> None:
    assert read_ordinary(b"<p>tea", charset, DEFAULT_LIMITS, is_decoded=False) is None


@pytest.mark.parametrize("limits", [Limits(nodes=10), Limits(blocks=10), Limits(bytes=10), Limits(seconds=0)])
def test_the_limits_hold(limits: Limits) -> None:
    with pytest.raises(LimitExceeded):
        read_page(b"<p>tea" * 10_000, limits=limits)


def test_what_is_no_page_is_refused() -> None:
    for source in (b"%PDF-1.7", b'{"tea": 1}', '{"tea": 1}'):
        with pytest.raises(NotAPage):
            read_page(source)


@pytest.mark.parametrize("rule", CASES)
def test_cases_of_tree_construction_are_read_alike(rule: str) -> None:
    for html in CASES[rule]:
        assert_reads_alike(html.encode())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(tag_soup(), st.lists(st.sampled_from(ORDINARY + FURTHER), max_size=3))
def test_tag_soup_is_read_alike(html: str, pieces: list[str]) -> None:
    assert_reads_alike("".join((*pieces, html)).encode("utf-8", "replace"))


def test_real_pages_are_read_alike() -> None:
    for page in islice(pages("wcxb_dev"), 0, 200, 10):
        assert_reads_alike(page["html"].encode())
