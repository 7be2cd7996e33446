import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.read.parse import parse
from bonmun.read.structured import Structured, Thing, plain_text, read_structured, rows_by_tag, short_text


def structured(html: str) -> Structured:
    return read_structured(parse(html))


def linked(text: str) -> tuple[Thing, ...]:
    return structured(f'<script type="application/ld+json">{text}</script>').things


def test_things_are_found_at_top_level_in_lists_and_in_graphs() -> None:
    alone = linked('{"@type": "NewsArticle", "headline": "Tea"}')
    listed = linked('[{"@type": "WebSite"}, {"@type": ["NewsArticle", "Thing"], "headline": "Tea"}]')
    graph = linked('{"@graph": [{"@type": "https://schema.org/NewsArticle", "headline": "Tea"}]}')
    for things in (alone, listed, graph):
        assert [thing.text("headline") for thing in things if "newsarticle" in thing.types] == ["Tea"]


def test_a_main_entity_is_a_thing_of_its_own() -> None:
    things = linked('{"@type": "QAPage", "mainEntity": {"@type": "Question", "name": "Why?"}}')
    assert [sorted(thing.types) for thing in things] == [["qapage"], ["question"]]


def test_the_questions_of_a_faq_are_not_things() -> None:
    things = linked('{"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name": "Why?"}]}')
    assert [sorted(thing.types) for thing in things] == [["faqpage"]]


@pytest.mark.parametrize(
    "type", ["application/ld&#43;json", "application/ld&#x2B;json", "Application/LD+JSON; charset=utf-8"]
)
def test_the_type_of_a_script_may_be_written_with_character_references(type: str) -> None:
    things = structured(f'<script type="{type}">{{"@type": "Article", "headline": "Tea"}}</script>').things
    assert [thing.text("headline") for thing in things] == ["Tea"]


def test_references_are_resolved() -> None:
    things = linked(
        '{"@graph": [{"@type": "Article", "author": {"@id": "#jane"}},'
        ' {"@type": "Person", "@id": "#jane", "name": "Jane Doe"}]}'
    )
    assert things[0].people("author") == (["Jane Doe"], [])


@pytest.mark.parametrize(
    "author",
    [
        '"Jane Doe"',
        '["Jane Doe"]',
        '{"name": "Jane Doe"}',
        '{"@type": "Person", "name": ["Jane Doe", "J. D."]}',
        '[{"@type": ["Person"], "name": {"@value": "Jane Doe"}}]',
    ],
)
def test_an_author_may_be_written_in_many_ways(author: str) -> None:
    assert linked(f'{{"@type": "Article", "author": {author}}}')[0].people("author") == (["Jane Doe"], [])


def test_organizations_are_distinguished_from_persons() -> None:
    thing = linked('{"author": [{"@type": "NewsMediaOrganization", "name": "The Leaf"}, {"name": "Jane Doe"}]}')[0]
    assert thing.people("author") == (["Jane Doe"], ["The Leaf"])


@pytest.mark.parametrize(
    "sloppy",
    [
        '{"headline": "Tea",}',
        '{"headline": "Tea", "keywords": ["a", "b", ], }',
        '<!-- {"headline": "Tea"} -->',
        '//<![CDATA[\n{"headline": "Tea"}\n//]]>',
        '/* <![CDATA[ */ {"headline": "Tea"} /* ]]> */',
        '{"headline": "Tea"};',
        '{"headline": "Tea"} trailing words',
        '{"headline": "Tea", "description": "tab\there,\nnew line"}',
        r'{"headline": "Tea", "description": "it\'s \d \\ \u0041"}',
        "{&quot;headline&quot;: &quot;Tea&quot;}",
        '\ufeff{"headline": "Tea"}',
    ],
)
def test_json_with_syntax_errors_is_repaired(sloppy: str) -> None:
    assert [thing.text("headline") for thing in linked(sloppy)] == ["Tea"]


def test_several_objects_in_one_script_are_all_read() -> None:
    assert [thing.text("name") for thing in linked('{"name": "a"}\n{"name": "b"}')] == ["a", "b"]


