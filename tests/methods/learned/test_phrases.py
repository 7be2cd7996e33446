"""Phrases are words that the owner of a page understands, true of the block, and speak for its verdict."""

import re
from collections import defaultdict
from itertools import islice
from math import log2
from random import Random

import pytest

import bonmun
from bonmun.features.columns import COLUMNS
from bonmun.features.concepts import CONCEPTS, WORDS
from bonmun.features.element_names import FAR
from bonmun.methods.learned.phrases import OF_BLOCKS, PHRASES, SHARED, BlockRow, Decision
from bonmun.methods.learned.phrases.about_names import MEANING
from bonmun.model.block import KINDS, Kind
from bonmun.model.page import Page
from bonmun.model.tags import CONTROL, HIDDEN, TAG_ID
from bonmun.read.page import read_page
from tests.corpora import pages

PAGE = read_page("<h2>Related stories from all over the harbour and beyond</h2><p>One</p>")
KEPT, DROPPED = True, False


def log(number: float) -> float:
    return log2(1 + number)


def kind(kind: Kind) -> float:
    return float(KINDS.index(kind))


def row(features: dict[str, float], page: Page = PAGE, index: int = 1) -> BlockRow:
    """A block of some text on a page with running text, far from everything that has a name; the rest is 0."""
    usual = {"size": log(50), "page_long_size": 9.0, "upper_share": 0.05, "times": 1.0, "times_but_digits": 1.0}
    far = {name: float(FAR) for name in COLUMNS if name.startswith(("named_", "in_")) and name != "in_core"}
    return BlockRow([({**usual, **far} | features).get(name, 0.0) for name in COLUMNS], page, index)


def worded(column: str, block: BlockRow, keep: bool) -> str:
    """What the function of a column says of a block."""
    return PHRASES[column](block, COLUMNS.index(column), keep)


