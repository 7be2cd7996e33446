from collections.abc import Iterator
from contextlib import nullcontext
from random import Random

import pytest

from bonmun.core import core
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.nodes import Nodes
from bonmun.model.tags import CONTROL, HIDDEN, LINK, TEXT, UNRENDERED
from bonmun.read.parse import parse
from tests.without_core import without_core


@pytest.fixture(params=["compiled", "reference"], autouse=True)
def reader(request: pytest.FixtureRequest) -> Iterator[str]:
    """Every test here runs with both readers."""
    if request.param == "compiled" and core() is None:
        pytest.skip("the compiled reader is not built")
    with without_core() if request.param == "reference" else nullcontext():
        yield str(request.param)


def names(nodes: Nodes) -> list[str]:
    return [nodes.name(row) for row in range(len(nodes))]


def row_of_text(nodes: Nodes, text: str) -> int:
    return next(row for row in range(len(nodes)) if nodes.text(row).strip() == text)


def test_the_columns_of_a_small_page_are_as_documented() -> None:
    nodes = parse('<p class="a">one <b>two</b></p>')
    assert names(nodes) == ["html", "head", "body", "p", "#text", "b", "#text"]
    assert list(nodes.parent) == [-1, 0, 0, 2, 3, 3, 5]
    assert list(nodes.depth) == [0, 1, 1, 2, 3, 3, 4]
    assert list(nodes.end) == [7, 2, 7, 7, 5, 7, 7]
    assert list(nodes.chars) == [0, 0, 0, 0, 3, 0, 3]
    assert nodes.text(4) == "one "
    assert nodes.attrs(3) == {"class": "a"}
    assert list(nodes.children(3)) == [4, 5]


@pytest.mark.parametrize("length", [1, 7, 30, 31, 32, 33, 70])
@pytest.mark.parametrize("gap", [*map(chr, range(1, 32)), " ", "  ", "\x7f", "\x85", "é", "\u2003", "\u200b", "&amp;"])
def test_characters_are_counted_with_white_space_collapsed(gap: str, length: int) -> None:
    for at in {0, length // 2, length - 1, length}:
        text = f"{'ab c' * 20}"[:at] + gap + f"{'d ef' * 20}"[: length - at]
        nodes = parse(f"<p>{text}</p><style>{text}</style>" + "<p>behind</p>" * 9)
        first, hidden = nodes.rows_of("#text")[:2]
        assert nodes.chars[first] == len(" ".join(nodes.text(first).split()))
        assert nodes.chars[hidden] == 0


def test_characters_of_any_script_are_counted_at_any_place() -> None:
    random = Random(1)
    alphabet = "a b\x1c\n\x85\xa0é\u1680\u2009\u200b\u2014\u2028\u202f\u205f\u3000かЖ台\ufeff\xad😀"
    for _ in range(2000):
        text = "x" + "".join(random.choices(alphabet, k=random.randint(1, 60)))
        page = parse(f"<p>{text}</p>" + "<p>behind</p>" * 9)
        assert page.chars[page.rows_of("#text")[0]] == len(" ".join(text.split())), repr(text)


def test_columns_cannot_be_written() -> None:
    nodes = parse("<p>x")
    with pytest.raises(TypeError):
        nodes.parent[0] = 3


@pytest.mark.parametrize("html", ["", " \n ", "<!-- only a comment -->", "<!doctype html>"])
def test_empty_input_is_a_page_without_text(html: str) -> None:
    nodes = parse(html)
    assert names(nodes)[0] == "html"
    assert not any(nodes.chars)


def test_a_fragment_gets_the_elements_that_html_implies() -> None:
    nodes = parse("<tr><td>1</td></tr><li>2")
    assert "body" in names(nodes)
    assert nodes.tag_path(row_of_text(nodes, "2")) == "html/body/li"


def test_an_attribute_without_a_value_is_empty() -> None:
    nodes = parse("<input disabled><p id=x>")
    assert nodes.attr(3, "disabled") == ""
    assert nodes.attr(3, "id") is None
    assert nodes.attr(3, "never-used") is None


def test_a_frameset_has_no_body_and_no_rendered_text() -> None:
    nodes = parse("<frameset><frame src=a.html></frameset><noframes>no frames</noframes>")
    assert "body" not in names(nodes)
    assert all(nodes.flags[row] & UNRENDERED for row in range(len(nodes)) if nodes.chars[row])


def test_an_xml_prologue_is_ignored() -> None:
    nodes = parse(
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="x"><body><p>text</p></body></html>'
    )
    assert nodes.tag_path(row_of_text(nodes, "text")) == "html/body/p"


def test_a_template_shows_nothing_and_noscript_is_flagged() -> None:
    nodes = parse("<body><template><p>never</p></template><noscript><p>fallback</p></noscript><p>seen</p>")
    texts = [nodes.text(row) for row in range(len(nodes)) if nodes.tag[row] == TEXT]
    assert texts == ["fallback", "seen"]
    assert nodes.flags[row_of_text(nodes, "fallback")] & UNRENDERED
    assert not nodes.flags[row_of_text(nodes, "seen")] & UNRENDERED


def test_a_shadow_root_is_read_because_browsers_show_it() -> None:
    nodes = parse("<my-card><template shadowrootmode=open><p>in the shadow</p></template></my-card><p>after</p>")
    row = row_of_text(nodes, "in the shadow")
    assert not nodes.flags[row] & UNRENDERED
    assert nodes.tag_path(row) == "html/body/my-card/template/p"
    assert nodes.tag_path(row_of_text(nodes, "after")) == "html/body/p"


def test_comments_have_no_row_but_separate_two_text_nodes() -> None:
    nodes = parse("<p>one<!-- x -->two")
    assert names(nodes)[-2:] == ["#text", "#text"]
    assert nodes.xpath(len(nodes) - 1).endswith("p[1]/text()[2]")


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>x</p>",
        '<div style="color:red; DISPLAY : none"><p>x</p></div>',
        '<p style="visibility:hidden">x</p>',
        "<dialog><p>x</p></dialog>",
    ],
)
def test_hidden_text_is_flagged(html: str) -> None:
    nodes = parse(html)
    assert nodes.flags[row_of_text(nodes, "x")] & HIDDEN


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden=until-found>x</p>",
        "<dialog open><p>x</p></dialog>",
        '<body style="display:none"><p>x</p>',
        '<p style="--display:none">x</p>',
        "<details><p>x</p></details>",
    ],
)
def test_text_that_a_reader_can_reach_is_not_hidden(html: str) -> None:
    nodes = parse(html)
    assert not nodes.flags[row_of_text(nodes, "x")] & HIDDEN


