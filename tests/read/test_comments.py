"""Comments as threads: authors, dates, replies, and nothing but the text of each."""

import random
from datetime import datetime
from time import process_time

import pytest

import bonmun
from bonmun.core import core
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.output import Output
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.read.comment_labels import clean_name, date_in, is_label
from bonmun.read.comments import MAX_COMMENTS, read_comments
from bonmun.read.page import read_page
from tests.golden_cases import GOLDEN, document_of
from tests.write.test_json import read as read_json
from tests.write.test_xml import read as read_xml

ALL = Output(comments=True)
Told = tuple[int, str | None, str]


def verdicts_on(page: Page) -> Verdicts:
    """Verdicts by which every visible block is a comment."""
    count = len(page.blocks)
    return Verdicts(
        keep=bytearray(count),
        score=[0.0] * count,
        reasons=[(Reason("test"),)] * count,
        confidence=1.0,
        comments=bytearray(not flags for flags in page.blocks.flags),
    )


def document(html: str) -> Document:
    page = read_page(html)
    return Document(page, verdicts_on(page), "test", Metadata())


def comments(html: str) -> list[Comment]:
    return [comment for top in document(html).comments for comment in top.thread()]


def told(html: str) -> list[Told]:
    return [(comment.depth, comment.author, comment.text) for comment in comments(html)]


TWO = [(0, "Ann", "I was on that ferry."), (0, "Bo", "So did I, and it rained.")]


@pytest.mark.parametrize(
    "markup",
    [
        "<li id=comment-{n}><cite>{who}</cite> <a href=#>5 March 2024</a><p>{text}</p><a href=#>Reply</a></li>",
        "<div itemprop=comment><span itemprop=author>{who}</span><p itemprop=text>{text}</p></div>",
        "<div itemtype=https://schema.org/Comment itemscope><b class=name>{who}</b><div class=text>{text}</div></div>",
        "<article class=comment-item data-comment-id={n}><h4 class=user>{who}</h4><div>{text}</div>"
        "<div class=actions><a>Like 3</a><a>Report</a></div></article>",
        "<div class=row><b>{who}</b> <small>2 days ago</small><div>{text}</div><span>Reply</span></div>",
        "<tr><td><b>{who}</b></td><td>{text}</td><td>24.03.05 13:30</td></tr>",
        "<li><strong>{who}</strong><span>{text}</span><em>2024-03-05 13:30</em></li>",
        "<div class=cmt-item><div class=user-nick>{who}</div><div class=cmt-txt>{text}</div><i>10분 전</i><a>신고</a>"
        "</div>",
        "<div class=comment><p>{text}</p><p class=posted>Posted by: {who} at December 18, 2025 05:48 PM</p></div>",
    ],
)
def test_the_markup_of_many_systems_gives_the_same_comments(markup: str) -> None:
    items = "".join(markup.format(n=n, who=who, text=text) for n, (_, who, text) in enumerate(TWO, 10))
    around = "<table>{}</table>" if markup.startswith("<tr") else "<div>{}</div>"
    assert told(f"<h3>2 Comments</h3>{around.format(items)}<form>Leave a comment</form>") == TWO


THREAD = [(0, "Ann", "One here."), (1, "Bo", "Two here."), (2, "Cy", "Three here."), (0, "Di", "Four here.")]


def one(number: int, attributes: str = "", inside: str = "") -> str:
    _, who, text = THREAD[number]
    return f"<div {attributes}><b class=author>{who}</b><p>{text}</p>{inside}</div>"


def by_class(name: str) -> str:
    return "".join(one(n, f"class='comment {name}-{depth + 1}'") for n, (depth, _, _) in enumerate(THREAD))


@pytest.mark.parametrize(
    "html",
    [
        one(0, "class=comment", one(1, "class=comment", one(2, "class=comment"))) + one(3, "class=comment"),
        by_class("depth"),
        by_class("wpd_comment_level"),
        "".join(one(n, f"class=comment data-depth={depth}") for n, (depth, _, _) in enumerate(THREAD)),
        "".join(one(n, f"class=comment style='margin-left: {20 * depth}px'") for n, (depth, _, _) in enumerate(THREAD)),
        f"<div>{one(0, 'class=comment')}<div>{one(1, 'class=comment')}<div>{one(2, 'class=comment')}</div></div></div>"
        f"<div>{one(3, 'class=comment')}</div>",
    ],
)
def test_replies_are_found_by_nesting_class_attribute_or_indentation(html: str) -> None:
    assert told(html) == THREAD