@pytest.mark.parametrize("broken", ["", "null", "nonsense", "{", '{"a": ', "[[[[", "[" * 100_000, '{"a": ' * 50_000])
def test_unparsable_json_gives_no_things(broken: str) -> None:
    assert linked(broken) == ()


def test_markup_and_entities_are_removed_from_values() -> None:
    thing = linked('{"headline": "Tea &amp;amp; <b>cake</b>  "}')[0]
    assert thing.text("headline") == "Tea & cake"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["@type", "@id", "@graph", "@value", "name", "author", "url", "mainEntity", "keywords"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_values_of_the_wrong_type_never_raise(value: Any) -> None:
    for thing in linked(json.dumps(value).replace("</", "<\\/")):
        for name in thing.fields:
            assert all(isinstance(text, str) for text in thing.texts(name))
            assert all(isinstance(text, str) for text in thing.urls(name))
            thing.people(name)


def test_microdata_is_read_as_json_ld() -> None:
    things = structured(
        '<article itemscope itemtype="http://schema.org/BlogPosting"><h1 itemprop="headline name">Tea</h1>'
        '<span itemprop="author" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Jane Doe</b></span>'
        '<time itemprop="datePublished" datetime="2024-03-05">yesterday</time><a itemprop="url" href="/tea">here</a>'
        '<meta itemprop="keywords" content="green, black"><p itemprop="articleBody">Leaves.</p></article>'
    ).things
    assert len(things) == 1
    assert things[0].types == {"blogposting"}
    assert things[0].texts("headline", "name", "datePublished", "keywords") == [
        *("Tea", "Tea", "2024-03-05", "green, black")
    ]
    assert things[0].people("author") == (["Jane Doe"], [])
    assert things[0].urls("url") == ["/tea"]


def test_microdata_after_an_item_does_not_belong_to_it() -> None:
    things = structured(
        '<div itemscope itemtype="http://schema.org/Person"><b itemprop="name">Jane</b></div>'
        '<span itemprop="datePublished" content="2024-03-05">5 March</span>'
    ).things
    assert [thing.text("name", "datePublished") for thing in things] == ["Jane", "2024-03-05"]


def test_meta_names_and_properties_are_one_table() -> None:
    markup = structured(
        '<meta property="OG:Title" content="Tea &amp;amp; cake"><meta name="og:image" content="a.png">'
        '<meta property="article:tag" content="green"><meta property="article:tag" content="black">'
        '<meta http-equiv="Content-Language" content="en"><meta name="empty" content=" "><meta content="nameless">'
    )
    assert markup.first("missing", "og:title", "og:image") == "Tea & cake"
    assert markup.all("article:tag", "og:image") == ["green", "black", "a.png"]
    assert markup.first("content-language") == "en"
    assert markup.first("empty") is None


def test_links_are_found_by_relation() -> None:
    markup = structured(
        '<link rel="Canonical nofollow" href=" /tea "><link rel=stylesheet href=x.css><link rel=canonical>'
    )
    assert markup.links == {"canonical": ["/tea"]}


def test_rows_are_found_beyond_two_hundred_and_fifty_six_tag_names() -> None:
    html = "".join(f"<x-{number}></x-{number}>" for number in range(300)) + "<h1>last</h1>"
    nodes = parse(html)
    assert rows_by_tag(nodes, ("h1", "x-7", "x-263", "none")) == {
        "h1": nodes.rows_of("h1"),
        "x-7": nodes.rows_of("x-7"),
        "x-263": nodes.rows_of("x-263"),
        "none": [],
    }


def test_short_text_separates_lines_and_is_bounded() -> None:
    nodes = parse("<h1>One<br>two<div>three</div></h1><p>" + "word <b>x</b> " * 10_000)
    assert short_text(nodes, nodes.rows_of("h1")[0]) == "One two three"
    assert len(short_text(nodes, nodes.rows_of("p")[0])) <= 2_000


@given(st.text())
def test_plain_text_has_no_markup_and_no_stray_white_space(value: str) -> None:
    text = plain_text(value)
    assert text is None or (text and text == " ".join(text.split()))
