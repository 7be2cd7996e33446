"""Compiled inline Markdown is that of its Python twin, or left to it."""

from itertools import islice
from random import Random
from unicodedata import category

import pytest
from hypothesis import given, settings

from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.write.markdown_inline import inline
from bonmun.write.markdown_line import compiled_line, line_of
from tests.corpora import pages
from tests.write.documents import document, markup

_TAGS = "b i em strong cite s del mark span u small code kbd sup sub".split()
_TEXTS = (
    *"a b x1 Tea word wo-rd * ** _ __ ___ a_b _a ~ ~~ \\ \\a \\* ` `` < <b <1 > [ ] [^ ]( ! #".split(),
    *"& &amp;amp; &amp;#35; &amp;x1;".split(),
    *"http://a.b http://a_b_ é à 한국 語 。 “ ” — № 😀 ½ ( ) . , ; : | = + - 1 $ $x$".split(),
    *(" ", "  ", "\n", "&nbsp;", "&shy;", "\ufeff", "\u3000", " a ", " b", "c "),
)

_ADDRESSES = ("/a", "/b", "https://example.org/a", "/c_(d)", "x y", "", "javascript:a", " JavaScript:b", "data:c")


def marked_up(random: Random, depth: int = 0) -> str:
    """Text with nested, mostly closed emphasis."""
    parts: list[str] = []
    for _ in range(random.randint(1, 6)):
        chance = random.random()
        if chance < 0.55:
            parts.append(random.choice(_TEXTS).replace("<", "&lt;"))
        elif chance < 0.7 and "<a " not in "".join(parts):
            href = random.choice(_ADDRESSES)
            parts.append(f"<a href='{href}'>{marked_up(random, depth + 1)}</a>")
        elif chance < 0.75:
            parts.append(random.choice(("<br>", "<wbr>", "<i></i>", "<b hidden>x</b>")))
        elif depth < 5:
            tag = random.choice(_TAGS)
            parts.append(f"<{tag}>{marked_up(random, depth + 1)}" + f"</{tag}>" * (random.random() < 0.95))
    return "".join(parts)


def compared(doc: Document) -> int:
    """Compare all lines of a document; return how many the core wrote."""
    written = 0
    for block in doc.all_blocks:
        for extra, tildes in ((None, 0), ("strong", 1), ("em", 2)):
            line = compiled_line(block, extra, tildes) if block.kind is not Kind.CODE else None
            if line is not None:
                assert line == inline(block.runs, extra, tildes=tildes)
                assert line_of(block, extra, True, tildes) == inline(block.runs, extra, True, tildes)
                written += 1
    return written


def test_the_twins_agree_on_emphasis() -> None:
    random = Random(14)
    tags = ["p", "h2", "td", "li"]
    html = [f"<{(tag := random.choice(tags))}>{marked_up(random)}</{tag}>" for _ in range(3000)]
    assert compared(document("".join(html[:1500]))) > 2000
    for alone in html[1500:]:
        compared(document(alone))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(markup)
def test_the_twins_agree_on_markup(html: str) -> None:
    compared(document(html))


def test_the_twins_agree_on_characters_next_to_emphasis() -> None:
    codes = [*range(0x20, 0x3100), *range(0x4DF0, 0x4E10), *range(0x9FF0, 0xA010), *range(0xABF0, 0xAC10)]
    codes += [*range(0xD790, 0xD7B0), *range(0xFF00, 0xFF10), 0x1F600]
    html = "".join(
        f"<p>a&#{code};<b>&#{code};x</b>y<i>z&#{code};</i>" for code in codes if category(chr(code))[0] != "C"
    )
    assert compared(document(html)) > 2000


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev", "daniel_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    assert sum(compared(document(page["html"])) for page in islice(pages(corpus), 0, 200, 20)) > 100


def test_blocks_with_more_than_marks_and_links_are_left_to_python() -> None:
    html = "<p>a <a href=data:b>b</a><p>a <img src=x.png><p><code>$a</code><p>x<sup>a+b</sup><p>$a$"
    assert [compiled_line(block) for block in document(html).all_blocks] == [None] * 5


def test_the_twins_agree_on_scripts() -> None:
    random = Random(20)
    scripts = (*"1 2 n i ni + - − = ( ) th st a a+b e 12a x α ® ™ * , [1] 99€".split(), " ", " 2", "3 ")
    texts = (*"x 10 a1 X α km é ) . ² ⁵".split(), " ", "")

    def scripted() -> str:
        tag, before = random.choice(("sup", "sub")), random.choice(texts)
        inside = "".join(random.choice(scripts) for _ in range(random.randint(0, 4)))
        whole = f"{before}<{tag}>{inside}</{tag}>"
        return random.choice((whole, whole, f"<b>{whole}</b>", f"<a href=/a>{whole}</a>", f"{before}<i>{whole}</i>"))

    html = "".join("<p>T " + "".join(scripted() for _ in range(random.randint(1, 3))) for _ in range(3000))
    assert compared(document(html)) > 2000


def test_a_block_below_many_marks_is_written_once() -> None:
    html = "<p>" + "<b>" * 400 + "a<i>b</i>" * 1000
    assert compiled_line(document(html).all_blocks[0]) == "**" + "a*b*" * 999 + "a<em>b</em>" + "**"