EXAMPLES: list[tuple[str, dict[str, float], bool, str]] = [
    ("size", {"size": log(500)}, KEPT, "a long text"),
    ("size", {"size": log(100)}, KEPT, "as long as a sentence"),
    ("size", {"size": log(10)}, KEPT, ""),
    ("size", {"size": log(500)}, DROPPED, ""),
    ("size", {"size": log(60)}, DROPPED, "a short text"),
    ("size", {"size": log(10)}, DROPPED, "only a few words"),
    ("size", {"size": log(10), "window3_link": 0.9}, DROPPED, "only a few words among links"),
    ("size", {"size": log(60), "region1_link": 0.9, "in_ul": 1}, DROPPED, "a short text in a list of links"),
    ("size", {"size": 0}, DROPPED, "no text in it"),
    ("sentences", {"sentences": log(3)}, KEPT, "written in full sentences"),
    ("commas", {"sentences": log(1)}, KEPT, "a full sentence"),
    ("ends_sentence", {}, KEPT, ""),
    ("ends_sentence", {}, DROPPED, "no full sentence"),
    ("sentences", {"sentences": log(3)}, DROPPED, ""),
    ("word_length", {"word_length": 30}, DROPPED, "very long words, like codes or addresses"),
    ("word_length", {"size": 0}, DROPPED, "no text in it"),
    ("upper_share", {"upper_share": 0.9}, DROPPED, "written in capital letters"),
    ("capitalised_share", {"capitalised_share": 1}, DROPPED, "nearly every word starts with a capital letter"),
    ("capitalised_share", {"capitalised_share": 0.1}, KEPT, "ordinary use of capital letters"),
    ("upper_share", {"upper_share": -1, "capitalised_share": -1}, DROPPED, ""),
    ("digit_share", {"digit_share": 0.2}, DROPPED, "many digits in it"),
    ("digit_share", {"digit_share": 0.8}, KEPT, "mostly digits"),
    ("digit_share", {}, KEPT, ""),
    ("colons", {"colons": 1}, DROPPED, "a colon in it"),
    ("colons", {}, DROPPED, ""),
    ("currencies", {"currencies": 2}, DROPPED, "a price in it"),
    ("quotes", {"quotes": 2}, KEPT, "quotation marks in it"),
    ("brackets", {"brackets": 2}, KEPT, "brackets in it"),
    ("dates", {"dates": 1}, DROPPED, "a date or time in it"),
    ("times", {"times": 4, "times_but_digits": 4}, DROPPED, "its text is on the page 4 times"),
    ("copies_before", {"times": 2, "times_but_digits": 2}, DROPPED, "its text is on the page twice"),
    ("times_but_digits", {"times_but_digits": 5}, DROPPED, "its text is on the page 5 times, with other numbers"),
    ("copy_run", {"times": 2, "copy_run": 10}, DROPPED, "part of a longer passage that is repeated on the page"),
    ("copied_run", {"times": 2, "copied_run": 10}, DROPPED, "part of a longer passage that is repeated on the page"),
    ("times", {}, KEPT, "its text is not repeated on the page"),
    ("times", {}, DROPPED, ""),
    ("title_share", {"title_share": 0.2, "of_title": 0.2}, KEPT, "shares words with the page's title"),
    ("title_share", {}, DROPPED, "shares no word with the page's title"),
    ("title_share", {}, KEPT, ""),
    ("of_title", {"title_share": 1, "of_title": 1}, DROPPED, "repeats the page's title"),
    ("known_share", {"known_share": 0.9}, KEPT, "its words recur in the page's running text"),
    ("known_share", {}, DROPPED, "its words hardly occur in the page's running text"),
    ("known_share", {"page_long_size": 0}, DROPPED, ""),
    ("term_score", {"term_score": 2}, KEPT, "wording common in main texts"),
    ("term_score", {"term_score": -2}, DROPPED, "wording common in menus, notices and adverts"),
    ("term_score", {"term_score": 2}, DROPPED, ""),
    ("term_score-1", {"term_score-1": 2}, KEPT, "next to wording common in main texts"),
    ("term_score+1", {"term_score+1": -2}, DROPPED, "next to wording common in menus, notices and adverts"),
    ("link_share", {}, KEPT, "no links in it"),
    ("link_share", {"link_share": 0.05}, KEPT, "hardly any links in it"),
    ("link_share", {"link_share": 0.05}, DROPPED, ""),
    ("link_share", {"link_share": 0.3}, DROPPED, "many links in it"),
    ("link_share", {"link_share": 0.7}, DROPPED, "mostly links"),
    ("link_share", {"link_share": 0.95}, DROPPED, "hardly anything but links"),
    ("in_a", {"link_share": 1}, DROPPED, "nothing but a link"),
    ("in_a", {"link_share": 1}, KEPT, ""),
    ("kind", {"kind": kind(Kind.PARAGRAPH), "tag": TAG_ID["p"]}, KEPT, "a paragraph"),
    ("tag", {"kind": kind(Kind.PARAGRAPH), "tag": TAG_ID["p"]}, DROPPED, ""),
    ("inner_tag", {"kind": kind(Kind.PARAGRAPH), "tag": TAG_ID["div"]}, KEPT, ""),
    ("level", {"kind": kind(Kind.HEADING)}, KEPT, "a heading"),
    ("kind", {"kind": kind(Kind.CELL)}, KEPT, "a table cell"),
    ("flags", {"flags": HIDDEN}, DROPPED, "hidden until a script shows it"),
    ("flags", {"flags": CONTROL}, DROPPED, "a button or form field"),
    ("flags", {}, KEPT, "shown without scripts"),
    ("rows", {"rows": log(1)}, KEPT, "plain text without markup inside"),
    ("rows", {"rows": log(9)}, DROPPED, "markup inside its text"),
    ("place", {"place": 0.5, "text_before": 0.5}, KEPT, "in the middle of the page"),
    ("index", {"place": 0.5, "text_before": 0.5}, DROPPED, ""),
    ("text_before", {"text_before": 0.95}, DROPPED, "after nearly all text of the page"),
    ("text_before", {"text_before": 0.01}, DROPPED, "before nearly all text of the page"),
    ("place", {"place": 0.05, "text_before": 0.2}, DROPPED, "near the top of the page"),
    ("from_end", {"place": 0.95, "text_before": 0.8}, DROPPED, "near the end of the page"),
    ("long_before", {"long_before": 1, "since_long": 3}, DROPPED, "after the end of the running text"),
    ("after_first_long", {"after_first_long": -3}, DROPPED, "before the running text begins"),
    ("since_long", {"long_before": 0.5, "since_long": 9, "until_long": 9}, DROPPED, "far from any running text"),
    ("until_long", {"since_long": 9, "until_long": 1}, KEPT, "next to other running text"),
    ("since_long", {"since_long": 9, "until_long": 9}, KEPT, ""),
    ("long_before", {"long_before": 1, "page_long_size": 0}, DROPPED, ""),
    ("after_h1", {"after_h1": -5}, DROPPED, "above the page's main heading"),
    ("after_h1", {"after_h1": -5}, KEPT, ""),
    ("after_h1", {"after_h1": -99, "text_after_h1": -2}, DROPPED, ""),
    ("after_h1", {"after_h1": 0}, KEPT, "the page's main heading"),
    ("after_last_h1", {"after_h1": 2}, KEPT, "right below the page's main heading"),
    ("after_h1", {"after_h1": 20}, KEPT, "below the page's main heading"),
    ("text_after_h1", {"after_h1": 90, "text_after_h1": 0.8}, DROPPED, "far below the page's main heading"),
    ("window8_link", {"window8_link": 0.8}, DROPPED, "among links"),
    ("window8_link", {"window8_link": 0.8}, KEPT, ""),
    ("up4_link", {"up4_link": 0.05}, KEPT, "hardly any links around it"),
    ("link+1", {"link+1": -1}, KEPT, ""),
    ("window3_long", {"window3_long": 0.9}, KEPT, "among running text"),
    ("region_long", {}, DROPPED, "no running text around it"),
    ("window20_size", {"window20_size": log(20)}, DROPPED, "among short texts"),
    ("up3_mean", {"up3_mean": log(200)}, KEPT, "among long texts"),
    ("size-1", {"size-1": -1}, DROPPED, ""),
    ("kind-1", {"kind-1": kind(Kind.HEADING)}, KEPT, "just after a heading"),
    ("kind+1", {"kind+1": kind(Kind.ITEM)}, DROPPED, "just before a list item"),
    ("kind+1", {"kind+1": kind(Kind.PARAGRAPH)}, DROPPED, ""),
    ("kind+2", {"kind+2": kind(Kind.PARAGRAPH)}, KEPT, "just before a paragraph"),
    ("kind-2", {"kind-2": -1}, DROPPED, "at the start of the page"),
    ("kind+2", {"kind+2": -1}, DROPPED, "at the end of the page"),
    ("heading_level", {}, DROPPED, "no heading above it"),
    ("heading_level", {}, KEPT, ""),
    ("heading_size", {"heading_level": 2, "since_heading": 0}, DROPPED, ""),
    (
        "heading_term_score",
        {"heading_level": 2, "since_heading": 1},
        DROPPED,
        "under the heading “Related stories from all over the harbo…”",
    ),
    ("heading_level", {"heading_level": 2, "since_heading": 1, "in_footer": 3}, DROPPED, ""),
    ("section_link", {"section_link": 0.9}, DROPPED, "in a section of links"),
    ("section_long", {"section_link": 0.2}, DROPPED, "in a section without running text"),
    ("section_size", {"section_long": 0.9}, KEPT, "in a section of running text"),
    ("section_link", {"section_link": 0.05, "section_long": 0.1}, KEPT, "in a section with hardly any links"),
    ("siblings", {"siblings": log(12)}, DROPPED, "one of 12 elements side by side"),
    ("siblings_same", {"siblings_same": log(12)}, KEPT, "one of 12 similar elements side by side"),
    ("parent_siblings_same", {"parent_siblings_same": log(5)}, KEPT, "inside one of 5 similar elements side by side"),
    ("siblings", {"siblings": log(1)}, DROPPED, ""),
    ("depth", {"depth": 12}, DROPPED, "nested 12 elements deep"),
    ("depth", {"depth": 1}, DROPPED, "at the top level of the page's markup"),
    ("up2_blocks", {"up2_blocks": log(2)}, DROPPED, "in a part of the page with few texts"),
    ("up2_blocks", {"up2_blocks": log(30)}, KEPT, "in a part of the page with many texts"),
    ("up2_share", {"up2_share": 0.01}, DROPPED, "in a part of the page with little text"),
    ("region_share", {"region_share": 0.8}, KEPT, "in the part of the page with most of its text"),
    ("up3_of_long", {}, DROPPED, "in a part of the page without running text"),
    ("up3_of_long", {"up3_of_long": 0.9}, KEPT, "in the part of the page with most of its running text"),
    ("region1_density", {"region1_density": log(5)}, DROPPED, "little text and much markup around it"),
    ("region1_density", {"region1_density": log(90)}, KEPT, "much text and little markup around it"),
    ("region2_headings", {"region2_headings": 0.5}, DROPPED, "many headings around it"),
    ("region2_headings", {}, DROPPED, ""),
    ("up4_paragraphs", {"up4_paragraphs": 0.9}, KEPT, "among paragraphs"),
    ("up4_paragraphs", {}, DROPPED, "hardly any paragraphs around it"),
    ("up4_punctuation", {"up4_punctuation": 0.03}, KEPT, "punctuated text around it"),
    ("up4_punctuation", {}, DROPPED, "hardly any punctuation around it"),
    ("up2_images", {"up2_images": 0.5}, DROPPED, "among pictures"),
    ("region3_place", {"region3_place": 0.5}, KEPT, "in the middle of its part of the page"),
    ("region3_place", {"region3_place": 0.95}, DROPPED, "at the end of its part of the page"),
    ("in_core", {"in_core": 1}, KEPT, "in the part of the page with most of its running text"),
    ("in_core", {"in_core": 1}, DROPPED, ""),
    ("to_half", {}, DROPPED, "outside the part of the page with most of its running text"),
    ("core_share", {"page_long_size": 0}, DROPPED, ""),
    ("style_count", {"style_count": log(40)}, KEPT, "one of 40 texts marked up alike"),
    ("path_parents", {"path_count": log(1)}, DROPPED, "no other text is marked up like it"),
    ("path_count", {"path_count": log(3)}, DROPPED, ""),
    ("path_share", {"path_share": 0.8}, KEPT, "texts marked up like it hold much of the page's text"),
    ("style_share", {}, DROPPED, "texts marked up like it hold little of the page's text"),
    ("path_mean", {"path_mean": log(200)}, KEPT, "texts marked up like it are long"),
    ("path_mean", {"path_mean": log(9)}, DROPPED, "texts marked up like it are short"),
    ("path_link", {"path_link": 0.9}, DROPPED, "texts marked up like it are mostly links"),
    ("path_link", {}, KEPT, "texts marked up like it have hardly any links"),
    ("path_link", {}, DROPPED, ""),
    ("style_long", {"style_long": 0.9}, KEPT, "texts marked up like it are running text"),
    ("style_long", {}, DROPPED, "texts marked up like it are no running text"),
    ("column_count", {"column_count": log(50)}, KEPT, "one of many texts in parts of the page built alike"),
    ("column_share", {}, DROPPED, "texts in parts of the page built like its own hold little of the page's text"),
    ("column_mean", {"column_mean": log(9)}, DROPPED, "texts in parts of the page built like its own are short"),
    ("column_link", {"column_link": 1}, DROPPED, "texts in parts of the page built like its own are mostly links"),
    ("column_long", {"column_long": 1}, KEPT, "texts in parts of the page built like its own are running text"),
    ("parent_tag", {"parent_tag": TAG_ID["li"]}, DROPPED, "inside <li>"),
    ("third_tag", {"third_tag": TAG_ID["div"]}, DROPPED, ""),
    ("fourth_tag", {"fourth_tag": 200}, KEPT, ""),
    ("name_score", {"name_score": 2}, KEPT, "class and id names as around main texts"),
    ("name_score", {"name_score": -2}, DROPPED, "class and id names as around menus and notices"),
    ("in_nav", {"in_nav": 2}, DROPPED, "inside the navigation (<nav>)"),
    ("named_nav", {"in_nav": 2}, KEPT, ""),
    ("in_footer", {}, KEPT, "outside navigation, footers and sidebars"),
    ("in_footer", {"named_side": 1}, KEPT, "outside a footer"),
    ("named_language", {"named_side": 1}, KEPT, ""),
    ("named_promo", {}, DROPPED, ""),
    ("in_main", {"in_main": 3}, KEPT, "inside the page's main part (<main>)"),
    ("in_main", {"page_main": 1}, DROPPED, "outside the page's main part (<main>)"),
    ("in_main", {}, DROPPED, ""),
    ("in_article", {"in_article": 3}, KEPT, "inside an article (<article>)"),
    ("in_article", {"in_article": 3}, DROPPED, ""),
    *((f"in_{tag}", {f"in_{tag}": 1}, DROPPED, f"inside {name} (<{tag}>)") for tag, name in (
        ("header", "a header"), ("aside", "a sidebar"), ("form", "a form"), ("section", "a section"),
        ("table", "a table"), ("ul", "a list"), ("ol", "a numbered list"), ("dl", "a definition list"),
        ("figure", "a figure"),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("column", "features", "keep", "expected"), EXAMPLES)
def test_a_phrase_is_true_of_the_block_and_speaks_for_its_verdict(
    column: str, features: dict[str, float], keep: bool, expected: str
) -> None:
    assert worded(column, row(features), keep) == expected


def named(html: str) -> BlockRow:
    """The last block of a page, with the true distances of the names around it."""
    page = read_page(html)
    index = len(page.blocks) - 1
    rows = [
        page.nodes.parent[page.blocks.first[index]],
        *page.nodes.ancestors(page.nodes.parent[page.blocks.first[index]]),
    ]
    words = [set(re.findall("[a-z]+", page.nodes.attr(row, "class") or "")) for row in rows]
    distances = {
        f"named_{concept}": float(next((at for at, found in enumerate(words) if found & set(listed.split())), FAR))
        for concept, listed in WORDS.items()
    }
    return row(distances, page, index)


CONTENT = {"content", "main", "article", "body"}


@pytest.mark.parametrize("concept", CONCEPTS)
def test_a_name_around_a_block_is_quoted(concept: str) -> None:
    word = WORDS[concept].split()[0]
    block = named(f"<div class='x the-{word}'><div><p>One</p></div></div>")
    phrase = worded(f"named_{concept}", block, concept in CONTENT)
    assert phrase == f"inside an element named “the-{word}”"
    if concept in CONTENT | {"nav", "footer", "promo", "comments"}:
        assert worded(f"named_{concept}", block, concept not in CONTENT) == ""


def test_a_name_that_does_not_speak_for_itself_is_explained() -> None:
    block = named("<div class=gnb><p>One</p></div>")
    assert worded("named_nav", block, DROPPED) == "inside an element named “gnb”, like navigation"
    assert MEANING.keys() == set(CONCEPTS)


def test_a_name_of_the_whole_page_says_nothing_of_a_block() -> None:
    assert worded("named_nav", named("<body class=has-menu><p>One</p>"), DROPPED) == ""


def test_a_long_name_is_shortened() -> None:
    block = named(f"<div class=menu-{'x' * 90}><p>One</p></div>")
    phrase = worded("named_nav", block, DROPPED)
    assert phrase == f"inside an element named “menu-{'x' * 34}…”"


def test_every_column_of_a_block_has_a_phrase() -> None:
    assert PHRASES.keys() == {name for name in COLUMNS if not name.startswith("page_")}


def test_every_phrase_function_has_an_example() -> None:
    shown = {PHRASES[column] for column, _, _, expected in EXAMPLES if expected}
    shown |= {PHRASES[f"named_{concept}"] for concept in CONCEPTS}
    assert [column for column, phrase in PHRASES.items() if phrase not in shown] == []


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev", "daniel_dev"])
def test_reasons_for_real_pages_are_words_and_none_is_given_twice(corpus: str) -> None:
    # "a “quoted_name”" is the page's own; short names of columns, such as "size" or "place", are words too
    raw = [name for name in COLUMNS if re.search(r"_|\d|[+-]", name)]
    for record in islice(pages(corpus), 2, 60, 6):
        for block in bonmun.extract(record["html"], url=record["url"]).all_blocks:
            details = [reason.detail for reason in block.reasons]
            assert 1 <= len(details) <= 3
            assert len(set(details)) == len(details)
            for detail in details:
                words = re.sub("“.*”", "", detail)
                assert words
                assert "_" not in words
                assert not [name for name in raw if name in words]


@pytest.mark.parametrize("keep", [KEPT, DROPPED])
def test_only_shared_functions_give_the_phrases_of_others(keep: bool) -> None:
    dice = Random(20)
    for _ in range(400):
        block = row({name: float(dice.choice((0, 0, 1, 3, 5, 0.04, 0.6, 0.95))) for name in COLUMNS})
        givers = defaultdict[str, set[Decision]](set)
        for column, phrase in PHRASES.items():
            givers[worded(column, block, keep)].add(phrase)
        givers.pop("", None)
        assert all(functions <= SHARED[keep] for functions in givers.values() if len(functions) > 1)


@pytest.mark.parametrize("keep", [KEPT, DROPPED])
def test_functions_of_blocks_say_the_same_whatever_the_column(keep: bool) -> None:
    dice = Random(20)
    for _ in range(400):
        block = row({name: float(dice.choice((0, 0, 1, 3, 5, 0.04, 0.6, 0.95))) for name in COLUMNS})
        assert all(
            worded(column, block, keep) == phrase(block, -1, keep)
            for column, phrase in PHRASES.items()
            if phrase in OF_BLOCKS
        )