def test_the_contents_of_links_and_controls_are_flagged() -> None:
    nodes = parse("<a href=#><b>l</b></a><a name=x>n</a><button><i>b</i></button><select><option>o</select>")
    flags = {text: nodes.flags[row_of_text(nodes, text)] & (LINK | CONTROL) for text in "lnbo"}
    assert flags == {"l": LINK, "n": 0, "b": CONTROL, "o": CONTROL}


def test_too_many_nodes_are_refused() -> None:
    with pytest.raises(LimitExceeded) as refused:
        parse("<p>x" * 100, Limits(nodes=50))
    assert refused.value.limit == "nodes"


def test_too_much_time_is_refused() -> None:
    with pytest.raises(LimitExceeded) as refused:
        parse("<p>x" * 10_000, Limits(seconds=0))
    assert refused.value.limit == "seconds"


def test_lone_surrogates_and_nuls_do_not_break_reading() -> None:
    nodes = parse("<p title='\ud800'>a\ud800b\x00c")
    assert nodes.text(len(nodes) - 1) == "a?bc"


def test_text_far_beyond_the_depth_limit_is_kept_by_the_compiled_reader(reader: str) -> None:
    html = "<p>top</p>" + "<div>" * 100_000 + "deep"
    if reader == "reference":
        with pytest.raises(LimitExceeded, match="depth"):
            parse(html)
        return
    nodes = parse(html)
    assert max(nodes.depth) == Limits().depth + 1
    assert nodes.text(len(nodes) - 1) == "deep"
    assert "99,4" in nodes.warnings[0]


def test_attributes_beyond_the_limit_are_dropped_or_refused(reader: str) -> None:
    html = "<p " + " ".join(f"a{n}=1" for n in range(1000)) + ">text"
    if reader == "reference":
        with pytest.raises(LimitExceeded, match="attributes"):
            parse(html)
        return
    nodes = parse(html)
    assert len(nodes.attrs(3)) == Limits().attributes
    assert nodes.text(4) == "text"
    assert nodes.warnings == ("744 attributes beyond 256 on a tag were left out",)


def test_script_and_style_have_no_characters_but_keep_their_text() -> None:
    nodes = parse("<script>var a = 1</script><style>p { }</style><p>x")
    assert sum(nodes.chars) == 1
    assert [nodes.text(row) for row in range(len(nodes)) if nodes.tag[row] == TEXT] == ["var a = 1", "p { }", "x"]
