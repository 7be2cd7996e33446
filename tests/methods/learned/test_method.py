"""The learned method on pages of our own: what a user sees of it."""

import re

import pytest

import bonmun
from bonmun.errors import UnknownName
from bonmun.methods.learned import Learned
from bonmun.methods.learned.rules import gaps
from bonmun.methods.trimming import repeated_runs
from bonmun.model.page import Page
from bonmun.model.verdict import Reason
from bonmun.read.page import read_page

_STORY = [
    "The ferry left the harbour before dawn, and the town was still asleep when the first passengers came aboard.",
    "Nobody had expected the storm, since the forecast had promised a calm sea and light winds from the east.",
    "By noon the captain decided to turn back, although the island was already in sight, and many complained.",
    "The company said later that the safety of its guests came first, and that all tickets would be refunded.",
    "Two of the crew were treated for bruises. The ferry is to sail again on Monday, weather permitting.",
]
_MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in "Home News Sports Culture Weather Contact".split())
_RELATED = "".join(f'<li><a href="/{n}">Another story that you may like, part {n}</a></li>' for n in range(6))
_COMMENTS = "".join(
    f"<li class=comment><b>reader{n}</b><p>I was on that ferry, and it was not as bad as they say, number {n}.</p></li>"
    for n in range(5)
)
PAGE = f"""<!doctype html><html lang=en><title>Ferry turns back - The Harbour Times</title><body>
<nav class=menu><ul>{_MENU}</ul></nav>
<main><article class=story><h1>Ferry turns back</h1>
{"".join(f"<p>{line}</p>" for line in _STORY[:3])}
<img src=/ferry.jpg width=800 height=600 alt="The ferry">
{"".join(f"<p>{line}</p>" for line in _STORY[3:])}
</article></main>
<aside class=related><h3>Related</h3><ul>{_RELATED}</ul></aside>
<section id=comments class=comments><h3>Comments</h3><ol>{_COMMENTS}</ol></section>
<footer class=footer><p>© 2026 The Harbour Times. All rights reserved.</p></footer>"""


def copies(page: Page) -> dict[int, Reason]:
    return repeated_runs(page, range(len(page.blocks)))


@pytest.fixture(scope="module")
def doc():
    return bonmun.extract(PAGE)


def test_the_article_is_kept_and_the_rest_is_not(doc):
    assert all(line in doc.text for line in _STORY)
    assert not any(word in doc.text for word in ("Sports", "may like", "All rights reserved", "on that ferry"))


def test_every_block_has_a_probability_and_reasons_a_person_can_check(doc):
    assert all(0 <= block.score <= 1 for block in doc.all_blocks)
    menu = next(block for block in doc.all_blocks if block.text == "Sports")
    body = next(block for block in doc.blocks if block.text == _STORY[1])
    assert menu.score < 0.2 < 0.8 < body.score
    assert {reason.name for reason in menu.reasons} == {"boilerplate-like"}
    assert {reason.name for reason in body.reasons} == {"content-like"}
    assert all(reason.detail for reason in menu.reasons + body.reasons)


def test_the_page_is_trusted_and_typed(doc):
    assert doc.confidence > 0.7
    assert doc.page_type == "article"
    figures = doc.analysis.to_dict()
    assert 0.5 < figures["page_type_probability"] <= 1
    assert figures["figures"]["page_h1"] == pytest.approx(1.0)


def test_comments_stand_apart_from_the_article(doc):
    assert sum("on that ferry" in block.text for block in doc.comment_blocks) == 5
    assert not any(block.keep for block in doc.comment_blocks)


_AT_LENGTH = "".join(
    f"<div><b>~reader{n}</b><p>I have lived here for thirty years, and storm number {n} was by far the worst. Nobody"
    " came to help us, and the town hall did not answer for two days.</p></div>"
    for n in range(4)
)


@pytest.mark.parametrize(("name", "kept"), [("komentarze", 0), ("user-comments", 0), ("story-more", 4)])
def test_comments_that_read_like_the_article_are_told_by_their_name(name: str, kept: int) -> None:
    doc = bonmun.extract(PAGE.replace("</article>", f"<div class={name}>{_AT_LENGTH}</div></article>"))
    told = [block for block in doc.all_blocks if "thirty years" in block.text]
    assert sum(block.keep for block in told) == kept
    assert all(block.keep or block.reasons[0].name == "comments" for block in told)


def test_a_page_that_is_all_comments_by_its_names_is_read_all_the_same() -> None:
    doc = bonmun.extract(PAGE.replace("class=story", "class=comments"))
    assert all(line in doc.text for line in _STORY)


def test_a_text_that_is_there_for_two_kinds_of_screens_is_read_once() -> None:
    lines = [f"{line} It was told of the {n}th voyage of that year." for n in range(3) for line in _STORY]
    story = "".join(f"<p>{line}</p>" for line in lines)
    doc = bonmun.extract(f"<title>Ferry</title><main><h1>Ferry</h1>{story}<p>May 2024</p>{story}</main>")
    assert [doc.text.count(line) for line in lines] == [1] * len(lines)
    again = [block for block in doc.all_blocks if block.text == lines[3]][1]
    assert again.reasons[0].name in ("copy", "boilerplate-like")


