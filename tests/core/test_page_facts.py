"""What the compiled reader tells about a page is what the steps would find that it spares."""

from array import array
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.model.attributes import BYTES_OF, KNOWN
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAGS
from bonmun.read.compiled import ReadNodes
from bonmun.read.formula_rows import formula_rows, formula_rows_by_reference
from bonmun.read.segment import segment
from tests.core.readers import compiled
from tests.core.tag_soup import tag_soup
from tests.core.tree_cases import CASES
from tests.corpora import pages

PIECES = st.sampled_from(
    (
        "<p>",
        "<math>",
        "<mjx-container>",
        "<div class=katex>",
        "<img src=latex.php>",
        "<a role=row>",
        "<div role=' List\u3000'>",
    )
)


def assert_facts_hold(html: str) -> None:
    nodes = compiled(html)
    assert isinstance(nodes, ReadNodes)
    assert list(nodes.formula_rows or ()) == formula_rows_by_reference(nodes)
    assert nodes.roles == nodes.roles_by_reference()
    for name in (*KNOWN, "data-other"):
        assert nodes.attr_number(name) == nodes.attr_id.get(name, -1)
    for names in BYTES_OF:
        assert nodes.attr_numbers(names) == array("i", [nodes.attr_id.get(name, -1) for name in names]).tobytes()
    for number, name in enumerate(nodes.tag_names):
        assert nodes.rows_of(name) == nodes.rows_with_by_reference(number)


@pytest.mark.parametrize("rule", CASES)
def test_facts_hold_for_cases_of_tree_construction(rule: str) -> None:
    for html in CASES[rule]:
        assert_facts_hold(html)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(tag_soup(), st.lists(PIECES, max_size=6))
def test_facts_hold_for_tag_soup(html: str, pieces: list[str]) -> None:
    assert_facts_hold("".join(pieces) + html)


def test_facts_hold_for_real_pages() -> None:
    for page in islice(pages("wcxb_dev"), 0, 200, 10):
        assert_facts_hold(page["html"])


@pytest.mark.parametrize("word", ["tex", "math", "te", "mat"])
@pytest.mark.parametrize("before", [0, *range(26, 34), *range(57, 64), *range(249, 258)])
@pytest.mark.parametrize("decoded", ["", "&amp;"])
def test_images_are_formulas_by_the_bytes_that_count(word: str, before: int, decoded: str) -> None:
    markup = f'<img alt=x src="{"-" * before}{word}{decoded}" class="a">' + "<p>and more behind it</p>" * 4
    assert_facts_hold(markup)
    assert_facts_hold(f'<p class=text><img class="{decoded}{"-" * before}{word}')


def test_a_changed_copy_has_no_facts() -> None:
    nodes = compiled("<p class=katex role=row>x</p><math></math>")
    paragraph, texts = TAGS.index("p"), array("i", [TAGS.index("q")] * len(nodes))
    changed: Nodes = replace(nodes, tag=memoryview(texts).toreadonly())
    assert nodes.rows_of("p")
    assert not changed.rows_of("p")
    assert changed.may_have(paragraph)
    assert list(formula_rows(changed)) == formula_rows_by_reference(changed)
    assert segment(replace(nodes)) == segment(nodes)
