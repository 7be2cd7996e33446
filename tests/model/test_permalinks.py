"""Links of a heading to itself or to its editor are not a part of its text."""

import pytest

from bonmun.model.nodes import Nodes
from bonmun.model.permalinks import permalinks
from bonmun.read.parse import parse


def removed(nodes: Nodes) -> list[str]:
    heading = nodes.rows_of("h2")[0]
    return [nodes.content(row) for row in permalinks(nodes, heading, nodes.end[heading])]


@pytest.mark.parametrize(
    ("heading", "link"),
    [
        ('Tea<a href="#tea">¶</a>', "¶"),
        ('<a href="#tea">#</a> Tea', "#"),
        ('Tea <a href="/doc.html#tea">🔗</a>', "🔗"),
        ('Tea <a class="headerlink" href="">\uf0c1</a>', "\uf0c1"),
        ('Tea <a class="hash-link" href="#tea">\u200b</a>', "\u200b"),
        ('Tea <a class="anchor" href="#tea"><span>Link</span></a>', "Link"),
        ('Tea <a href="#tea">Permalink</a>', "Permalink"),
        ('Tea <a href="#tea">Link to this heading</a>', "Link to this heading"),
        ('<a href="/tea">Tea</a><a href="#tea">#</a>', "#"),
        ('Tea <span class="mw-editsection">[<a href="/edit">edit</a>]</span>', "[edit]"),
        ('Tea <span>[<a href="/edit">edit</a> | <a href="/source">edit source</a>]</span>', "[edit | edit source]"),
        ('차 <a href="/edit">[편집]</a>', "[편집]"),
        ('茶 <small>[<a href="/edit">編集</a>]</small>', "[編集]"),
        ('茶 <small>[<a href="/edit">编辑</a>]</small>', "[编辑]"),
    ],
)
def test_a_permalink_beside_a_text(heading: str, link: str) -> None:
    assert removed(parse(f"<h2>{heading}</h2>")) == [link]


@pytest.mark.parametrize(
    "heading",
    [
        '<a href="#tea">¶</a>',
        '<a href="#tea">Tea</a>',
        '<a class="anchor" href="#tea">Tea</a> and cake',
        'C<a href="/sharp">#</a> for tea drinkers',
        '<a href="#p12">§</a> 12 Tea',
        '<a href="#n1">#</a>1 tea',
        'How to <a href="/edit">edit</a> a tea',
        'A <a href="#x">link</a> between tea and cake',
        "Tea ¶",
        '<span><a href="#tea">¶</a></span>',
    ],
)
def test_other_links_are_text(heading: str) -> None:
    assert removed(parse(f"<h2>{heading}</h2>")) == []