def test_a_wrapper_around_some_comments_makes_no_replies() -> None:
    html = "".join(f"<div class=row>{one(n, 'class=comment')}</div>" for n in (0, 1))
    html += f"<a><div class=row>{one(2, 'class=comment')}</div></a>"
    assert [depth for depth, _, _ in told(html)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<time datetime=2024-03-05T14:30:00+01:00>yesterday</time>", "2024-03-05T14:30:00+01:00"),
        ("<span class=date>March 5, 2024 at 2:30 pm</span>", "2024-03-05T14:30:00"),
        ("<span class=when title='Tuesday, March 5, 2024 2:30 PM'>2 years ago</span>", "2024-03-05T14:30:00"),
        ("<div class=footer><span class=time>2024.03.05 14:30</span></div>", "2024-03-05T14:30:00"),
        ("<span class=date>5.3.2024</span>", "2024-03-05T00:00:00"),
        ("<span class=date>3 days ago</span>", None),
        ("<span class=date>03/04/2024</span>", None),
    ],
)
def test_dates_are_read_as_far_as_they_are_certain(written: str, expected: str | None) -> None:
    html = f"<div class=comment><b class=author>Ann</b>{written}<p>I was there.</p></div>"
    (comment,) = comments(html)
    assert comment.date == (datetime.fromisoformat(expected) if expected else None)
    assert comment.text == "I was there."


def test_one_certain_date_shows_the_order_of_all() -> None:
    item = "<div class=comment><b class=author>Ann</b><i class=date>{}</i><p>I was there.</p></div>"
    assert [comment.date for comment in comments(item.format("3/4/2021") + item.format("3/16/2021"))] == [
        datetime(2021, 3, 4),
        datetime(2021, 3, 16),
    ]
    korean = item.replace("I was there.", "저도 있었어요.")
    assert comments(korean.format("21.03.04"))[0].date == datetime(2021, 3, 4)


def test_lists_of_recent_comments_on_other_pages_are_no_comments() -> None:
    widget = "".join(f"<li class=comment><b class=author>{who}</b> on The bath</li>" for _, who, _ in TWO)
    assert told(f"<ul class=recent-comments>{widget}</ul>") == []


def test_what_is_named_like_a_comment_but_has_neither_author_nor_date_is_none() -> None:
    form = "<div class=add-comment>Write a comment</div><div class=comment-box>Log in to join the discussion.</div>"
    items = "".join(f"<div class=comment><b class=author>{who}</b><p>{text}</p></div>" for _, who, text in TWO)
    assert told(form + items) == TWO
    assert told(form.replace("add-comment", "x")) == []


def test_an_area_named_like_a_comment_adds_no_text_to_the_first() -> None:
    items = "".join(f"<div class=comment><b class=author>{who}</b><div>{text}</div></div>" for _, who, text in TWO)
    assert told(f"<div class=comment-wrap>{items}<p>Please be kind to each other.</p></div>") == TWO


def test_a_text_named_as_a_comment_inside_one_belongs_to_it() -> None:
    item = "<li class=comment><cite>{}</cite><div class=comment>{}</div></li>"
    assert told("".join(item.format(who, text) for _, who, text in TWO)) == TWO


def test_a_comment_keeps_its_structure_and_follows_the_switches() -> None:
    text = "<p>See <a href=https://example.org/>this</a>:</p><ul><li>one</li><li>two</li></ul>"
    doc = document(f"<ol><li class=comment><b class=author>Ann</b><div class=comment-text>{text}</div></li></ol>")
    assert doc.to_markdown(ALL).endswith("> **Ann**\n>\n> See [this](https://example.org/):\n>\n> - one\n> - two")
    assert "https" not in doc.to_markdown(Output(comments=True, links=False))
    assert doc.comments[0].xpath == "/html/body/ol[1]/li[1]"


