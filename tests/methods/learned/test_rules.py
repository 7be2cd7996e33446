"""What overrules the scores: each rule on a page where the shipped model's scores say otherwise."""

import pytest

import bonmun
from bonmun.features.matrix import feature_matrix
from bonmun.methods.learned.model import shipped
from bonmun.methods.learned.rules import intruders
from bonmun.model.document import Block
from bonmun.read.page import read_page
from tests.methods.learned.test_method import _STORY, PAGE


def overruled(html: str, name: str) -> list[Block]:
    return [block for block in bonmun.extract(html).all_blocks if block.reasons[0].name == name]


@pytest.mark.parametrize(
    "notice",
    [
        "The views expressed here are those of the author, who lives on the island and has sailed on it for years.",
        "This report may not be published, broadcast or rewritten without permission of those who told it to us.",
    ],
)
def test_a_closing_notice_that_reads_like_the_text_is_dropped(notice: str) -> None:
    (block,) = overruled(PAGE.replace("</article>", f"<p>{notice}</p></article>"), "closing-notice")
    assert (block.text, block.keep) == (notice, False)


def test_the_title_a_text_had_elsewhere_is_dropped() -> None:
    line = "（原标题：渡轮在风暴中返航，乘客抱怨不断，公司承诺退还所有船票的费用）"
    (block,) = overruled(PAGE.replace("</h1>", f"</h1><p>{line}</p>"), "title")
    assert (block.text, block.keep) == (line, False)


def test_a_long_copy_that_reads_like_the_text_is_dropped() -> None:
    lines = [f"{line} It was told of the {n}th voyage of that year." for n in range(3) for line in _STORY]
    story = "".join(f"<p>{line}</p>" for line in lines)
    copies = overruled(PAGE.replace("</h1>", f"</h1>{story}{story}"), "copy")
    assert copies
    assert all(block.text in lines and not block.keep for block in copies)


def test_what_is_missing_in_the_middle_of_the_text_is_put_back() -> None:
    code, picture = overruled(PAGE.replace("<img src=/ferry.jpg", "<pre>x</pre><img src=/ferry.jpg"), "inside")
    assert (code.text, code.keep) == ("x", True)
    assert picture.kind == "image"


@pytest.mark.parametrize(("paragraphs", "dropped"), [(5, 2), (0, 0)])
def test_comments_are_dropped_where_a_text_is_left_without_them(paragraphs: int, dropped: int) -> None:
    story = "".join(f"<p>{line}</p>" for line in _STORY)
    comments = "".join(f"<p>{line} So it was, and I have seen it.</p>" for line in _STORY[:2])
    page = read_page(f"<article>{story}</article><div class=comments>{comments}</div>")
    keep = [int(at >= len(_STORY) or at < paragraphs) for at in range(len(page.blocks))]
    matrix = feature_matrix(page, shipped().weights)
    assert len(intruders(page, keep, matrix, article=True)) == dropped
    assert not intruders(page, keep, matrix, article=False)