def test_a_refrain_is_no_copy_of_the_text() -> None:
    refrain = "And the ferry, the old white ferry, went on without them, as it had done every morning of that year."
    page = read_page("".join(f"<p>{line}</p><p>{refrain}</p>" for line in _STORY * 3))
    assert copies(page).keys() == set(range(9, 30)), "the story itself is told three times"
    assert not copies(read_page("".join(f"<p>{line}</p><p>{refrain}</p>" for line in _STORY)))


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("<pre>x = 1</pre>", "x = 1"),
        ("<table><tr><th>Boat</th><th>Seats</th></tr><tr><td>Anna</td><td>120</td></tr></table>", "120"),
        ("<h4>1 2 3</h4>", "1 2 3"),
    ],
)
def test_there_are_no_holes_in_a_text(part: str, text: str) -> None:
    doc = bonmun.extract(PAGE.replace("<img src=/ferry.jpg", f"{part}<img src=/ferry.jpg"))
    (block,) = (block for block in doc.all_blocks if block.text == text)
    assert block.keep
    apart = bonmun.extract(PAGE.replace("</nav>", f"{part}</nav>"))
    assert not any(block.keep for block in apart.all_blocks if block.text == text)


def test_a_hole_is_between_two_kept_texts_and_nothing_that_was_decided() -> None:
    page = read_page("<p>One</p><h2>Two</h2><p>Three</p><h2>Four</h2><p>Five</p><h2 hidden>Six</h2><p>Seven</p>")
    assert gaps(page, bytearray([1, 0, 1, 0, 0, 0, 1]), ()) == [1]
    assert gaps(page, bytearray([1, 0, 1, 0, 1, 0, 1]), {1}) == [3]


def test_formulas_in_the_middle_of_a_text_are_kept() -> None:
    formula = "<div><math><mi>x</mi></math></div>"
    page = read_page(f"<p>One</p>{formula}{formula}<p>Two</p>{formula}<p>Three</p>")
    assert gaps(page, bytearray([1, 0, 0, 1, 0, 0]), ()) == [1, 2]


def test_a_hidden_comment_is_none():
    doc = bonmun.extract(PAGE.replace("<li class=comment>", "<li class=comment hidden>", 1))
    assert sum("on that ferry" in block.text for block in doc.comment_blocks) == 4


def test_what_is_kept_is_no_comment():
    doc = bonmun.extract(PAGE, method=Learned(beta=30.0))
    assert any("on that ferry" in block.text for block in doc.blocks)
    assert not any(block.keep for block in doc.comment_blocks)


def test_a_picture_inside_the_text_is_kept_with_it(doc):
    assert "ferry.jpg" in doc.markdown


def test_a_picture_is_kept_whatever_its_caption():
    image = '<img src=/ferry.jpg width=800 height=600 alt="The ferry">'
    doc = bonmun.extract(PAGE.replace(image, f"<figure>{image}<figcaption>Photo: AP</figcaption></figure>"))
    assert not any(block.text == "Photo: AP" for block in doc.blocks)
    assert "ferry.jpg" in doc.markdown


def test_a_picture_at_the_edge_of_the_text_is_not_kept():
    doc = bonmun.extract(PAGE.replace("<aside", "<img src=/banner.jpg width=800 height=90><aside"))
    assert "ferry.jpg" in doc.markdown
    assert "banner.jpg" not in doc.markdown


def test_where_blocks_are_in_doubt_preferring_precision_keeps_less_than_preferring_recall():
    nameless = re.sub(r" (?:class|id)=\w+", "", PAGE).replace("section", "div").replace("aside", "div")
    doubtful = [block for block in bonmun.extract(nameless).all_blocks if 0.25 < block.score < 0.75]
    assert len(doubtful) > 5
    kept = [bonmun.extract(nameless, prefer=how).blocks for how in ("precision", "balance", "recall")]
    few, some, many = ({block.index for block in blocks} for blocks in kept)
    assert few <= some <= many
    assert len(few) < len(many)
    with pytest.raises(UnknownName, match="precision, recall"):
        bonmun.extract(PAGE, prefer="everything")


def test_it_abstains_where_more_trust_is_asked_for_than_it_has():
    doc = bonmun.extract(PAGE, abstain_below=0.9999)
    assert doc.status == "abstained"
    assert doc.text == ""
    assert any(reason.name == "abstained" for reason in doc.reasons)
    assert max(block.score for block in doc.all_blocks) > 0.8, "the scores are there to look at"
    assert bonmun.extract(PAGE, abstain_below=0.3).status == "ok"


def test_a_page_of_menus_has_nothing_to_read():
    menus = "".join(f"<nav class=menu><ul>{_MENU.replace('</a>', f' {n}</a>')}</ul></nav>" for n in range(8))
    doc = bonmun.extract(f"<title>Sections</title>{menus}<footer>© 2026</footer>")
    assert doc.status == "empty"
    assert doc.reasons


def test_a_snippet_is_taken_as_it_is():
    doc = bonmun.extract("<p>Just a line</p><p><a href=/>Home</a></p><p hidden>A line nobody sees</p>")
    assert doc.text == "Just a line"
    assert [reason.name for reason in doc.blocks[0].reasons] == ["snippet"]
    assert bonmun.extract("").status == "empty"


def test_names_alone_do_not_kill_an_article():
    renamed = PAGE.replace("class=story", 'class="comment footer related" id=sidebar')
    assert all(line in bonmun.extract(renamed).text for line in _STORY)