@pytest.mark.parametrize("case", sorted((GOLDEN / "comments").iterdir()), ids=lambda case: case.name)
def test_json_and_xml_with_comments_match_their_schemas(case) -> None:
    doc = document_of(case)
    count = sum(1 for top in doc.comments for _ in top.thread())
    assert count > 2
    assert len(read_json(doc.to_json())["comments"]) == len(doc.comments)
    assert len(list(read_xml(doc.to_xml()).iter("{*}comment"))) == count
    assert "comments" not in doc.to_dict(Output())


def test_without_comments_nothing_is_added() -> None:
    doc = bonmun.extract("<p>Tea is made of leaves, and of water that has just boiled.</p>")
    assert (doc.comments, doc.comment_blocks) == ((), ())
    assert doc.to_text(ALL) == doc.text
    assert doc.to_dict(ALL)["comments"] == []


@pytest.mark.parametrize(
    "label", ["Reply", "Like (3)", "답글쓰기", "回复", "返信する", "Antworten", "+1", "Report abuse", "· 12"]
)
def test_labels_of_buttons_are_recognised(label: str) -> None:
    assert is_label(label)


@pytest.mark.parametrize("text", ["I like it", "Reply all is a button", "Thanks", "좋아요 정말", "赞成"])
def test_short_comments_are_no_labels(text: str) -> None:
    assert not is_label(text)


@pytest.mark.parametrize("name", ["Kim Le", "Di Marco", "Op den Berg", "12345", "182.234.204.*", "Ann"])
def test_names_stay_whole(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "text", ["2 days ago", "an hour ago", "3분 전", "2024-03-05", "5 March 2024", "03.14 12:30", "昨天 22:17"]
)
def test_dates_of_all_kinds_are_recognised(text: str) -> None:
    assert date_in(text)


@pytest.mark.cpu_timed
@pytest.mark.skipif(core() is None, reason="the reference reader refuses pages as deep as these")
@pytest.mark.parametrize(
    ("before", "part", "after"),
    [
        ("", "<div class=comment><b class=author>A</b><p>Text.</p>", ""),
        ("", "<div class=comment><b class=author>A</b><p>Text.</p></div>", ""),
        ("<div class=comment>", "<span class=author>", "x"),
        ("", "<div class=comment id=c1>", "x"),
        ("<div>", "<div>x</div>", "</div>"),
        ("<div class=comment>", "<i>x </i>", "</div>"),
    ],
)
def test_reading_is_linear_on_hostile_pages(before: str, part: str, after: str) -> None:
    def seconds(count: int) -> float:
        doc = document(before + part * count + after)
        started = process_time()
        doc.to_text(ALL)
        return process_time() - started

    seconds(100)
    small, large = min(seconds(2000) for _ in range(2)), seconds(16000)
    assert large < 24 * small + 0.1


def test_any_nesting_of_named_elements_is_read() -> None:
    generator = random.Random(13)
    names = "comment reply author date text actions comment-list depth-2 recent-comments children".split()
    for _ in range(200):
        tags = [
            f"<{generator.choice(('div', 'li', 'p', 'span'))} class='{generator.choice(names)}'>" for _ in range(30)
        ]
        html = "".join(tag + generator.choice(("", "Ann", "2 days ago", "Some text here.", "</div>")) for tag in tags)
        doc = document(html)
        seen = [block.index for top in doc.comments for comment in top.thread() for block in comment.blocks]
        assert len(seen) == len({*seen})
        doc.to_markdown(ALL), doc.to_html(ALL), doc.to_json(ALL), doc.to_xml(ALL)


@pytest.mark.cpu_timed
def test_a_comment_of_many_pieces_is_read_in_linear_time() -> None:
    def seconds(count: int) -> float:
        page = read_page("<div class=comment><b class=author>Ann</b><p>" + "<i>x</i> " * count)
        started = process_time()
        assert len(read_comments(page, verdicts_on(page), ALL)) == 1
        return process_time() - started

    assert seconds(40_000) <= 3 * 8 * max(seconds(5_000), 0.02)


def test_the_first_comments_of_very_many_are_read() -> None:
    page = read_page("<div class=comment><b class=author>Ann</b><p>x</p></div>" * (MAX_COMMENTS + 10))
    assert len(read_comments(page, verdicts_on(page), ALL)) == MAX_COMMENTS
