from array import array
from time import process_time

import pytest

import bonmun
from bonmun.methods.learned.posts import posts
from bonmun.methods.learned.rules import REPEATED, around_posts


def thread(
    *texts: str, post: str = "<div class=postbody><h3>Re: Tea</h3><div class=content>{}</div></div>"
) -> bonmun.Page:
    written = "".join(f"<p>user{number}</p>" + post.format(text) for number, text in enumerate(texts))
    return bonmun.read_page(f"<p>Board index</p>{written}<p>Jump to")


def inside(page: bonmun.Page) -> list[str]:
    found = posts(page)
    return [page.blocks.text_at(index) for index, is_inside in enumerate(found.inside) if is_inside] if found else []


@pytest.mark.parametrize(
    "post",
    [
        "<div class=postbody><h3>Re: Tea</h3><div class=content>{}</div></div>",
        "<table><tr><td>Bob<td><span class=postbody>{}</span></table>",
        "<div id=post_message_71>{}</div>",
        "<table><tr><td id=postmessage_8>{}</table>",
        "<div id=msg_1>{}</div>",
        "<div id=pid_99>{}</div>",
        "<div id=t1_o8abc-comment-rtjson-content>{}</div>",
        "<article class='message-body js-selectToQuote'><div class=bbWrapper>{}</div></article>",
        "<div class='messageText ugc'>{}</div>",
        "<div class='regular contents'><div class=cooked>{}</div></div>",
        "<div itemprop=comment class='topic-body crawler-post'><a>Bob</a><div class=post>{}</div></div>",
        "<article class='CommentPost Post'><ul><li>Bob</ul><div class=Post-body>{}</div></article>",
        "<div id=phorum><div class=message-body>{}</div></div>",
        "<li class=post><div class=post-container><div class='content text-break'>{}</div></div>",
        "<div class='Message userContent'>{}</div>",
        "<div class='s-prose js-post-body'>{}</div>",
        "<table><tr><td class=votecell>3<td class=answercell><div class=post-text>{}</div></table>",
        "<div class='postright'><h3>Bob</h3><div class=postmsg>{}</div></div>",
    ],
)
def test_the_text_of_a_post_is_told_by_the_names_of_its_software(post: str) -> None:
    assert inside(thread("Green tea?", "Black tea.", post=post)) == ["Green tea?", "Black tea."]


@pytest.mark.parametrize(
    "other",
    [
        "<div class=content>{}</div>",
        "<div class=postbody>{}</div>",
        "<div class=message-body>{}</div>",
        "<div class=Post-body>{}</div>",
        "<div class=post-text>{}</div>",
        "<div id=post_message_>{}</div>",
        "<div id=msg_1a>{}</div>",
        "<div class=precooked>{}</div>",
        "<div class=document_2>{}</div>",
    ],
)
def test_similar_names_are_no_posts(other: str) -> None:
    assert posts(thread("Green tea?", post=other)) is None


def test_signatures_and_hidden_text_are_no_part_of_a_post() -> None:
    signed = "{}<div class='bbp-signature'>Keep calm.</div><p hidden>Edited</p>"
    assert inside(thread("Green tea?", post=f"<div class=cooked>{signed}</div>")) == ["Green tea?"]
    own = "<div class=bbWrapper>{}</div><aside class=message-signature><div class=bbWrapper>Keep calm.</div></aside>"
    assert inside(thread("Green tea?", post=own)) == ["Green tea?"]


def test_a_board_has_one_post_and_comments_that_are_none() -> None:
    post = "<div class='document_12_34 xe_content'>{}</div><div class='comment_56_34 xe_content'>First!</div>"
    found = posts(thread("녹차", post=post))
    assert found and found.board and sum(found.inside) == 1
    other = posts(thread("녹차"))
    assert other and not other.board


def test_quotations_of_posts_on_the_page_are_told_from_others() -> None:
    first = "Green tea is what I drink in the morning, and nothing else before noon."
    quote = "<blockquote><p>Ann wrote:</p><p>{}</p></blockquote>"
    page = thread(
        first, quote.format(first) + "So do I.", quote.format("Coffee is what I drink in the morning.") + "No."
    )
    found = posts(page)
    assert found
    assert [[page.blocks.text_at(index) for index in blocks] for blocks in found.repeated] == [["Ann wrote:", first]]
    assert "So do I." in inside(page)


def decided(page: bonmun.Page, kept: str, kind: str = "forum", score: float = 0.1) -> tuple[list[str], list[str]]:
    """The texts that are kept and dropped because of posts, of a choice of the blocks with some words."""
    texts = page.blocks.text
    keep = bytearray(any(word in text for word in kept.split()) for text in texts)
    own, outside = around_posts(page, keep, array("d", [score] * len(texts)), kind)
    return [texts[index] for index in own], [texts[index] for index in outside]


def test_posts_are_kept_whole_and_what_is_around_them_is_dropped() -> None:
    page = thread("Green tea?", "Black tea.", "No.")
    assert decided(page, "Green Board user1") == (["Black tea.", "No."], ["Board index", "user1"])


def test_quotations_of_posts_on_the_page_need_a_score() -> None:
    first = "Green tea is what I drink in the morning, and nothing else before noon."
    page = thread(first, f"<blockquote>{first}</blockquote><p>So do I.")
    assert decided(page, "user0", score=REPEATED - 0.01) == ([first, "So do I."], ["user0"])
    assert decided(page, "user0", score=REPEATED) == ([first, first, "So do I."], ["user0"])


def test_comments_of_an_article_are_no_thread() -> None:
    page = bonmun.read_page("<p>A long article on tea." + "<div class=cooked>Nice!</div>" * 3)
    assert decided(page, "article", "article") == ([], [])
    assert decided(page, "article Nice!") == ([], ["A long article on tea."])


def test_all_but_the_post_of_a_board_is_dropped() -> None:
    page = bonmun.read_page("<div class=document_1_2>녹차</div><p>A comment that is much longer than the post.")
    assert decided(page, "comment", "listing") == (["녹차"], ["A comment that is much longer than the post."])


@pytest.mark.parametrize("name", ["postbody", "crawler-post", "cooked", "message-body", "post-body", "quote"])
def test_posts_in_posts_take_linear_time(name: str) -> None:
    nested = "<div class='cooked'>" + f"<div class='{name}'><p>tea</p>" * 400 + "</div>" * 401

    def seconds(count: int) -> float:
        page = bonmun.read_page(nested * count)
        started = process_time()
        posts(page)
        return process_time() - started

    seconds(1)
    assert seconds(20) < 40 * max(seconds(2), 0.005)
